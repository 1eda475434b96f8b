import type { Page } from '@playwright/test';
import { replySchema } from '../../src-shared/contract/wire.ts';

/** Calls a command of the core from the page, over a port of its own; rejects with the error's code. */
export async function callCore(page: Page, name: string, input: unknown): Promise<unknown> {
  const answer = await page.evaluate(
    ([name, input]) =>
      new Promise<unknown>((resolve) => {
        window.addEventListener(
          'message',
          ({ ports: [port] }) => {
            port?.addEventListener('message', ({ data }) => {
              const message = JSON.parse(data);
              if (message.i === 'test') resolve(message.r);
            });
            port?.start();
            port?.postMessage(JSON.stringify({ t: 'q', m: 'call', a: [1, name, input], i: 'test' }));
          },
          { once: true },
        );
        Reflect.get(window, 'benchberry').requestPort();
      }),
    [name, input] as const,
  );
  const reply = replySchema.parse(answer);
  if (!reply.ok) throw new Error(reply.error.code);
  return reply.value;
}
