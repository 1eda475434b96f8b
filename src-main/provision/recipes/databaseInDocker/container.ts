import type { Inventory } from '../../../../src-shared/model/host.ts';
import { commandLine } from '../../../hosts/quote.ts';
import { reservedFor } from '../../tuning/piSafe.ts';
import { GiB, MiB } from '../../tuning/sizes.ts';
import type { Parameters } from './parameters.ts';

/** A container as it is to be, the same from one planning to the next. */
export interface Container {
  name: string;
  image: string;
  /** Name of a volume, or a folder of the host. */
  storage: string;
  isFolder: boolean;
  passwordFile: string;
  /** What a container of this kind is known by: another one is made anew, its data stays. */
  label: string;
  /** `docker run …` as a person would type it. */
  command: string;
}

export const labelName = 'io.benchberry.options';
const shown = { timescaledb: 'timescale/timescaledb', postgresql: 'postgres' };

export function containerFor(host: Inventory, { product, version, port, dataFolder }: Parameters): Container {
  const image =
    product === 'timescaledb' ? `${shown.timescaledb}:latest-pg${version}` : `postgres:${version}`;
  const name = `benchberry-${product}`;
  const storage = dataFolder || `${name}-${version}`;
  const passwordFile = `/var/lib/benchberry/${name}.password`;
  const memory = host.memoryBytes.value ?? GiB;
  // Images of PostgreSQL 18 keep a folder for each version in it; the old path would keep them from starting.
  const inside = Number(version) >= 18 ? '/var/lib/postgresql' : '/var/lib/postgresql/data';
  const options = [
    ...['--publish', `${port}:5432`],
    ...['--volume', `${storage}:${inside}`],
    ...['--shm-size', memory <= 1.5 * GiB ? '128m' : '256m'],
    ...['--stop-timeout', '120'],
    ...['--log-driver', 'local', '--log-opt', 'max-size=10m', '--log-opt', 'max-file=3'],
    ...['--env', 'POSTGRES_PASSWORD_FILE=/run/secrets/password'],
    ...['--volume', `${passwordFile}:/run/secrets/password:ro`],
    ...(product === 'timescaledb' ? tuning(host, memory) : []),
  ];
  const label = [image, ...options].join(' ');
  return {
    name,
    image,
    storage,
    isFolder: dataFolder !== '',
    passwordFile,
    label,
    command: commandLine([
      ...['docker', 'run', '--detach', '--name', name, '--label', `${labelName}=${label}`],
      ...options,
      image,
    ]),
  };
}

/** Always given: where the kernel keeps no account of memory the image's own script fails without it. */
function tuning(host: Inventory, memory: number): string[] {
  const reserved = host.gui.running.value === true ? reservedFor.desktop : reservedFor.headless;
  const left = Math.max(Math.floor((memory - reserved) / MiB), 128);
  return [
    ...['--env', `TS_TUNE_MEMORY=${left}MB`],
    ...['--env', `TS_TUNE_NUM_CPUS=${host.cores.value ?? 1}`],
    ...['--env', 'TIMESCALEDB_TELEMETRY=off'],
  ];
}
