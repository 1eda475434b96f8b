import type { Host } from './host.ts';

/** The host that a database at this address runs on, as far as the addresses tell; null where none has it. */
export function hostAt<H extends Pick<Host, 'address'>>(address: unknown, hosts: readonly H[]): H | null {
  if (typeof address !== 'string') return null;
  const plain = (text: string) => text.trim().toLowerCase().replace(/[.]$/, '');
  return hosts.find((host) => plain(host.address) === plain(address)) ?? null;
}
