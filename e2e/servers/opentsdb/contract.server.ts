import { afterAll, beforeAll } from 'vitest';
import { driverContract } from '../../../src-main/databases/contract.ts';
import { opentsdbDriver } from '../../../src-main/databases/opentsdb/index.ts';
import { crashContract } from '../crashContract.ts';
import { runContract } from '../runContract.ts';
import { opentsdbContract } from './contract.ts';
import { opentsdbFaults } from './faults.ts';
import { opentsdbPrograms } from './fetch.ts';
import { type OpentsdbServer, startOpentsdb } from './server.ts';

const { signal } = new AbortController();
let server: OpentsdbServer;
beforeAll(async () => {
  server = await startOpentsdb(opentsdbPrograms());
});
afterAll(() => server?.stop());

const open = () => opentsdbDriver.resolve(server.connection, null, { dataFolder: '', signal });

driverContract('OpenTSDB', {
  driver: opentsdbDriver,
  engine: opentsdbContract,
  ways: [{}, { opentsdbSync: true, opentsdbGzip: true }, { opentsdbTransport: 'telnet' }],
  open,
  close: async () => undefined,
});

runContract(opentsdbDriver, open);
opentsdbFaults(() => server);
// Only what HBase has is promised to be kept.
crashContract(
  {
    ...{ driver: opentsdbDriver, dataset: opentsdbContract.dataset, endpoint: open, server: () => server },
    engine: { opentsdbSync: true, resendFor: '1s' },
  },
  'crash',
);
