import { isIP } from 'node:net';
import type { DnsRecord } from './records.ts';

/** A host on the network that one might sign in to. */
export interface Discovered {
  /** e.g. `raspberrypi.local` */
  name: string;
  /** An IP address; the name again where nobody told one. */
  address: string;
  port: number;
  looksLikePi: boolean;
  /** Why it is listed, in words. */
  how: string;
}

export interface Question {
  name: string;
  type: 'PTR' | 'SRV' | 'A';
}

const ssh = '_ssh._tcp.local';
const workstation = '_workstation._tcp.local';
/** What the images call a fresh host; a second one on the network gets `-2`. */
const usualNames = ['raspberrypi', 'raspberrypi-2', 'ubuntu', 'dietpi', 'raspberry', 'pi'];
/** Makers' part of the hardware addresses seen on Raspberry Pis. */
const piCards = ['b8:27:eb', 'dc:a6:32', 'e4:5f:01', 'd8:3a:dd', '2c:cf:67'];
/** More announcements than this are no home or lab network but a flood. */
const most = 300;

/** What to ask first. */
export const firstQuestions: readonly Question[] = [
  { name: ssh, type: 'PTR' },
  { name: workstation, type: 'PTR' },
  ...usualNames.map((name): Question => ({ name: `${name}.local`, type: 'A' })),
];

/** Collects records in any order and makes hosts of them. */
export class Findings {
  /** Instances by service, their hosts, the hosts' addresses; names in lower case, since DNS does not tell the cases apart. */
  readonly #instances = { [ssh]: new Set<string>(), [workstation]: new Set<string>() };
  readonly #services = new Map<string, { host: string; port: number }>();
  readonly #addresses = new Map<string, Set<string>>();

  add(records: readonly DnsRecord[]): void {
    for (const record of records) {
      const name = plain(record.name);
      if (record.type === 'PTR') {
        const service = name === ssh ? ssh : name === workstation ? workstation : null;
        const instance = plain(record.data);
        if (service !== null && instance.endsWith(`.${service}`) && this.#instances[service].size < most)
          this.#instances[service].add(instance);
      } else if (record.type === 'SRV') {
        const host = plain(record.data.target);
        if (host.endsWith('.local') && this.#services.size < most)
          this.#services.set(name, { host, port: record.data.port });
      } else if (name.endsWith('.local')) {
        const known = this.#addresses.get(name) ?? new Set<string>();
        if (known.size < 8) known.add(record.data);
        if (this.#addresses.has(name) || this.#addresses.size < most) this.#addresses.set(name, known);
      }
    }
  }

  /** What is announced but not yet told: hosts of services, addresses of hosts. */
  open(): Question[] {
    const services = [...this.#instances[ssh], ...this.#instances[workstation]]
      .filter((instance) => !this.#services.has(instance))
      .map((name): Question => ({ name, type: 'SRV' }));
    const hosts = [...new Set([...this.#services.values()].map(({ host }) => host))]
      .filter((host) => !this.#addresses.has(host))
      .map((name): Question => ({ name, type: 'A' }));
    return [...services, ...hosts];
  }

  /** One line for each host, those that look like Pis first. */
  hosts(): Discovered[] {
    const found = new Map<string, { port: number; card: boolean; how: string[] }>();
    const note = (host: string, how: string, port: number | null, card: boolean) => {
      const known = found.get(host) ?? { port: 22, card: false, how: [] };
      if (!known.how.includes(how)) known.how.push(how);
      found.set(host, { port: port ?? known.port, card: known.card || card, how: known.how });
    };
    for (const instance of this.#instances[ssh]) {
      const service = this.#services.get(instance);
      if (service !== undefined) note(service.host, 'announces SSH', service.port, false);
    }
    for (const instance of this.#instances[workstation]) {
      const service = this.#services.get(instance);
      const card = /\[([0-9a-f:]{17})\]/.exec(instance)?.[1] ?? '';
      const isPi = piCards.includes(card.slice(0, 8));
      const how = isPi ? 'has the network card of a Raspberry Pi' : 'announces a workstation';
      if (service !== undefined) note(service.host, how, null, isPi);
    }
    for (const name of usualNames)
      if (this.#addresses.has(`${name}.local`)) note(`${name}.local`, 'answers to a usual name', null, false);
    return [...found]
      .map(([name, { port, card, how }]) => ({
        name,
        address: best(this.#addresses.get(name)) ?? name,
        port,
        looksLikePi: card || /^(raspberry|raspi|rpi|dietpi)/.test(name),
        how: how.join(', '),
      }))
      .sort((a, b) => Number(b.looksLikePi) - Number(a.looksLikePi) || (a.name < b.name ? -1 : 1));
  }
}

const plain = (name: string) => name.toLowerCase().replace(/\.$/, '');

/** IPv4 before IPv6; one that a host gave itself for want of a better (169.254.…) last. */
function best(addresses: ReadonlySet<string> | undefined): string | null {
  const rank = (address: string) => (address.startsWith('169.254.') ? 7 : isIP(address));
  return [...(addresses ?? [])].sort((a, b) => rank(a) - rank(b))[0] ?? null;
}
