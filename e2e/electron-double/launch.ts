import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Browser, chromium, type Page } from '@playwright/test';
import type { Operation, operations } from './control.ts';

type Argument<N extends Operation> = Parameters<(typeof operations)[N]>;
type Answer<N extends Operation> = Awaited<ReturnType<(typeof operations)[N]>>;

/** The desktop app's real main, preload and core on Chromium. */
export interface Double {
  /** The window's page. */
  page(): Promise<Page>;
  /** Acts as the user or the system, or tells what the app has asked of Electron. */
  ask<N extends Operation>(name: N, ...argument: Argument<N>): Promise<Answer<N>>;
  readonly process: ChildProcess;
  /** Resolves with the exit code of the app; null where a signal ended it. */
  readonly ended: Promise<number | null>;
  /** Quits, and stops a run that is on. */
  close(): Promise<void>;
}

const root = fileURLToPath(new URL('../..', import.meta.url));

export function launchDouble(dataFolder: string, env: Record<string, string> = {}): Double {
  const child = fork(join(root, 'out', 'main', 'main.js'), [], {
    execArgv: ['--import', fileURLToPath(new URL('./register.ts', import.meta.url))],
    execPath: join(root, 'node_modules', '.bin', process.platform === 'win32' ? 'node.exe' : 'node'),
    env: { ...process.env, ...env, BENCHBERRY_DATA: dataFolder },
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  const ended = once(child, 'exit').then(([code]: (number | null)[]) => code ?? null);
  let attached: Browser | null = null;
  let orders = 0;

  function ask<N extends Operation>(name: N, ...[argument]: Argument<N>): Promise<Answer<N>> {
    orders += 1;
    const id = orders;
    child.send({ id, name, argument });
    return new Promise((resolve, reject) => {
      void ended.then(() => reject(new Error(`the app ended before it answered ${name}`)));
      child.on('message', function listen(message: { id: number; value: Answer<N> }) {
        if (message.id !== id) return;
        child.off('message', listen);
        resolve(message.value);
      });
    });
  }

  return {
    ask,
    process: child,
    ended,
    async page() {
      attached ??= await chromium.connectOverCDP(`http://127.0.0.1:${await ask('port')}`);
      const [context] = attached.contexts();
      const page = context?.pages()[0] ?? (await context?.waitForEvent('page'));
      if (!page) throw new Error('the app has no window');
      await page.waitForURL(/^http:\/\/app\.benchberry\.localhost\//);
      return page;
    },
    async close() {
      if (child.exitCode === null && child.signalCode === null && child.connected) {
        await ask('quit').catch(() => undefined); // it may be gone before it answers
        const left = await Promise.race([
          ended.then(() => true),
          // A question of the app holds it: the answer is yes.
          ask('openDialogs').then(
            (open) => open.length === 0,
            () => true,
          ),
        ]);
        if (!left) await ask('answer', 1);
      }
      await ended;
    },
  };
}
