import process from 'node:process';
import type { Job } from '../../../src-main/load/job.ts';
import { runJob } from '../../../src-main/load/runJob.ts';
import { findWorkload } from '../../../src-main/workloads/registry.ts';
import { openTransactions } from '../../../src-main/workloads/sources.ts';
import type { Case } from './cases.ts';
import { type Place, phaseOf, withClient } from './place.ts';
import type { Measured } from './theirs.ts';

/** As in the run's verdict: busy to this share in at least half of the time. */
const busy = 0.9;
/** Not counted: JavaScript is compiled while it runs. */
const warmupSeconds = 2;

export interface OwnMeasured extends Measured {
  /** Event-loop utilisation of the busiest thread, mean. */
  busiest: number;
  clientBound: boolean;
}

const { signal } = new AbortController();

/** One run of Benchberry. @param rate transactions a second; 0: closed loop */
export async function runOurs(
  place: Place,
  { tool, clients, step, rate: scheduled }: Case,
  tables: Record<string, unknown>,
  seconds: number,
  rate: number,
): Promise<OwnMeasured> {
  // What a schedule beyond what it can leaves undone in the warm-up is still to be done after it: there is none then.
  const overloaded = (scheduled?.share ?? 0) > 1;
  const warmup = overloaded ? 0 : warmupSeconds;
  const own =
    tool === 'pgbench'
      ? { clients, seconds, rate, warmup, noVacuum: true }
      : { threads: clients, time: seconds, rate, warmupTime: warmup };
  const phase = phaseOf(`${tool}.run`, { ...tables, ...own, ...step });
  if (phase.kind !== 'transactions') throw new Error('a step without transactions');
  const workload = findWorkload(phase.transactions.workload);
  const source = await withClient(
    place,
    async (client) =>
      (await workload.prepareTransactions?.(phase.transactions, client))?.source ?? phase.transactions,
  );
  const { scripts } = openTransactions(findWorkload, source);
  const work: Job['work'] = {
    ...phase,
    transactions: source,
    scripts: [...scripts],
    statements: 0,
    workers: clients,
  };
  let cpu = process.cpuUsage();
  const ticks: { ms: number; busiest: number }[] = [];
  const result = await runJob(
    { endpoint: place.endpoint, work },
    {
      signal,
      onStart: () => {
        cpu = process.cpuUsage();
      },
      onSnapshot: ({ intervalMs, client }) => ticks.push({ ms: intervalMs, busiest: client.busiest }),
    },
  );
  const used = process.cpuUsage(cpu);
  if (result.error) throw result.error;
  const [all] = result.operations;
  const latency = all?.latency.summarize();
  if (all === undefined || !latency) throw new Error('no transaction was done');
  if (all.errors > 0 || result.failures.length > 0)
    throw new Error(`${all.errors} transactions failed: ${result.failures.join('; ')}`);
  const ms = ticks.reduce((sum, tick) => sum + tick.ms, 0);
  const bound = ticks.reduce((sum, tick) => sum + (tick.busiest >= busy ? tick.ms : 0), 0);
  return {
    tps: all.count / all.seconds,
    meanMs: latency.mean / 1000,
    p95Ms: latency.p95 / 1000,
    cpuUs: (used.user + used.system) / all.count,
    busiest: ticks.reduce((sum, tick) => sum + tick.busiest * tick.ms, 0) / ms,
    clientBound: bound >= ms / 2,
  };
}
