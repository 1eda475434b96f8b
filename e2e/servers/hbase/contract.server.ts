import { afterAll, beforeAll } from 'vitest';
import { driverContract } from '../../../src-main/databases/contract.ts';
import { hbaseDriver } from '../../../src-main/databases/hbase/index.ts';
import { crashContract } from '../crashContract.ts';
import { runContract } from '../runContract.ts';
import { hbaseContract } from './contract.ts';
import { hbaseFaults } from './faults.ts';
import { hbasePrograms } from './fetch.ts';
import { type HbaseRestServer, startHbaseRest } from './server.ts';

const { signal } = new AbortController();
let server: HbaseRestServer;
beforeAll(async () => {
  server = await startHbaseRest(hbasePrograms());
});
afterAll(() => server?.stop());

const open = () => hbaseDriver.resolve(server.connection, null, { dataFolder: '', signal });

driverContract('HBase', {
  driver: hbaseDriver,
  engine: hbaseContract,
  ways: [{ hbaseSalts: 3, hbaseStretch: '10m' }, { hbaseSchema: 'wide' }],
  open,
  close: async () => undefined,
});

runContract(hbaseDriver, open);
hbaseFaults(() => server);
// A local file system keeps what HBase has written to its log only when it is shut down in order.
crashContract(
  {
    ...{ driver: hbaseDriver, dataset: hbaseContract.dataset, endpoint: open, server: () => server },
    engine: { resendFor: '1s' },
  },
  'shutdown',
);
