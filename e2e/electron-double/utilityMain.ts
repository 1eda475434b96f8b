import { EventEmitter } from 'node:events';
import { PortRelay } from './ports.ts';
import type { UtilityMessage } from './utilityProcess.ts';

// Loaded before the core's own entry: gives this process what Electron gives a utility process.
const relay = new PortRelay(2, (message) => send(message));
const waiting: { data: unknown; ports: unknown[] }[] = [];

class ParentPort extends EventEmitter {
  postMessage(data: unknown): void {
    send({ kind: 'message', data, ports: [] });
  }
}

const parentPort = new ParentPort();
parentPort.on('newListener', (name) => {
  if (name === 'message')
    setImmediate(() => {
      for (const message of waiting.splice(0)) parentPort.emit('message', message);
    });
});
Object.assign(process, { parentPort });

process.on('message', (message: UtilityMessage) => {
  if (message.kind !== 'message') return relay.handle(message);
  const event = { data: message.data, ports: message.ports.map((id) => relay.take(id)) };
  if (parentPort.listenerCount('message') > 0 && waiting.length === 0) parentPort.emit('message', event);
  else waiting.push(event);
});
// Without its app a utility process ends.
process.on('disconnect', () => process.exit(1));

function send(message: UtilityMessage): void {
  if (process.connected) process.send?.(message);
}
