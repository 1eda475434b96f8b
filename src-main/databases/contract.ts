import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type QueryWords, readerContract } from './contractReader.ts';
import { expected, type Row, someRows } from './contractRows.ts';
import type { Dataset, Driver, Endpoint, Prepared, PrepareOptions, Session } from './driver.ts';

/** One server that the contract is tried on. */
export interface ContractServer {
  driver: Driver;
  engine: EngineContract;
  open(): Promise<Endpoint>;
  close(): Promise<void>;
  /** Load options of the engine that must all store the same rows. */
  ways: readonly Record<string, unknown>[];
}

/** What tests have of the server. */
export interface Bench {
  readonly driver: Driver;
  readonly signal: AbortSignal;
  endpoint(): Endpoint;
  session(): Session;
  options(engine: Record<string, unknown>, more?: Partial<PrepareOptions>): PrepareOptions;
  /** @param where a database; else the one that there is always */
  ask(text: string, where?: string): Promise<(string | null)[][]>;
  /** Writes batches by one writer, each while the one before is on its way. @returns bytes */
  write(prepared: Prepared, batches: readonly Row[][]): Promise<number>;
  /** Rows in each table once all of so many can be seen. */
  counted(prepared: Prepared, rows: number): Promise<Record<string, number>>;
}

/** What an engine has in its own way. */
export interface EngineContract {
  /** As the server names itself. */
  product: string;
  /** The one of `contractRows.ts`, in names that the engine takes. */
  dataset: Dataset;
  /** Its build has none. */
  tellsNoVersion?: true;
  /** Made by the tests, and theirs to drop. */
  database: string;
  /** Rows of a table in the order of time, each as `expected` writes them. */
  stored(bench: Bench, table: number): Promise<string[]>;
  /** From now on the second table takes no row, or none whose value is 10 or more. */
  refuse(bench: Bench): Promise<void>;
  /** Write modes for which a refused batch is tried. */
  refusedBy: readonly Record<string, unknown>[];
  /** Something of somebody else's where the plan of `options` would make its own; it has one row, 42. */
  foreign: {
    options: Partial<PrepareOptions>;
    make(bench: Bench): Promise<void>;
    value(bench: Bench): Promise<string | null | undefined>;
    remove(bench: Bench): Promise<void>;
  };
  /** Ids of the lines of `readiness`. */
  readiness: readonly string[];
  /** Where statements alone cannot make rows, only the database that there is always: its readers have tests of their own. */
  queries: QueryWords | Pick<QueryWords, 'database'>;
  /** A row as `stored` has it, where that is less than `contractRows.ts` has: of a coarser time. */
  expected?(row: Row): string;
  /** Further tests: what only this engine promises. */
  own(bench: Bench): void;
}

const { signal } = new AbortController();

