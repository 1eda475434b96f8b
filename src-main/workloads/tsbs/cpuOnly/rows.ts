import type { Dataset, RowSink } from '../../../databases/driver.ts';
import type { RowShare, RowSource } from '../../workload.ts';
import { SimulatedClock } from '../clock.ts';
import { devicesOf, firstAtLeast } from '../deviceShare.ts';
import { GoRandom } from '../random/goRandom.ts';
import { Schedule, type Simulation } from '../simulation.ts';
import { HostTags, hostName, hostTagNames } from './hostTags.ts';

export const cpuFields = [
  'usage_user',
  'usage_system',
  'usage_idle',
  'usage_nice',
  'usage_iowait',
  'usage_irq',
  'usage_softirq',
  'usage_steal',
  'usage_guest',
  'usage_guest_nice',
] as const;
const fields = cpuFields.length;
const highest = 100;

/**
 * TSBS's use case `cpu-only`: ten usages a host, each a random walk between 0 and 100. The whole simulation is stepped
 * through whatever the share is, because all hosts draw from one random stream.
 */
export class CpuOnlyRows implements RowSource {
  readonly dataset: Dataset;
  readonly totalRows: number;
  readonly #random: GoRandom;
  readonly #walks: Float64Array;
  readonly #steps: Float64Array;
  readonly #clock: SimulatedClock;
  readonly #schedule: Schedule;
  /** Hosts of this share in ascending order; null: all of them. */
  readonly #own: Int32Array | null;
  readonly #values = new Float64Array(fields);
  #epoch = 0;
  /** Rows that all shares together write before this epoch. */
  #before = 0;
  /** Rows of the epoch: of this share's hosts, those with numbers below it are given. */
  #rows: number;
  #position = 0;

  constructor(simulation: Simulation, share?: RowShare) {
    const { scale, seed, timestampStart, logInterval } = simulation;
    this.#random = new GoRandom(seed);
    this.#walks = new Float64Array(scale * fields);
    this.#steps = new Float64Array(Math.min(scale * fields, 4096));
    this.#clock = new SimulatedClock(timestampStart, logInterval);
    this.#schedule = new Schedule(simulation);
    const tags = new HostTags(scale);
    for (let host = 0; host < scale; host++) {
      for (let field = 0; field < fields; field++)
        this.#walks[host * fields + field] = this.#random.float64() * highest;
      tags.draw(host, this.#random);
    }
    this.dataset = cpuOnlyDataset(scale, (host) => tags.of(host));
    this.#own = devicesOf(share, scale, (host) => `hostname=${hostName(host)}`);
    this.totalRows = this.#schedule.countRows((n) => this.#owned(n));
    this.#rows = this.#owned(this.#schedule.rowsIn(0, 0));
  }

  fill(sink: RowSink, max: number): number {
    const walks = this.#walks;
    const values = this.#values;
    const own = this.#own;
    return this.#forEach(max, (from, to) => {
      const { ms, nanos } = this.#clock;
      for (let i = from; i < to; i++) {
        const host = own === null ? i : (own[i] as number);
        const base = host * fields;
        for (let field = 0; field < fields; field++) values[field] = (walks[base + field] as number) | 0;
        sink.row(0, host, ms, nanos, values);
      }
    });
  }

  skip(rows: number): number {
    return this.#forEach(rows, () => undefined);
  }

  /** Goes on by up to `max` rows, a run of hosts within one epoch at a time. */
  #forEach(max: number, run: (from: number, to: number) => void): number {
    let done = 0;
    while (done < max) {
      if (this.#position === this.#rows) {
        if (!this.#nextEpoch()) break;
        continue;
      }
      const from = this.#position;
      this.#position = Math.min(this.#rows, from + max - done);
      run(from, this.#position);
      done += this.#position - from;
    }
    return done;
  }

  #nextEpoch(): boolean {
    const before = this.#before + this.#schedule.rowsIn(this.#epoch, this.#before);
    if (this.#schedule.endsAt(this.#epoch + 1, before)) return false;
    this.#tick();
    this.#clock.advance();
    this.#epoch += 1;
    this.#before = before;
    this.#rows = this.#owned(this.#schedule.rowsIn(this.#epoch, before));
    this.#position = 0;
    return true;
  }

  /** One step of every walk, host by host. */
  #tick(): void {
    const walks = this.#walks;
    const steps = this.#steps;
    for (let start = 0; start < walks.length; start += steps.length) {
      const count = Math.min(steps.length, walks.length - start);
      this.#random.fillNormal(steps, count);
      for (let i = 0; i < count; i++) {
        const next = (walks[start + i] as number) + (steps[i] as number);
        walks[start + i] = Math.min(highest, Math.max(0, next));
      }
    }
  }

  /** How many of the hosts 0 … n − 1 are this share's. */
  #owned(n: number): number {
    return this.#own === null ? n : firstAtLeast(this.#own, n);
  }
}

function cpuOnlyDataset(devices: number, deviceTags: Dataset['deviceTags']): Dataset {
  return {
    tags: hostTagNames.map((name) => ({ name, type: 'string' as const })),
    tables: [{ name: 'cpu', fields: cpuFields.map((name) => ({ name, type: 'integer' as const })) }],
    devices,
    deviceTags,
  };
}
