import type { Dataset, RowSink } from '../../../databases/driver.ts';
import type { SimulatedClock } from '../clock.ts';
import type { HostModel } from '../epochRows.ts';
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
  readonly #walks: Float64Array;
  readonly #steps: Float64Array;
  readonly #values: Float64Array;

  /** @param fields how many of `cpuFields` */
  constructor(scale: number, seed: number, fields: number) {
    this.#random = new GoRandom(seed);
    this.#walks = new Float64Array(scale * fields);
    this.#steps = new Float64Array(Math.min(scale * fields, 4096));
    this.#values = new Float64Array(fields);
    const tags = new HostTags(scale);
    for (let host = 0; host < scale; host++) {
      for (let field = 0; field < fields; field++)
        this.#walks[host * fields + field] = this.#random.float64() * highest;
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

  give(
    sink: RowSink,
    table: number,
    own: Int32Array | null,
    from: number,
    to: number,
    { ms, nanos }: SimulatedClock,
  ): void {
    const walks = this.#walks;
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
