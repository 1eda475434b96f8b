import { MessageChannelMain } from 'electron';
import { portChannel, requestPortChannel } from '../../src-shared/contract/bridge.ts';
import type { CoreProcess } from './coreProcess.ts';
import { onPageMessage } from './ipc.ts';

/** Gives the page that asks one end of a new channel and the core the other: main is not in between. */
export function handOverPorts(core: CoreProcess): void {
  onPageMessage(requestPortChannel, ({ sender }) => {
    const { port1, port2 } = new MessageChannelMain();
    core.addClient(port1);
    sender.postMessage(portChannel, null, [port2]);
  });
}
