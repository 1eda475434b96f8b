import type { MessagePortMain } from 'electron';
import type { Channel } from '../../src-shared/contract/channel.ts';

/** Electron's port, in main and in the core's process alike, as the contract's channel. */
export function portChannel(port: MessagePortMain): Channel {
  return {
    send: (text) => port.postMessage(text),
    listen(onMessage, onClose) {
      port.on('message', ({ data }: { data: unknown }) => {
        if (typeof data === 'string') onMessage(data);
      });
      port.once('close', onClose);
      port.start();
    },
    close: () => port.close(),
  };
}
