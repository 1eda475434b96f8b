import { textTable } from '../../../src-main/reports/table.ts';
import { setApart } from '../apart.ts';
import { type BenchResult, median, type Suite, type SuiteOptions } from '../bench.ts';
import { type Case, cases, pacedCases } from './cases.ts';
import { type OwnMeasured, runOurs } from './ours.ts';
import { makeTables, openPlace, type Place, serverProcess, withClient } from './place.ts';
import { type Measured, runTheirs } from './theirs.ts';

/**
 * The same transactions by Benchberry and by the real tools, on one server and the same tables, in turn. Who goes first
 * changes from pair to pair; figures are medians over the pairs.
 */
export const oltpSuite: Suite = {
  name: 'oltp',
  about: 'transactions against pgbench and sysbench: TPS, latency, CPU of the client',
  run: benchOltp,
};

const scale = 10;
const sbtest = { tables: 4, tableSize: 50_000 };
const sbtestFlags = [`--tables=${sbtest.tables}`, `--table-size=${sbtest.tableSize}`];

/** Of one case, medians. */
interface Compared {
  name: string;
  limitPercent: number;
  /** Transactions a second; 0: closed loop. */
  rate: number;
  /** More than the tool can. */
  overloaded: boolean;
  theirs: Measured;
  ours: OwnMeasured;
  /** Medians of the pairs' own ratios, Benchberry's ÷ the tool's. */
  ratios: { tps: number; mean: number; p95: number };
}

/** @throws Error where a tool is missing or a run does not end well */
async function benchOltp(log: (line: string) => void, options: SuiteOptions): Promise<BenchResult> {
  const place = await openPlace(options.url);
  try {
    log(`making pgbench's tables at scale ${scale} and sysbench's, by Benchberry`);
    await makeTables(place, 'pgbench.init', { scale });
    await makeTables(place, 'sysbench.prepare', sbtest);
    const server = options.serverProcess ?? (options.url === null ? await serverProcess(place) : null);
    log(
      server === null ? 'the server is where it is, the loaders have this machine' : await setApart(server),
    );
    const wanted = (of: Case) => options.only === null || of.name.includes(options.only);
    const compared: Compared[] = [];
    for (const of of [...cases, ...pacedCases].filter(wanted)) {
      const rate = of.rate ? (rateFor(of, compared) ?? (await capacity(place, of, options))) : 0;
      compared.push(await compare(place, of, rate, options, log));
    }
    for (const line of table(compared)) log(line);
    return result(compared);
  } finally {
    await place.close();
  }
}

function rateFor({ rate }: Case, compared: readonly Compared[]): number | null {
  const closed = compared.find(({ name }) => name === rate?.of);
  return closed && rate ? closed.theirs.tps * rate.share : null;
}

/** What the tool does by a closed loop, where that was not among the cases. */
async function capacity(place: Place, { rate, ...of }: Case, options: SuiteOptions): Promise<number> {
  const { tps } = await runTheirs(place, of, sbtestFlags, options.seconds, 0);
  return tps * (rate?.share ?? 1);
}

async function compare(
  place: Place,
  of: Case,
  rate: number,
  { pairs, seconds }: SuiteOptions,
  log: (line: string) => void,
): Promise<Compared> {
  const tables = of.tool === 'sysbench' ? sbtest : {};
  const ours: OwnMeasured[] = [];
  const theirs: Measured[] = [];
  for (let pair = 0; pair < pairs; pair += 1) {
    const steps = [
      async () => void ours.push(await runOurs(place, of, tables, seconds, rate)),
      async () => void theirs.push(await runTheirs(place, of, sbtestFlags, seconds, rate)),
    ];
    for (const step of pair % 2 === 0 ? steps : steps.reverse()) {
      await settle(place, of);
      await step();
    }
    const [own, other] = [ours[pair], theirs[pair]];
    log(
      `${of.name}, pair ${pair + 1} of ${pairs}: ${own?.tps.toFixed(0)} TPS, ${of.tool} ${other?.tps.toFixed(0)}`,
    );
  }
  const both = (key: 'tps' | 'meanMs' | 'p95Ms') =>
    median(ours.map((own, i) => own[key] / (theirs[i]?.[key] ?? Number.NaN)));
  const middle = (measured: readonly Measured[], key: keyof Measured) =>
    median(measured.map((one) => one[key]));
  const medians = (measured: readonly Measured[]): Measured => ({
    tps: middle(measured, 'tps'),
    meanMs: middle(measured, 'meanMs'),
    p95Ms: middle(measured, 'p95Ms'),
    cpuUs: middle(measured, 'cpuUs'),
  });
  return {
    name: of.name,
    limitPercent: of.limitPercent,
    rate,
    overloaded: (of.rate?.share ?? 0) > 1,
    theirs: medians(theirs),
    ours: {
      ...medians(ours),
      busiest: median(ours.map(({ busiest }) => busiest)),
      clientBound: ours.filter(({ clientBound }) => clientBound).length * 2 > ours.length,
    },
    ratios: { tps: both('tps'), mean: both('meanMs'), p95: both('p95Ms') },
  };
}

