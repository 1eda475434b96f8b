import type { LoggedTransaction, TransactionLog } from '../../transactions.ts';
import type { Xoroshiro } from '../random/xoroshiro.ts';
import type { RunOptions } from './options.ts';

type Options = Pick<
  RunOptions,
  'samplingRate' | 'aggregateInterval' | 'rate' | 'latencyLimit' | 'maxTries' | 'failuresDetailed'
>;

const usPerSecond = 1_000_000;

/**
 * pgbench's `-l`, of one thread.
 * @param sample the thread's generator for `--sampling-rate`
 * @param startUs begin of the measured time, Unix microseconds
 */
export function openPgbenchLog(options: Options, sample: Xoroshiro, startUs: number): TransactionLog {
  return options.aggregateInterval > 0 ? aggregated(options, startUs) : lineByLine(options, sample);
}

/** `client_id transaction_no time script_no time_epoch time_us [schedule_lag] [retries]` */
function lineByLine(options: Options, sample: Xoroshiro): TransactionLog {
  const { samplingRate, rate, maxTries, failuresDetailed } = options;
  /** Transactions of each client, those left out by sampling too. */
  const counts: number[] = [];
  return {
    ended(told) {
      const { client, endedUs } = told;
      const number = (counts[client] ?? 0) + 1;
      counts[client] = number;
      if (samplingRate < 1 && sample.double() > samplingRate) return '';
      const time =
        told.skipped || told.failure !== null ? word(told, failuresDetailed) : Math.round(told.latencyUs);
      const seconds = Math.floor(endedUs / usPerSecond);
      const lag = rate > 0 ? ` ${Math.round(told.lagUs)}` : '';
      const retries = maxTries === 1 ? '' : ` ${told.retries}`;
      return `${client} ${number} ${time} ${told.script} ${seconds} ${endedUs % usPerSecond}${lag}${retries}\n`;
    },
    rest: () => '',
  };
}

function word({ skipped, failure }: LoggedTransaction, detailed: boolean): string {
  if (skipped) return 'skipped';
  if (!detailed) return 'failed';
  if (failure === '40001') return 'serialization';
  return failure === '40P01' ? 'deadlock' : 'other';
}

/** Count, sum, sum of squares, least and most, microseconds. */
class Spread {
  #count = 0;
  #sum = 0;
  #squares = 0;
  #min = 0;
  #max = 0;

  add(us: number): void {
    this.#min = this.#count === 0 ? us : Math.min(this.#min, us);
    this.#max = this.#count === 0 ? us : Math.max(this.#max, us);
    this.#count += 1;
    this.#sum += us;
    this.#squares += us * us;
  }
  get count(): number {
    return this.#count;
  }
  toString(): string {
    return [this.#sum, this.#squares, this.#min, this.#max].map((n) => n.toFixed(0)).join(' ');
  }
}

/** Of one interval. */
class Interval {
  readonly latency = new Spread();
  readonly lag = new Spread();
  skipped = 0;
  retried = 0;
  retries = 0;
  serialization = 0;
  deadlock = 0;
}

/**
 * A line of fifteen numbers for each interval of whole Unix seconds, empty ones too; as in pgbench the last one, which the
 * end cuts short, has none. Lag, skipped, retries and failures stay 0 where the options that they belong to are not set.
 */
function aggregated(options: Options, startUs: number): TransactionLog {
  const { aggregateInterval, rate, latencyLimit, maxTries, failuresDetailed } = options;
  const lengthUs = aggregateInterval * usPerSecond;
  let fromUs = Math.floor(startUs / usPerSecond) * usPerSecond;
  let interval = new Interval();

  function line({ latency, lag, skipped, retried, retries, serialization, deadlock }: Interval): string {
    const counts = [
      latencyLimit > 0 ? skipped : 0,
      ...(maxTries === 1 ? [0, 0] : [retried, retries]),
      ...(failuresDetailed ? [serialization, deadlock] : [0, 0]),
    ];
    return `${fromUs / usPerSecond} ${latency.count} ${latency} ${lag} ${counts.join(' ')}\n`;
  }
  function closedBefore(nowUs: number): string {
    let text = '';
    while (fromUs + lengthUs <= nowUs) {
      text += line(interval);
      interval = new Interval();
      fromUs += lengthUs;
    }
    return text;
  }
  return {
    ended({ skipped, failure, retries, latencyUs, lagUs, endedUs }) {
      const text = closedBefore(endedUs);
      if (skipped) {
        interval.skipped += 1;
        return text;
      }
      if (retries > 0) {
        interval.retried += 1;
        interval.retries += retries;
      }
      if (failure === '40001') interval.serialization += 1;
      else if (failure === '40P01') interval.deadlock += 1;
      else if (failure === null) {
        interval.latency.add(latencyUs);
        if (rate > 0) interval.lag.add(lagUs);
      }
      return text;
    },
    rest: closedBefore,
  };
}