/** Tests that every driver passes on a real server. */
export function driverContract(name: string, server: ContractServer): void {
  const { driver, engine } = server;
  const { dataset, database } = engine;
  let endpoint: Endpoint;
  let session: Session;
  let last: Prepared | null = null;

  const bench: Bench = {
    driver,
    signal,
    endpoint: () => endpoint,
    session: () => session,
    options: (own, more = {}) => ({
      database,
      doCreateDb: true,
      doAbortOnExist: false,
      engine: driver.loadOptions.parse(own),
      ...more,
    }),
    async ask(text, where = engine.queries.database) {
      const reader = await driver.openReader(endpoint, where, signal);
      try {
        return (await reader.run({ text }, signal, true)).values ?? [];
      } finally {
        await reader.close();
      }
    },
    async write(prepared, batches) {
      const writer = await driver.openWriter(endpoint, structuredClone(prepared), signal, dataset);
      let bytes = 0;
      let flushing: Promise<number> = Promise.resolve(0);
      for (const batch of batches) {
        for (const { table, device, timeMs, nanos, values, missingTag } of batch)
          writer.row(table, device, timeMs, nanos, Float64Array.from(values), missingTag);
        bytes += await flushing;
        expect(writer.pending).toBe(batch.length);
        // the next batch is written while this one is on its way
        flushing = writer.flush(signal);
        expect(writer.pending).toBe(0);
      }
      bytes += await flushing;
      await writer.close();
      return bytes;
    },
    async counted(prepared, rows) {
      const told: number[] = [];
      const visible = await session.awaitVisible?.(prepared, rows, (share) => told.push(share), signal);
      expect(visible?.missing ?? null).toBeNull();
      if (visible) expect(told.at(-1)).toBe(1);
      return session.count(prepared, signal);
    },
  };
  const prepare = async (...options: Parameters<Bench['options']>): Promise<Prepared> => {
    last = await session.prepare(dataset, bench.options(...options), signal);
    return last;
  };

  describe(name, () => {
    beforeAll(async () => {
      endpoint = await server.open();
      session = await driver.openSession(endpoint, signal);
    });
    afterAll(async () => {
      try {
        if (last) await session.drop(last, signal);
        await session?.close();
      } finally {
        await server.close();
      }
    });

    it('describes itself', async () => {
      const about = await session.describe(signal);
      expect(about).toMatchObject({
        engine: driver.id,
        product: engine.product,
        database: engine.queries.database,
      });
      expect(about.versionText).toContain(about.version);
      if (!engine.tellsNoVersion) expect(about.version).toMatch(/^\d+(\.\d+)*$/);
      expect(about.roundTripUs).toBeGreaterThan(0);
      expect(about.dialect).not.toBe('');
    });

    it('tells what stands in the way of a run', async () => {
      const lines = (await session.readiness?.(signal)) ?? [];
      expect(lines.map(({ id }) => id)).toEqual(engine.readiness);
      for (const { result, advice } of lines) {
        expect(['pass', 'wait', 'warn']).toContain(result);
        expect(advice === '').toBe(result === 'pass');
      }
    });

    for (const way of server.ways) {
      it(`stores every row as it was given: ${JSON.stringify(way)}`, async () => {
        const batches = [someRows(40), someRows(17_000, 40), someRows(1, 17_040), [], someRows(300, 17_041)];
        const prepared = await prepare(way);
        await session.writeDevices(prepared, dataset, signal);
        const bytes = await bench.write(prepared, batches);
        expect(bytes).toBeGreaterThan(batches.flat().length * 20 * (way.gzipRows ? 0.1 : 1));
        const counts = await bench.counted(prepared, batches.flat().length);
        for (const [i, table] of dataset.tables.entries()) {
          const rows = batches.flat().filter((row) => row.table === i);
          expect(counts[table.name]).toBe(rows.length);
          const found = await engine.stored(bench, i);
          const wanted = rows.map(engine.expected ?? expected);
          const differs = wanted.findIndex((line, at) => line !== found[at]);
          expect(differs === -1 ? null : [wanted[differs], found[differs]]).toBeNull();
          expect(found.length).toBe(wanted.length);
        }
      });
    }

    it('drops only what it made: what has no mark is refused and stays', async () => {
      const { foreign } = engine;
      await foreign.make(bench);
      try {
        const refused = { code: 'database-not-ours', hint: expect.stringMatching(/another/) };
        const taken = session.prepare(dataset, bench.options({}, foreign.options), signal);
        await expect(taken).rejects.toMatchObject(refused);
        const [{ name: table = '' } = {}] = dataset.tables;
        const prepared = {
          database: foreign.options.database ?? database,
          notes: [],
          driver: { ...last?.driver, tables: [table] },
        };
        await expect(session.drop(prepared, signal)).rejects.toMatchObject({ code: 'database-not-ours' });
        expect(await foreign.value(bench)).toBe('42');
      } finally {
        await foreign.remove(bench);
      }
    });

    it('makes its own anew, unless told not to touch what exists', async () => {
      await bench.write(await prepare({}), [someRows(6)]);
      const again = await prepare({});
      await bench.write(again, [someRows(3)]);
      expect(Object.values(await bench.counted(again, 3))).toEqual([2, 1]);
      await expect(prepare({}, { doAbortOnExist: true })).rejects.toMatchObject({
        code: 'bad-input',
        place: { field: 'doAbortOnExist' },
      });
      expect(Object.values(await bench.counted(again, 3))).toEqual([2, 1]);
    });

    it('stores nothing of a batch that fails, in either table', async () => {
      for (const way of engine.refusedBy) {
        const prepared = await prepare(way);
        await engine.refuse(bench);
        const writer = await driver.openWriter(endpoint, prepared, signal, dataset);
        writer.row(0, 0, 0, 0, Float64Array.of(1, 2, 3));
        writer.row(1, 0, 0, 0, Float64Array.of(11));
        await expect(writer.flush(signal)).rejects.toMatchObject({ code: 'server-error' });
        writer.row(0, 0, 0, 0, Float64Array.of(1, 2, 3));
        await expect(writer.flush(signal)).rejects.toMatchObject({ code: 'connection-lost' });
        expect(Object.values(await bench.counted(prepared, 0))).toEqual([0, 0]);
      }
    });

    if ('many' in engine.queries) readerContract(driver, () => endpoint, bench.ask, engine.queries);
    engine.own(bench);
  });
}
