import { AppError } from '../../src-shared/errors.ts';
import type { Driver } from './driver.ts';
import { hbaseDriver } from './hbase/index.ts';
import { influxdbDriver } from './influxdb/index.ts';
import { mysqlDriver } from './mysql/index.ts';
import { nullDriver } from './null/index.ts';
import { opentsdbDriver } from './opentsdb/index.ts';
import { postgresqlDriver } from './postgresql/index.ts';
import { questdbDriver } from './questdb/index.ts';
import { sandboxDriver } from './sandbox/index.ts';
import { victoriametricsDriver } from './victoriametrics/index.ts';

/** Every engine, one line each; nothing else in the project switches on an engine's name. */
export const drivers: readonly Driver[] = [
  postgresqlDriver,
  questdbDriver,
  mysqlDriver,
  influxdbDriver,
  victoriametricsDriver,
  hbaseDriver,
  opentsdbDriver,
  sandboxDriver,
  nullDriver,
];

/** @throws AppError `not-found` naming the engines there are */
export function findDriver(id: string): Driver {
  const driver = drivers.find((candidate) => candidate.id === id);
  if (driver) return driver;
  throw new AppError({
    code: 'not-found',
    message: `There is no database engine ${JSON.stringify(id)}`,
    hint: `Engines: ${drivers.map((candidate) => candidate.id).join(', ')}.`,
  });
}
