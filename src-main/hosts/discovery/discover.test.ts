import { createSocket } from 'node:dgram';
import fc from 'fast-check';
import multicastDns from 'multicast-dns';
import { afterEach, describe, expect, it } from 'vitest';
import { discover } from './discover.ts';
import { Findings } from './findings.ts';
import { recordsOf } from './records.ts';

const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

/** A port that nobody uses, so that the real mDNS of this machine is left alone. */
async function freePort(): Promise<number> {
  const socket = createSocket('udp4');
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve));
  const { port } = socket.address();
  await new Promise<void>((resolve) => socket.close(() => resolve()));
  return port;
}

const mac = 'raspberrypi [b8:27:eb:12:34:56]._workstation._tcp.local';
type Record = { name: string; type: string; data: unknown };
const said: readonly Record[] = [
  { name: '_workstation._tcp.local', type: 'PTR', data: mac },
  { name: mac, type: 'SRV', data: { target: 'raspberrypi.local', port: 9 } },
  { name: 'raspberrypi.local', type: 'A', data: '192.168.7.20' },
  { name: '_ssh._tcp.local', type: 'PTR', data: 'Attic NAS._ssh._tcp.local' },
  { name: 'Attic NAS._ssh._tcp.local', type: 'SRV', data: { target: 'Attic.local', port: 2222 } },
  { name: 'Attic.local', type: 'AAAA', data: '2001:db8::20' },
  { name: 'Attic.local', type: 'A', data: '192.168.7.9' },
];

/** Answers each question with the one record asked for, as the shyest responders do; `rude` sends garbage before. */
async function responder(port: number, rude: readonly Buffer[] = []) {
  const socket = multicastDns({ interface: '127.0.0.1', bind: '0.0.0.0', port });
  const ready = new Promise<void>((resolve) => socket.on('ready', resolve));
  const raw = createSocket({ type: 'udp4', reuseAddr: true });
  await new Promise<void>((resolve) => raw.bind(0, () => resolve()));
  raw.setMulticastInterface('127.0.0.1');
  socket.on('query', ({ questions = [] }) => {
    for (const bytes of rude) raw.send(bytes, port, '224.0.0.251');
    for (const { name, type } of questions) {
      const answers = said.filter(
        (record) => record.name.toLowerCase() === name.toLowerCase() && record.type === type,
      );
      if (answers.length > 0) socket.respond(answers as Parameters<typeof socket.respond>[0]);
    }
  });
  closing.push(
    () => new Promise<void>((resolve) => socket.destroy(resolve)),
    () => new Promise<void>((resolve) => raw.close(() => resolve())),
  );
  await ready;
}

const expected = [
  {
    name: 'raspberrypi.local',
    address: '192.168.7.20',
    port: 22,
    looksLikePi: true,
    how: 'has the network card of a Raspberry Pi, answers to a usual name',
  },
  { name: 'attic.local', address: '192.168.7.9', port: 2222, looksLikePi: false, how: 'announces SSH' },
];

describe('discovery', () => {
  it('finds hosts over real sockets, asking on for what a responder keeps back', async () => {
    const port = await freePort();
    await responder(port);
    const found = await discover(new AbortController().signal, { from: ['127.0.0.1'], port, roundMs: 300 });
    expect(found).toEqual(expected);
  });

  it('finds them among garbage and lies', async () => {
    const port = await freePort();
    const header = Buffer.from('000084000000ffff0000ffff', 'hex');
    const loop = Buffer.concat([
      Buffer.from('000084000000000100000000', 'hex'),
      Buffer.from('c00cc00c', 'hex'),
    ]);
    await responder(port, [header, loop, Buffer.alloc(0), Buffer.alloc(9000, 0xff), Buffer.from('hello')]);
    const found = await discover(new AbortController().signal, { from: ['127.0.0.1'], port, roundMs: 300 });
    expect(found).toEqual(expected);
  });

  it('finds nothing where nobody answers, and where there is no network', async () => {
    const port = await freePort();
    const options = { port, roundMs: 10 };
    expect(await discover(new AbortController().signal, { ...options, from: ['127.0.0.1'] })).toEqual([]);
    expect(await discover(new AbortController().signal, { ...options, from: [] })).toEqual([]);
    // No network card has this address.
    expect(await discover(new AbortController().signal, { ...options, from: ['192.0.2.1'] })).toEqual([]);
  });

  it('ends when it is cancelled', async () => {
    const stop = new AbortController();
    const port = await freePort();
    const running = discover(stop.signal, { from: ['127.0.0.1'], port, roundMs: 3_600_000 });
    stop.abort();
    await expect(running).rejects.toMatchObject({ code: 'cancelled' });
    await expect(discover(stop.signal, { from: [] })).rejects.toMatchObject({ code: 'cancelled' });
  });
});

