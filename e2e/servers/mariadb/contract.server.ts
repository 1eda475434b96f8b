import { afterAll, beforeAll } from 'vitest';
import { driverContract } from '../../../src-main/databases/contract.ts';
import { mysqlDriver } from '../../../src-main/databases/mysql/index.ts';
import { crashContract } from '../crashContract.ts';
import { runContract } from '../runContract.ts';
import type { ServerProcess } from '../serverProcess.ts';
import { mariadbContract } from './contract.ts';
import { password, startMariadb } from './server.ts';

const { signal } = new AbortController();
let server: ServerProcess & { connection: Record<string, unknown> };
beforeAll(async () => {
  server = await startMariadb();
});
afterAll(() => server?.stop());

const open = () => mysqlDriver.resolve(server.connection, password, { dataFolder: '', signal });

driverContract('MariaDB', {
  driver: mysqlDriver,
  engine: mariadbContract,
  ways: [
    { mysqlWriteMode: 'load-data' },
    { mysqlWriteMode: 'insert' },
    { mysqlWriteMode: 'insert-single', partitionIndex: false, timeIndex: false },
  ],
  open,
  close: async () => undefined,
});

runContract(mysqlDriver, open);
crashContract(
  { driver: mysqlDriver, dataset: mariadbContract.dataset, endpoint: open, server: () => server },
  'crash',
);