/** Each run begins alike: no dead rows of the hot tables, an empty history, nothing left to write. */
async function settle(place: Place, { tool }: Case): Promise<void> {
  const statements =
    tool === 'pgbench'
      ? ['VACUUM pgbench_branches', 'VACUUM pgbench_tellers', 'TRUNCATE pgbench_history']
      : Array.from({ length: sbtest.tables }, (_, i) => `VACUUM sbtest${i + 1}`);
  await withClient(place, async (client) => {
    for (const statement of [...statements, 'CHECKPOINT']) {
      const { error } = await client.query(statement);
      if (error) throw client.toError(error, statement);
    }
  });
}

const percentOff = (ratio: number) => (ratio - 1) * 100;
const signed = (percent: number) => `${percent >= 0 ? '+' : '−'}${Math.abs(percent).toFixed(1)} %`;

function table(compared: readonly Compared[]): string[] {
  const head = [
    'case',
    'TPS: tool',
    'Benchberry',
    'Δ',
    'mean, ms',
    'Δ',
    'p95, ms',
    'Δ',
    'CPU µs: tool',
    'Benchberry',
    'thread busy',
  ];
  const rows = compared.map(({ name, theirs, ours, ratios }) => [
    name,
    theirs.tps.toFixed(0),
    ours.tps.toFixed(0),
    signed(percentOff(ratios.tps)),
    `${theirs.meanMs.toFixed(3)} / ${ours.meanMs.toFixed(3)}`,
    signed(percentOff(ratios.mean)),
    `${theirs.p95Ms.toFixed(3)} / ${ours.p95Ms.toFixed(3)}`,
    signed(percentOff(ratios.p95)),
    theirs.cpuUs.toFixed(1),
    ours.cpuUs.toFixed(1),
    `${(ours.busiest * 100).toFixed(0)} %${ours.clientBound ? ', client-bound' : ''}`,
  ]);
  return textTable([head, ...rows], 'lrrrrrrrrrr');
}

function result(compared: readonly Compared[]): BenchResult {
  const goals: BenchResult['goals'] = [];
  const facts: BenchResult['facts'] = [];
  for (const { name, limitPercent, rate, overloaded, theirs, ours, ratios } of compared) {
    const goal = (what: string, ratio: number, limit: number) =>
      goals.push({
        name: `${name}: ${what}`,
        value: Math.abs(percentOff(ratio)),
        unit: '% off',
        must: 'at-most',
        limit,
      });
    if (rate > 0 && !overloaded) goal('rate held', ours.tps / rate, limitPercent);
    else goal('TPS', ratios.tps, limitPercent);
    // Where the schedule cannot be kept, latency is the backlog: the difference of two large numbers.
    if (!overloaded) {
      goal('latency average', ratios.mean, 5);
      goal('latency p95', ratios.p95, 5);
    } else facts.push({ name: `${name}: latency average, Benchberry ÷ tool`, value: ratios.mean, unit: '' });
    facts.push(
      { name: `${name}: client CPU, Benchberry`, value: ours.cpuUs, unit: 'µs a transaction' },
      { name: `${name}: client CPU, tool`, value: theirs.cpuUs, unit: 'µs a transaction' },
    );
  }
  const closed = compared.filter(({ rate }) => rate === 0);
  const quickest = closed.reduce<Compared | null>(
    (best, one) => (best === null || one.ours.tps > best.ours.tps ? one : best),
    null,
  );
  if (quickest !== null) {
    facts.push({
      name: `a thread is client-bound from about (${quickest.name})`,
      value: (quickest.ours.tps / quickest.ours.busiest) * 0.9,
      unit: 'TPS',
    });
  }
  return { goals, facts, details: compared };
}
