import { createHash } from 'node:crypto';
import type { Inventory } from '../../../../src-shared/model/host.ts';
import { commandLine, quote } from '../../../hosts/quote.ts';
import { GiB } from '../../tuning/sizes.ts';
import type { Make, Plan, Product } from './make.ts';
import type { Parameters } from './parameters.ts';
import { postgresql, timescaledb } from './postgresql.ts';
import { questdb } from './questdb.ts';

/** A container as it is to be, the same from one planning to the next. */
export interface Container extends Make {
  name: string;
  /** Name of a volume, or a folder of the host, as shell text. */
  storage: string;
  isFolder: boolean;
  /** What a container of this kind is known by: another one is made anew, its data stays. */
  options: readonly string[];
  mark: string;
  /** `docker create …` as a person would type it. */
  command: string;
}

export const labelName = 'io.benchberry.options';
const makes: Record<Product, (plan: Plan) => Make> = { timescaledb, postgresql, questdb };

export const containerName = (product: Product) => `benchberry-${product}`;

export function makeOf(host: Inventory, given: Parameters): Make {
  const memoryBytes = host.memoryBytes.value ?? GiB;
  return makes[given.product]({ ...given, name: containerName(given.product), memoryBytes, host });
}

export function containerFor(host: Inventory, given: Parameters): Container {
  const { product, version, dataFolder, address } = given;
  const make = makeOf(host, given);
  const name = containerName(product);
  const storage = dataFolder || (product === 'questdb' ? name : `${name}-${version}`);
  const on = address === '' ? '' : `${address}:`;
  const options = [
    ...make.ports.flatMap(([outside, inside]) => ['--publish', `${on}${outside}:${inside}`]),
    ...['--volume', `${storage}:${make.inside}`],
    ...['--stop-timeout', '120'],
    ...['--log-driver', 'local', '--log-opt', 'max-size=10m', '--log-opt', 'max-file=3'],
    ...make.options,
  ];
  const mark = createHash('sha256')
    .update(JSON.stringify([make.image, ...options]))
    .digest('hex')
    .slice(0, 16);
  return {
    ...make,
    name,
    storage: quote(storage),
    isFolder: dataFolder !== '',
    options,
    mark,
    command: commandLine([
      ...['docker', 'create', '--name', name, '--label', `${labelName}=${mark}`],
      ...options,
      make.image,
    ]),
  };
}
