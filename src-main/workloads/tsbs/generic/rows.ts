import type { Dataset, RowSink } from '../../../databases/driver.ts';
import type { RowShare, RowSource } from '../../workload.ts';
import { SimulatedClock } from '../clock.ts';
import { HostTags, hostTagNames } from '../cpuOnly/hostTags.ts';
import { devicesOf } from '../deviceShare.ts';
import { BoundedWalks } from '../random/bounded.ts';
import { GoRandom } from '../random/goRandom.ts';
import type { Simulation } from '../simulation.ts';
import { metricCounts } from './hosts.ts';
import { Presence } from './presence.ts';

const highest = 1000;

/** TSBS's use case `devops-generic`: hosts that come and go, each with metrics of a number of its own. */
export class GenericRows implements RowSource {
  readonly dataset: Dataset;
  readonly totalRows: number;
  /** Of a share of rows that a limit cuts: how many of them are its own, only the end tells. */
  readonly estimated?: true;
  readonly #random: GoRandom;
  readonly #clock: SimulatedClock;
  readonly #presence: Presence;
  readonly #metrics: Int32Array;
  /** Where each host's walks begin; the last entry is their number. */
  readonly #first: Int32Array;
  readonly #walks: BoundedWalks;
  readonly #own: Uint8Array | null;
  readonly #limit: number;
  readonly #values: Float64Array;
  #epoch = 0;
  #host = 0;
  #rows = 0;

  constructor(simulation: Simulation, share?: RowShare) {
    const { scale, seed, maxMetricCount, timestampStart, logInterval } = simulation;
    this.#presence = new Presence(simulation);
    this.#clock = new SimulatedClock(timestampStart, logInterval);
    this.#metrics = metricCounts(scale, maxMetricCount);
    this.#first = new Int32Array(scale + 1);
    for (let host = 0; host < scale; host++)
      this.#first[host + 1] = (this.#first[host] as number) + (this.#metrics[host] as number);
    this.#walks = new BoundedWalks(this.#first[scale] as number, highest);
    this.#values = new Float64Array(maxMetricCount);
    this.#random = new GoRandom(seed);
    const tags = new HostTags(scale);
    for (let host = 0; host < scale; host++) {
      this.#walks.begin(this.#random, this.#first[host] as number, this.#first[host + 1] as number);
      tags.draw(host, this.#random);
    }
    this.dataset = {
      tags: hostTagNames.map((name) => ({ name, type: 'string' as const })),
      tables: [
        {
          name: 'generic_metrics',
          fields: Array.from({ length: maxMetricCount }, (_, i) => ({
            name: `metric_${i}`,
            type: 'integer' as const,
          })),
          shortRows: true,
        },
      ],
      devices: scale,
      deviceTags: (host) => tags.of(host),
    };
    const own = devicesOf(share, scale, (host) => `hostname=host_${host}`);
    this.#own = own && ones(scale, own);
    this.#limit = simulation.limit > 0 ? simulation.limit : Number.POSITIVE_INFINITY;
    this.totalRows = Math.min(
      this.#presence.countRows((host) => this.#isOwn(host)),
      this.#limit,
    );
    if (own !== null && simulation.limit > 0) this.estimated = true;
  }

  fill(sink: RowSink, max: number): number {
    const values = this.#values;
    const walks = this.#walks.values;
    return this.#forEach(max, (host) => {
      const first = this.#first[host] as number;
      const count = this.#metrics[host] as number;
      for (let i = 0; i < count; i++) values[i] = (walks[first + i] as number) | 0;
      values.fill(Number.NaN, count);
      sink.row(0, host, this.#clock.ms, this.#clock.nanos, values);
    });
  }

  skip(rows: number): number {
    return this.#forEach(rows, () => undefined);
  }

  #forEach(max: number, run: (host: number) => void): number {
    const { epochs, scale, points } = this.#presence.schedule;
    let done = 0;
    while (done < max && this.#rows < this.#limit && this.#epoch < epochs) {
      if (this.#host === scale) {
        this.#epoch += 1;
        this.#host = 0;
        this.#walks.tick(this.#random);
        this.#clock.advance();
        continue;
      }
      const host = this.#host++;
      if (this.#epoch * scale + host >= points) break;
      if (!this.#presence.isThere(host, this.#epoch)) continue;
      this.#rows += 1;
      if (!this.#isOwn(host)) continue;
      run(host);
      done += 1;
    }
    return done;
  }

  #isOwn(host: number): boolean {
    return this.#own === null || this.#own[host] === 1;
  }
}

/** Bytes that are 1 at these places and 0 elsewhere. */
function ones(length: number, places: Int32Array): Uint8Array {
  const bytes = new Uint8Array(length);
  for (const place of places) bytes[place] = 1;
  return bytes;
}
