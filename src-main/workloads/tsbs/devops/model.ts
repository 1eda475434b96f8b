import type { Dataset, RowSink } from '../../../databases/driver.ts';
import type { SimulatedClock } from '../clock.ts';
import { HostTags, hostTagNames } from '../cpuOnly/hostTags.ts';
import type { HostModel } from '../epochRows.ts';
import { GoRandom } from '../random/goRandom.ts';
import { diskBytes, type Measurement, measurements } from './measurements.ts';
import { Walks } from './walks.ts';

const gib = 2 ** 30;
const bytesPerInode = 4096;
const nanosPerSecond = 1_000_000_000n;

const index = (name: string) => measurements.findIndex((each) => each.name === name);
const firstWalk = (table: number) =>
  measurements.slice(0, table).reduce((sum, { walks }) => sum + walks.length, 0);
const mem = index('mem');
const memWalks = { first: firstWalk(mem), count: measurements[mem]?.walks.length ?? 0 };
/** Memory sizes of the simulated hosts, in GiB. */
const memorySizes = [8, 12, 16];
const fileSystems = ['ext3', 'ext4', 'btrfs'];

/** What is drawn for a host once and for all. */
interface Host {
  serial: string;
  path: string;
  fileSystem: string;
  bootTime: number;
  memory: number;
  network: string;
  nginx: { port: string; server: string };
  redis: { port: string; server: string };
}

/** TSBS's use case `devops`: nine tables a host, 101 fields, behind which are 87 random walks. */
export class DevopsModel implements HostModel {
  readonly dataset: Dataset;
  readonly #random: GoRandom;
  readonly #walks: Walks;
  readonly #hosts: Host[];
  readonly #interval: bigint;
  readonly #give: readonly ((values: Float64Array, host: number, first: number) => void)[];
  readonly #values: Float64Array;
  #epoch = 0n;
  #uptime = 0;

