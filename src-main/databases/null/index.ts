import { performance } from 'node:perf_hooks';
import { z } from 'zod';
import packageJson from '../../../package.json' with { type: 'json' };
import { AppError, cancelled } from '../../../src-shared/errors.ts';
import type { ServerDescription } from '../../../src-shared/model/server.ts';
import type { Driver, Session, Writer } from '../driver.ts';
import { BinaryRows } from '../postgresql/binaryRows.ts';
import { layoutFrom, layoutOf } from '../postgresql/layout.ts';

/**
 * Takes rows and drops them, which measures the loader itself. Rows are encoded exactly as for PostgreSQL's binary COPY,
 * because that is the work a load does before the first byte reaches a server; only sending and storing are left out.
 */
export const nullDriver: Driver = {
  id: 'null',
  label: 'Null target',
  description: 'Takes rows and drops them: measures how fast this computer can make them.',
  builtIn: true,
  connection: z.object({}),
  loadOptions: z.object({}),
  resolve: async () => ({ engine: 'null', label: 'null', connection: {} }),
  parseUrl: () => null,
  async openSession() {
    return session;
  },
  async openWriter(_endpoint, prepared): Promise<Writer> {
    const rows = new BinaryRows(layoutFrom(prepared), true);
    return {
      get pending() {
        return rows.batch.rows;
      },
      row(table, device, timeMs, nanos, values, missingTag) {
        rows.row(table, device, timeMs, nanos, values, missingTag);
      },
      async flush(signal) {
        if (signal.aborted) throw cancelled();
        const blocks = rows.batch.take();
        const bytes = blocks.reduce((sum, block) => sum + block.length, 0);
        rows.batch.recycle(blocks);
        return bytes;
      },
      close: async () => undefined,
    };
  },
  async openReader() {
    throw new AppError({
      code: 'unsupported',
      message: 'The null target keeps no rows, so there is nothing to query',
      hint: 'Choose the sandbox or a server for plans with queries.',
    });
  },
};

const session: Session = {
  async describe(): Promise<ServerDescription> {
    const start = performance.now();
    await Promise.resolve();
    return {
      engine: 'null',
      product: 'Benchberry null target',
      version: packageJson.version,
      versionText: `Benchberry ${packageJson.version} null target`,
      edition: 'plain',
      dialect: 'none',
      database: 'none',
      sizeBytes: 0,
      tls: null,
      roundTripUs: (performance.now() - start) * 1000,
      settings: [],
      notes: ['Rows are encoded as for PostgreSQL and dropped: no network, no server, no disk.'],
    };
  },
  async prepare(dataset, options) {
    return {
      database: options.database,
      notes: ['The null target keeps no rows, so there is nothing to count after the load.'],
      driver: layoutOf(dataset, 'binary', false),
    };
  },
  writeDevices: async () => undefined,
  count: async () => ({}),
  drop: async () => undefined,
  close: async () => undefined,
};