describe('what others send', () => {
  const found = (records: readonly unknown[]) => {
    const findings = new Findings();
    findings.add(recordsOf({ answers: records }));
    return findings.hosts();
  };
  const announced = (target: string, address: unknown, type = 'A') =>
    found([
      { name: '_ssh._tcp.local', type: 'PTR', data: 'x._ssh._tcp.local' },
      { name: 'x._ssh._tcp.local', type: 'SRV', data: { target, port: 22 } },
      { name: target, type, data: address },
    ]);

  it('lists no address that is nobody else’s, and no name that hides something', () => {
    for (const address of ['127.0.0.1', '0.0.0.0', '224.0.0.251', '255.255.255.255', 'evil.example', 7, null])
      expect(announced('x.local', address)[0]?.address).toBe('x.local');
    expect(announced('x.local', 'fe80::1', 'AAAA')[0]?.address).toBe('x.local');
    expect(announced('x.local', '2001:db8::1', 'AAAA')[0]?.address).toBe('2001:db8::1');
    for (const target of ['pi.example.org', 'a\u202Eb.local', 'a\nb.local', 'a\0.local', ''])
      expect(announced(target, '192.168.1.1')).toEqual([]);
  });

  it('prefers IPv4, and a real address to a makeshift one', () => {
    const addresses = ['2001:db8::1', '169.254.3.4', '192.168.1.7'];
    const records = addresses.map((data) => ({
      name: 'ubuntu.local',
      type: data.includes(':') ? 'AAAA' : 'A',
      data,
    }));
    expect(found(records)).toEqual([
      {
        name: 'ubuntu.local',
        address: '192.168.1.7',
        port: 22,
        looksLikePi: false,
        how: 'answers to a usual name',
      },
    ]);
  });

  it('never throws, and never lists more than it could hold', () => {
    const name = fc.oneof(
      fc.constantFrom(...said.map((record) => record.name), 'ubuntu.local', 'A.local.', ''),
      fc.string({ unit: 'binary' }).map((text) => `${text}.local`),
    );
    const data = fc.oneof(
      fc.anything(),
      name,
      fc.ipV4(),
      fc.ipV6(),
      fc.record({ target: name, port: fc.anything() }),
      fc.record({ target: name, port: fc.integer({ min: -1, max: 70_000 }) }),
    );
    const record = fc.record({
      name: fc.oneof(name, fc.anything()),
      type: fc.constantFrom('PTR', 'SRV', 'A', 'AAAA', 'TXT', 7),
      data,
    });
    const packet = fc.oneof(
      fc.anything(),
      fc.record({
        answers: fc.oneof(fc.array(fc.oneof(record, fc.anything()), { maxLength: 30 }), fc.anything()),
        additionals: fc.array(record),
      }),
    );
    fc.assert(
      fc.property(fc.array(packet), (packets) => {
        const findings = new Findings();
        for (const one of packets) findings.add(recordsOf(one));
        for (const host of findings.hosts()) {
          expect(host.name).toMatch(/^[^\p{C}]+\.local$/u);
          expect(host.port).toBeGreaterThan(0);
          expect(host.port).toBeLessThan(65_536);
        }
        expect(findings.open().length).toBeLessThan(1000);
      }),
      { numRuns: 300 },
    );
  });

  it('holds out against a flood', () => {
    const findings = new Findings();
    for (let i = 0; i < 2000; i++) {
      findings.add(
        recordsOf({
          answers: [
            { name: '_ssh._tcp.local', type: 'PTR', data: `h${i}._ssh._tcp.local` },
            { name: `h${i}._ssh._tcp.local`, type: 'SRV', data: { target: `h${i}.local`, port: 22 } },
            { name: `h${i}.local`, type: 'A', data: '10.0.0.1' },
          ],
        }),
      );
    }
    expect(findings.hosts()).toHaveLength(300);
  });
});
