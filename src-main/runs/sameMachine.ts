import { hostname, networkInterfaces } from 'node:os';

/** Whether an endpoint's label (`host:port`, `[::1]:5432`, a socket's folder) names this machine. By name only: no look-up. */
export function onThisMachine(label: string): boolean {
  const host = label.startsWith('/') ? label : label.replace(/:\d+$/, '').replace(/^\[(.*)\]$/, '$1');
  if (host.startsWith('/') || host === 'localhost' || host.startsWith('127.')) return true;
  const own = Object.values(networkInterfaces()).flatMap(
    (addresses) => addresses?.map((a) => a.address) ?? [],
  );
  return host === hostname() || host === '::1' || own.includes(host);
}
