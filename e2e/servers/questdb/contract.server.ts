import { afterAll, beforeAll, describe } from 'vitest';
import { driverContract } from '../../../src-main/databases/contract.ts';
import { readerContract } from '../../../src-main/databases/contractReader.ts';
import type { Endpoint } from '../../../src-main/databases/driver.ts';
import { questdbDriver } from '../../../src-main/databases/questdb/index.ts';
import { runContract } from '../runContract.ts';
import { questdbContract } from './contract.ts';
import { questdbPrograms } from './fetch.ts';
import { type QuestdbServer, startQuestdb } from './server.ts';

const { signal } = new AbortController();
let server: QuestdbServer;
beforeAll(async () => {
  // Only so does it let a table be suspended on purpose.
  server = await startQuestdb(questdbPrograms(), { 'dev.mode.enabled': 'true' });
});
afterAll(() => server?.stop());

const open = (more: Record<string, unknown> = {}): Promise<Endpoint> =>
  questdbDriver.resolve({ ...server.connection, ...more }, null, { dataFolder: '', signal });

driverContract('QuestDB', {
  driver: questdbDriver,
  engine: questdbContract,
  ways: [
    {},
    { deduplicate: true, partitionBy: 'MONTH' },
    { ilpTransport: 'tcp', partitionBy: 'HOUR' },
    { ilpTransport: 'tcp', walTables: false },
    { ilpTransport: 'tcp', partitionBy: 'NONE' },
    { gzipRows: true },
  ],
  open: () => open(),
  close: async () => undefined,
});

describe('QuestDB’s queries over HTTP', () => {
  let endpoint: Endpoint;
  beforeAll(async () => {
    endpoint = await open({ queriesOver: 'http' });
  });
  readerContract(
    questdbDriver,
    () => endpoint,
    async (text) => {
      const reader = await questdbDriver.openReader(endpoint, 'qdb', signal);
      try {
        return (await reader.run({ text }, signal, true)).values ?? [];
      } finally {
        await reader.close();
      }
    },
    { ...questdbContract.queries, otherProtocol: true },
  );
});

runContract(questdbDriver, () => open());
