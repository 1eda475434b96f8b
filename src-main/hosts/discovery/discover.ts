import { networkInterfaces } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import multicastDns from 'multicast-dns';
import { cancelled } from '../../../src-shared/errors.ts';
import { type Discovered, Findings, firstQuestions, type Question } from './findings.ts';
import { recordsOf } from './records.ts';

export interface DiscoverOptions {
  /** IPv4 addresses of this machine to ask from; every network it is in by default. */
  from?: readonly string[];
  port?: number;
  /** Length of each of the three rounds: mDNS goes over UDP, so questions are repeated. */
  roundMs?: number;
}

/**
 * Browses the networks this machine is in by mDNS: who announces SSH or a workstation, who answers to the usual names.
 * Takes three seconds. Nothing found, no network and a port that is taken all give an empty list.
 * @throws AppError `cancelled`
 */
export async function discover(signal: AbortSignal, options: DiscoverOptions = {}): Promise<Discovered[]> {
  const { from = ownAddresses(), port = 5353, roundMs = 1000 } = options;
  if (signal.aborted) throw cancelled();
  const findings = new Findings();
  const sockets = from.map((address) => {
    // Bound to all addresses, or Linux would not hand it what is sent to the group.
    const socket = multicastDns({ interface: address, bind: '0.0.0.0', port });
    const ask = (questions: readonly Question[]) => {
      if (questions.length > 0) socket.query([...questions]);
    };
    socket.on('response', (packet) => {
      const before = new Set(findings.open().map(({ name, type }) => `${type} ${name}`));
      findings.add(recordsOf(packet));
      ask(findings.open().filter(({ name, type }) => !before.has(`${type} ${name}`)));
    });
    // A network that cannot be asked (gone meanwhile, port taken) is one on which nothing is found.
    socket.on('error', () => undefined);
    socket.on('warning', () => undefined);
    return { ask, close: () => new Promise<void>((resolve) => socket.destroy(resolve)) };
  });
  try {
    for (let round = 0; round < 3 && sockets.length > 0; round++) {
      for (const { ask } of sockets) ask([...firstQuestions, ...findings.open()].slice(0, 40));
      await pause(roundMs, undefined, { signal });
    }
    return findings.hosts();
  } catch (error) {
    throw signal.aborted ? cancelled() : error;
  } finally {
    await Promise.all(sockets.map(({ close }) => close()));
  }
}

/** One address of each network card but the loopback. */
function ownAddresses(): string[] {
  return Object.values(networkInterfaces()).flatMap((addresses = []) => {
    const address = addresses.find(({ family, internal }) => family === 'IPv4' && !internal);
    return address === undefined ? [] : [address.address];
  });
}
