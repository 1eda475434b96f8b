import type { Dataset, RowSink } from '../../../databases/driver.ts';
import type { SimulatedClock } from '../clock.ts';
import type { HostModel } from '../epochRows.ts';
import { BoundedWalks } from '../random/bounded.ts';
import { GoRandom } from '../random/goRandom.ts';
import { HostTags, hostTagNames } from './hostTags.ts';

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
const highest = 100;

/** TSBS's use case `cpu-only`: ten usages a host, each a random walk between 0 and 100; `cpu-single` has the first alone. */
export class CpuModel implements HostModel {
  readonly dataset: Dataset;
  readonly #random: GoRandom;
  readonly #walks: BoundedWalks;
  readonly #values: Float64Array;

  /** @param fields how many of `cpuFields` */
  constructor(scale: number, seed: number, fields: number) {
    this.#random = new GoRandom(seed);
    this.#walks = new BoundedWalks(scale * fields, highest);
    this.#values = new Float64Array(fields);
    const tags = new HostTags(scale);
    for (let host = 0; host < scale; host++) {
      this.#walks.begin(this.#random, host * fields, (host + 1) * fields);
      tags.draw(host, this.#random);
    }
    const names = cpuFields.slice(0, fields);
    this.dataset = {
      tags: hostTagNames.map((name) => ({ name, type: 'string' as const })),
      tables: [{ name: 'cpu', fields: names.map((name) => ({ name, type: 'integer' as const })) }],
      devices: scale,
      deviceTags: (host) => tags.of(host),
    };
  }

  tick(): void {
    this.#walks.tick(this.#random);
  }

  give(
    sink: RowSink,
    table: number,
    own: Int32Array | null,
    from: number,
    to: number,
    { ms, nanos }: SimulatedClock,
  ): void {
    const walks = this.#walks.values;
    const values = this.#values;
    const fields = values.length;
    for (let i = from; i < to; i++) {
      const host = own === null ? i : (own[i] as number);
      const base = host * fields;
      for (let field = 0; field < fields; field++) values[field] = (walks[base + field] as number) | 0;
      sink.row(table, host, ms, nanos, values);
    }
  }
}
