import { MessageChannel, type MessagePort } from 'node:worker_threads';
import { expect, test } from 'vitest';
import type { Channel } from '../../src-shared/contract/channel.ts';
import { AppError } from '../../src-shared/errors.ts';
import { memorySecrets } from '../app/secrets.ts';
import { secretsOverPort, serveSecrets } from './secretsPort.ts';

function channel(port: MessagePort): Channel {
  return {
    send: (text) => port.postMessage(text),
    listen(onMessage, onClose) {
      port.on('message', onMessage);
      port.once('close', onClose);
    },
    close: () => port.close(),
  };
}

test('secrets, errors and the end cross the port', async () => {
  const { port1, port2 } = new MessageChannel();
  const kept = memorySecrets();
  serveSecrets(channel(port1), {
    ...kept,
    set: (id, secret) =>
      id === 'full'
        ? Promise.reject(new AppError({ code: 'disk-full', message: 'The disk is full' }))
        : kept.set(id, secret),
  });
  const secrets = secretsOverPort(channel(port2), { kind: 'os-key-store', detail: 'in a test' });
  expect(secrets).toMatchObject({ kind: 'os-key-store', detail: 'in a test' });
  expect(await secrets.get('a')).toBeNull();
  await secrets.set('a', 'geheim "ü');
  expect(await secrets.get('a')).toBe('geheim "ü');
  expect(await kept.get('a')).toBe('geheim "ü');
  await secrets.remove('a');
  expect(await secrets.get('a')).toBeNull();
  await expect(secrets.set('full', 'x')).rejects.toMatchObject({
    code: 'disk-full',
    message: 'The disk is full',
  });
  port1.close();
  await expect
    .poll(() =>
      secrets.get('a').then(
        () => 'answered',
        () => 'rejected',
      ),
    )
    .toBe('rejected');
});