  constructor(scale: number, seed: number, logInterval: bigint) {
    this.#random = new GoRandom(seed);
    this.#interval = logInterval;
    const walks = measurements.flatMap((each) => each.walks);
    this.#walks = new Walks(scale, walks, memWalks);
    this.#values = new Float64Array(Math.max(...measurements.map(({ fields }) => fields.length)));
    const tags = new HostTags(scale);
    this.#hosts = Array.from({ length: scale }, (_, number) => {
      const host = this.#draw(number);
      tags.draw(number, this.#random);
      return host;
    });
    this.#give = measurements.map((measurement, table) => this.#giver(measurement, firstWalk(table)));
    this.dataset = {
      tags: hostTagNames.map((name) => ({ name, type: 'string' as const })),
      tables: measurements.map(({ name, tags: own, fields, doubles }) => ({
        name,
        tags: own,
        fields: fields.map((field) => ({
          name: field,
          type: doubles?.includes(field) ? ('double' as const) : ('integer' as const),
        })),
      })),
      devices: scale,
      deviceTags: (host) => tags.of(host),
      tableTags: (table, host) => this.#tableTags(table, host),
    };
  }

  tick(): void {
    this.#walks.tick(this.#random);
    this.#epoch += 1n;
    this.#uptime = Number((this.#epoch * this.#interval) / nanosPerSecond);
  }

  give(
    sink: RowSink,
    table: number,
    own: Int32Array | null,
    from: number,
    to: number,
    { ms, nanos }: SimulatedClock,
  ): void {
    const give = this.#give[table];
    if (give === undefined) throw new RangeError(`no table ${table}`);
    const values = this.#values;
    for (let i = from; i < to; i++) {
      const host = own === null ? i : (own[i] as number);
      give(values, host, host * this.#walks.perHost);
      sink.row(table, host, ms, nanos, values);
    }
  }

  /** In the order in which TSBS makes the parts of a host. */
  #draw(host: number): Host {
    const random = this.#random;
    const { values, perHost } = this.#walks;
    const base = host * perHost;
    for (let i = 0; i < (measurements[0]?.fields.length ?? 0); i++) values[base + i] = random.float64() * 100;
    const serial = [0, 0, 0].map(() => String(random.intn(1000)).padStart(3, '0')).join('-');
    const path = `/dev/sda${random.intn(10)}`;
    const fileSystem = fileSystems[random.intn(fileSystems.length)] ?? '';
    const bootTime = random.int63n(240);
    const memory = (memorySizes[random.intn(memorySizes.length)] ?? 0) * gib;
    this.#walks.bound(host, memory);
    for (let i = 0; i < memWalks.count; i++) values[base + memWalks.first + i] = random.float64() * memory;
    const network = `eth${random.intn(4)}`;
    const service = (name: string) => {
      const number = random.intn(100_000);
      return { server: `${name}_${number}`, port: String(1024 + random.int63n(20_000)) };
    };
    const nginx = service('nginx');
    const redis = service('redis');
    return { serial, path, fileSystem, bootTime, memory, network, nginx, redis };
  }

  #tableTags(table: number, number: number): readonly string[] {
    const host = this.#hosts[number];
    if (host === undefined) throw new RangeError(`no host ${number}`);
    switch (measurements[table]?.name) {
      case 'diskio':
        return [host.serial];
      case 'disk':
        return [host.path, host.fileSystem];
      case 'net':
        return [host.network];
      case 'nginx':
        return [host.nginx.port, host.nginx.server];
      case 'redis':
        return [host.redis.port, host.redis.server];
      default:
        return [];
    }
  }

  /** Puts the fields of a host's row into `values`; `base` is where its walks begin. */
  #giver({ name, walks }: Measurement, first: number) {
    const all = this.#walks.values;
    const hosts = this.#hosts;
    const count = walks.length;
    const copy = (values: Float64Array, base: number, to: number) => {
      // + 0: a small negative number is cut to −0, which Go's integers do not have.
      for (let i = 0; i < count; i++) values[to + i] = Math.trunc(all[base + first + i] as number) + 0;
    };
    switch (name) {
      case 'disk':
        return (values: Float64Array, _host: number, base: number) => disk(values, all[base + first] ?? 0);
      case 'mem':
        return (values: Float64Array, host: number, base: number) => {
          const at = base + first;
          memory(values, hosts[host]?.memory ?? 0, all[at] ?? 0, all[at + 1] ?? 0, all[at + 2] ?? 0);
        };
      case 'kernel':
        return (values: Float64Array, host: number, base: number) => {
          values[0] = hosts[host]?.bootTime ?? 0;
          copy(values, base, 1);
        };
      case 'redis':
        return (values: Float64Array, _host: number, base: number) => {
          values[0] = this.#uptime;
          copy(values, base, 1);
        };
      default:
        return (values: Float64Array, _host: number, base: number) => copy(values, base, 0);
    }
  }
}

/** total, free, used, used_percent, inodes_total, inodes_free, inodes_used */
function disk(values: Float64Array, walk: number): void {
  const free = Math.trunc(walk);
  const used = diskBytes - free;
  const inodes = diskBytes / bytesPerInode;
  const inodesFree = Math.floor(free / bytesPerInode);
  values[0] = diskBytes;
  values[1] = free;
  values[2] = used;
  values[3] = Math.trunc(100 * (used / diskBytes));
  values[4] = inodes;
  values[5] = inodesFree;
  values[6] = inodes - inodesFree;
}

/** total, available, used, free, cached, buffered, used_percent, available_percent, buffered_percent */
function memory(
  values: Float64Array,
  total: number,
  usedWalk: number,
  cached: number,
  buffered: number,
): void {
  const used = Math.trunc(usedWalk);
  const available = total - used;
  const buffer = Math.trunc(buffered);
  values[0] = total;
  values[1] = available;
  values[2] = used;
  values[3] = available;
  values[4] = Math.trunc(cached);
  values[5] = buffer;
  values[6] = 100 * (used / total);
  values[7] = 100 * (available / total);
  // Associated in another way than the two before, as in TSBS.
  values[8] = (100 * buffer) / total;
}
