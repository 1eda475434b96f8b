import process from 'node:process';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isMet } from '../bench/bench.ts';
import { oltpSuite } from '../bench/oltp/oltp.ts';
import { ensureRootFs } from './rootFs.ts';
import { bootPi, type VirtualPi } from './virtualPi.ts';

/** For figures: `BENCHBERRY_OLTP="10 5"`, seconds of a run and pairs, of all cases. Else a short look at three of them. */
const [seconds, pairs] = (process.env.BENCHBERRY_OLTP ?? '').split(' ').map(Number);
const short = ['pgbench tpcb-like, 10', 'sysbench read_write, 8', 'pgbench select-only -R'];

let pi: VirtualPi;
beforeAll(async () => {
  pi = await bootPi(141, await ensureRootFs((line) => process.stderr.write(`${line}\n`)));
});
afterAll(async () => {
  await pi?.close();
});

describe('transactions on a virtual Pi', () => {
  it(
    'are run by Benchberry and by the real tools on the same tables, over the network',
    async () => {
      for (const only of seconds ? [null] : short) {
        const lines: string[] = [];
        const result = await oltpSuite.run((line) => lines.push(line), {
          seconds: seconds || 2,
          pairs: pairs || 1,
          only,
          url: pi.postgresUrl,
          serverProcess: await pi.init(),
        });
        process.stderr.write(`${lines.join('\n')}\n`);
        const missed = result.goals.filter((goal) => !isMet(goal)).map(({ name }) => name);
        process.stderr.write(`${result.goals.length - missed.length} of ${result.goals.length} goals met\n`);
        // How close the figures are is told above; a short look at a busy machine decides nothing.
        expect(result.goals.length).toBeGreaterThan(0);
        expect(result.goals.every(({ value }) => Number.isFinite(value))).toBe(true);
      }
    },
    4 * 3600_000,
  );
});
