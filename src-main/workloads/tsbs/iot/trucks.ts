import type { Dataset } from '../../../databases/driver.ts';
import { GoRandom } from '../random/goRandom.ts';

/** Models of trucks: name, load capacity, fuel capacity, nominal fuel consumption. */
const models = [
  ['F-150', 2000, 200, 15],
  ['G-2000', 5000, 300, 19],
  ['H-2', 1500, 150, 12],
] as const;
/** In the order in which they are drawn by number. */
export const fleets = ['East', 'West', 'North', 'South'] as const;
const drivers = ['Derek', 'Rodney', 'Albert', 'Andy', 'Seth', 'Trish'];
const versions = ['v1.0', 'v1.5', 'v2.0', 'v2.3'];

const tags = [
  ...(['name', 'fleet', 'driver', 'model', 'device_version'] as const).map((name) => ({
    name,
    type: 'string' as const,
  })),
  ...(['load_capacity', 'fuel_capacity', 'nominal_fuel_consumption'] as const).map((name) => ({
    name,
    type: 'float32' as const,
  })),
];
const readings = [
  ...['latitude', 'longitude', 'elevation', 'velocity', 'heading', 'grade', 'fuel_consumption'],
] as const;
const tables = [
  { name: 'readings', fields: readings.map((name) => ({ name, type: 'double' as const })) },
  {
    name: 'diagnostics',
    fields: [
      { name: 'fuel_state', type: 'double' as const },
      { name: 'current_load', type: 'double' as const },
      { name: 'status', type: 'integer' as const },
    ],
  },
];

export const tableCount = tables.length;
/** Most fields of a table, and number of tags: what TSBS draws the field or tag that is missing from. */
export const mostFields = readings.length;
export const tagCount = tags.length;

/** Uniform steps, bounds and decimals of a truck's walks, in the order of their steps. */
interface TruckWalk {
  step: readonly [low: number, high: number];
  low: number;
  high: number;
  /** Factor of the decimals that are kept: a power of ten. */
  decimals: number;
}
const walks: readonly TruckWalk[] = [
  { step: [-0.005, 0.005], low: -90, high: 90, decimals: 1e5 },
  { step: [-0.005, 0.005], low: -180, high: 180, decimals: 1e5 },
  { step: [-10, 10], low: 0, high: 5000, decimals: 1 },
  { step: [-10, 10], low: 0, high: 100, decimals: 1 },
  { step: [-5, 5], low: 0, high: 360, decimals: 1 },
  { step: [-5, 5], low: 0, high: 100, decimals: 1 },
  { step: [-5, 5], low: 0, high: 50, decimals: 10 },
  // fuel, which is full again when it is empty
  { step: [-0.001, 0], low: 0, high: 1, decimals: 10 },
];
const perTruck = walks.length + 1;
const fuel = walks.length - 1;
const status = walks.length;
const highestStatus = 5;
const highestLoad = 5000;
/** A truck's load changes in one step out of twenty. */
const loadStays = 0.95;

/** TSBS's simulated trucks: where each is and how it does, as of the present epoch. */
export class Trucks {
  readonly dataset: Dataset;
  readonly random: GoRandom;
  readonly #walks: Float64Array;
  readonly #tags: Uint8Array;
  readonly #one = new Float64Array(1);
  /** TSBS's trucks share one load: the last that any of them drew. */
  #load = 0;

  constructor(scale: number, seed: number) {
    const random = new GoRandom(seed);
    this.random = random;
    this.#walks = new Float64Array(scale * perTruck);
    this.#tags = new Uint8Array(scale * 4);
    for (let truck = 0; truck < scale; truck++) {
      const [latitude, longitude] = [random.float64() * 90, random.float64() * 180];
      const [elevation, heading] = [random.float64() * 500, random.float64() * 360];
      this.#walks.set([latitude, longitude, elevation, 0, heading, 0, 25, 1, 0], truck * perTruck);
      const model = random.intn(models.length);
      const fleet = random.intn(fleets.length);
      const driver = random.intn(drivers.length);
      this.#tags.set([model, fleet, driver, random.intn(versions.length)], truck * 4);
    }
    this.dataset = { tags, tables, devices: scale, deviceTags: (truck) => this.#tagsOf(truck) };
  }

  /** One step of everything, truck by truck. */
  tick(): void {
    const { random } = this;
    const all = this.#walks;
    for (let at = 0; at < all.length; at += perTruck) {
      for (let i = 0; i < walks.length; i++) {
        const { step, low, high } = walks[i] as TruckWalk;
        const next = (all[at + i] as number) + (random.float64() * (step[1] - step[0]) + step[0]);
        all[at + i] = Math.min(high, Math.max(low, next));
      }
      if (all[at + fuel] === 0) all[at + fuel] = 1;
      if (random.float64() >= loadStays) this.#load = random.float64() * highestLoad;
      random.fillNormal(this.#one, 1);
      const next = (all[at + status] as number) + (this.#one[0] as number);
      all[at + status] = Math.min(highestStatus, Math.max(0, next));
    }
  }

  /** Puts the fields of a truck's row of a table into `values` from `to` on. */
  read(table: number, truck: number, values: Float64Array, to: number): void {
    const all = this.#walks;
    const at = truck * perTruck;
    if (table === 0) {
      for (let i = 0; i < mostFields; i++) values[to + i] = cut(all[at + i] as number, i);
    } else {
      values[to] = cut(all[at + fuel] as number, fuel);
      values[to + 1] = Math.trunc(this.#load);
      values[to + 2] = Math.trunc(all[at + status] as number);
    }
  }

  #tagsOf(truck: number): readonly (string | number)[] {
    const at = (i: number) => this.#tags[truck * 4 + i] ?? 0;
    const [model = '', load = 0, tank = 0, consumption = 0] = models[at(0)] ?? [];
    const [fleet = '', driver = '', version = ''] = [fleets[at(1)], drivers[at(2)], versions[at(3)]];
    return [`truck_${truck}`, fleet, driver, model, version, load, tank, consumption];
  }
}

/** Decimals beyond those that are kept are cut off, not rounded. + 0: there is no −0 in TSBS's text. */
function cut(value: number, walk: number): number {
  const { decimals } = walks[walk] as TruckWalk;
  return Math.trunc(value * decimals) / decimals + 0;
}
