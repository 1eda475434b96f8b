import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { run, transactions } from './testing/jobs.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'benchberry-log-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const linesOf = (name: string) => readFileSync(path.join(folder, name), 'utf8').split('\n').slice(0, -1);
const logFile = () => path.join(folder, 'log.1');

describe('a log of transactions', () => {
  it('has what each thread’s clients did, in a file of its own, and the rest at the end', async () => {
    const { first } = await run(transactions({}, { logFile: logFile() }), 4);
    expect(first.count).toBe(100);
    expect(readdirSync(folder).sort()).toEqual(['log.1', 'log.1.1']);
    for (const [thread, name] of ['log.1', 'log.1.1'].entries()) {
      const lines = linesOf(name);
      expect(lines.pop()).toBe(`end of ${thread}`);
      const clients = lines.map((line) => /^(\d) (\d) 0 false$/.exec(line)?.slice(1).join());
      expect(clients.sort()).toEqual([
        ...Array.from({ length: 25 }, () => `${thread},${thread}`),
        ...Array.from({ length: 25 }, () => `${thread},${thread + 2}`),
      ]);
    }
  });

  it('has no warm-up, and skipped turns', async () => {
    const work = transactions(
      {},
      { ...{ seconds: 0.6, warmupSeconds: 0.6, transactionsPerClient: null, logFile: logFile() } },
    );
    const skipping = { ...work, ratePerSecond: 300, latencyLimitMs: 5 };
    const { first, result } = await run(skipping, 4, { delayMs: 30 });
    const lines = ['log.1', 'log.1.1'].flatMap((name) => linesOf(name).slice(0, -1));
    expect(result.transactions?.tally.skipped).toBeGreaterThan(0);
    expect(lines.filter((line) => line.endsWith('true'))).toHaveLength(
      result.transactions?.tally.skipped ?? 0,
    );
    expect(lines.filter((line) => line.endsWith('false'))).toHaveLength(first.count);
  });

  it.each([
    ['is stopped', { delayMs: 200 }],
    ['fails', { delayMs: 20, failAt: 2 }],
  ])('is whole when the run %s', async (_how, connection) => {
    const controller = new AbortController();
    const work = transactions({}, { transactionsPerClient: 500, onError: 'end-run', logFile: logFile() });
    const { first, result } = await run(work, 4, connection, {
      signal: controller.signal,
      onSnapshot: () => controller.abort(),
    });
    expect(result.error).not.toBeNull();
    const lines = ['log.1', 'log.1.1'].flatMap(linesOf);
    expect(lines.filter((line) => line.startsWith('end of'))).toHaveLength(2);
    expect(lines).toHaveLength(first.count + 2);
  });

  it.skipIf(!existsSync('/dev/full'))(
    'ends with an event where the disk is full; the run goes on',
    async () => {
      const { first, result, events } = await run(
        transactions({}, { threads: 1, logFile: '/dev/full' }),
        4,
        {},
        {
          threads: 1,
        },
      );
      expect(result.error).toBeNull();
      expect(first.count).toBe(100);
      expect(events).toEqual([
        expect.stringMatching(/^The log of transactions ends here, the run goes on: .*ENOSPC/),
      ]);
    },
  );

  it('that cannot be opened is told, too', async () => {
    const file = path.join(folder, 'missing', 'log');
    const { first, events } = await run(transactions({}, { logFile: file }), 4);
    expect(first.count).toBe(100);
    expect(events).toEqual(Array.from({ length: 2 }, () => expect.stringMatching(/ENOENT/)));
  });
});
