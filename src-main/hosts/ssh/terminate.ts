import type { Client, ClientChannel } from 'ssh2';

interface SignalSender {
  signal(channel: number, name: string): void;
}

/**
 * Asks the host to end what runs in a channel (SIGTERM to its process group).
 *
 * ssh2's own `signal` says nothing once standard input has been closed, although RFC 4254 allows it then: its protocol
 * layer is called directly. The lab holds this against the version in use.
 */
export function terminate(client: Client, channel: ClientChannel): void {
  const protocol: unknown = Reflect.get(client, '_protocol');
  const outgoing: unknown = Reflect.get(channel, 'outgoing');
  if (isSender(protocol) && isOpen(outgoing)) protocol.signal(outgoing.id, 'TERM');
  else channel.signal('TERM');
}

function isSender(value: unknown): value is SignalSender {
  return typeof value === 'object' && value !== null && 'signal' in value;
}

function isOpen(value: unknown): value is { id: number } {
  if (typeof value !== 'object' || value === null || !('id' in value) || !('state' in value)) return false;
  return typeof value.id === 'number' && (value.state === 'open' || value.state === 'eof');
}
