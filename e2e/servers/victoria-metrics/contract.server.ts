import { afterAll, beforeAll } from 'vitest';
import { driverContract } from '../../../src-main/databases/contract.ts';
import { victoriametricsDriver } from '../../../src-main/databases/victoriametrics/index.ts';
import { crashContract } from '../crashContract.ts';
import { lineFaults } from '../lineFaults.ts';
import { runContract } from '../runContract.ts';
import type { ServerProcess } from '../serverProcess.ts';
import { victoriametricsContract } from './contract.ts';
import { startVictoriaMetrics } from './server.ts';

const { signal } = new AbortController();
let server: ServerProcess & { connection: Record<string, unknown> };
beforeAll(async () => {
  server = await startVictoriaMetrics();
});
afterAll(() => server?.stop());

const open = () => victoriametricsDriver.resolve(server.connection, null, { dataFolder: '', signal });

driverContract('VictoriaMetrics', {
  driver: victoriametricsDriver,
  engine: victoriametricsContract,
  ways: [{}],
  open,
  close: async () => undefined,
});

runContract(victoriametricsDriver, open);
crashContract(
  {
    driver: victoriametricsDriver,
    dataset: victoriametricsContract.dataset,
    endpoint: open,
    server: () => server,
    engine: { resendFor: '0s' },
  },
  'shutdown',
);

lineFaults({ driver: victoriametricsDriver, server: () => server, idempotent: false });
