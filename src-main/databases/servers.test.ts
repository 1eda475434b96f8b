import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe } from 'vitest';
import { driverContract } from './contract.ts';
import type { Endpoint, Reader } from './driver.ts';
import { postgresqlContract } from './postgresql/contract.ts';
import { postgresqlDriver } from './postgresql/index.ts';
import { quotingContract } from './postgresql/quotingContract.ts';
import { quoteName, quoteText } from './postgresql/statements.ts';
import { resetSandbox, sandboxDriver } from './sandbox/index.ts';
import { noTestServer, startTestServer, type TestServer } from './testServer.ts';

// The same tests on every server: the sandbox and a PostgreSQL from the system's packages, or the one server that
// BENCHBERRY_TEST_PG_URL names (its user must be allowed to create databases).

const signal = new AbortController().signal;
const ways = ['binary', 'text', 'insert', 'insert-single'].map((writeMode) => ({ writeMode }));

const url = process.env.BENCHBERRY_TEST_PG_URL;
if (url === undefined) {
  sandboxAndPackages();
} else {
  driverContract('the server of BENCHBERRY_TEST_PG_URL', {
    driver: postgresqlDriver,
    engine: postgresqlContract,
    ways,
    async open() {
      const parsed = postgresqlDriver.parseUrl(url);
      if (parsed === null) throw new Error('BENCHBERRY_TEST_PG_URL is not a postgresql:// URL');
      return postgresqlDriver.resolve(parsed.connection, parsed.secret, { dataFolder: '', signal });
    },
    close: async () => undefined,
  });
}

function sandboxAndPackages(): void {
  let folder: string;
  driverContract('sandbox', {
    driver: sandboxDriver,
    engine: postgresqlContract,
    ways: [
      ...ways,
      { forceTextFormat: true, useInsert: true },
      { useInsert: true },
      {
        fieldIndexCount: -1,
        fieldIndex: 'TIME-VALUE,VALUE-TIME',
        timePartitionIndex: true,
        partitionIndex: false,
      },
    ],
    open() {
      folder = mkdtempSync(path.join(os.tmpdir(), 'benchberry-contract-'));
      return sandboxDriver.resolve({}, null, { dataFolder: folder, signal });
    },
    async close() {
      await resetSandbox(folder);
      rmSync(folder, { recursive: true });
    },
  });

  if (noTestServer === null) {
    let server: TestServer;
    const open = async (): Promise<Endpoint> => {
      server = await startTestServer();
      return postgresqlDriver.resolve(server.connection, server.password, { dataFolder: '', signal });
    };
    driverContract('PostgreSQL from the system’s packages', {
      driver: postgresqlDriver,
      engine: postgresqlContract,
      ways,
      open,
      close: () => server.stop(),
    });
    describe('PostgreSQL from the system’s packages', () => {
      let reader: Reader;
      beforeAll(async () => {
        reader = await postgresqlDriver.openReader(await open(), 'postgres', signal);
      });
      afterAll(async () => {
        await reader.close();
        await server.stop();
      });
      quotingContract(
        'PostgreSQL',
        async (sql) => (await reader.run({ text: sql }, signal, true)).values ?? [],
        { name: quoteName, text: quoteText },
      );
    });
  } else {
    describe.skip(`PostgreSQL from the system’s packages: ${noTestServer}`, () => undefined);
  }
}
