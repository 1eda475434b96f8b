import { afterAll, beforeAll } from 'vitest';
import { driverContract } from '../../../src-main/databases/contract.ts';
import { influxdbDriver } from '../../../src-main/databases/influxdb/index.ts';
import { crashContract } from '../crashContract.ts';
import { lineFaults } from '../lineFaults.ts';
import { runContract } from '../runContract.ts';
import type { ServerProcess } from '../serverProcess.ts';
import { influxdbContract } from './contract.ts';
import { startInfluxdb } from './server.ts';

const { signal } = new AbortController();
let server: ServerProcess & { connection: Record<string, unknown> };
beforeAll(async () => {
  server = await startInfluxdb();
});
afterAll(() => server?.stop());

const open = () => influxdbDriver.resolve(server.connection, null, { dataFolder: '', signal });

driverContract('InfluxDB', {
  driver: influxdbDriver,
  engine: influxdbContract,
  ways: [{}],
  open,
  close: async () => undefined,
});

runContract(influxdbDriver, open);
crashContract(
  {
    driver: influxdbDriver,
    dataset: influxdbContract.dataset,
    endpoint: open,
    server: () => server,
    engine: { resendFor: '0s' },
  },
  'crash',
);

lineFaults({ driver: influxdbDriver, server: () => server, idempotent: true });
