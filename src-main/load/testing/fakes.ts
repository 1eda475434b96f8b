import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { AppError, cancelled } from '../../../src-shared/errors.ts';
import type { Dataset, Driver, Endpoint, Writer } from '../../databases/driver.ts';
import type { QuerySource, RowSource, Workload } from '../../workloads/workload.ts';
import type { Registries } from '../threadWork.ts';
import { fakeClient, fakeTransactions } from './fakeTransactions.ts';

/** What the fake database does, and where it tells which rows it holds and which queries it answered. */
const connectionSchema = z.object({
  /** One number per row or query: how often it was acknowledged. Shared by all threads. */
  hits: z.instanceof(SharedArrayBuffer),
  /** Each batch or query takes so long. */
  delayMs: z.number().default(0),
  /** The batch or query with this row or number fails so. */
  failAt: z.number().default(-1),
  failCode: z.enum(['server-error', 'connection-lost']).default('connection-lost'),
  /** The thread throws, or exits, in the middle of the batch with this row. */
  throwAt: z.number().default(-1),
  exitAt: z.number().default(-1),
  /** A batch or query takes for ever, until aborted. */
  hangAt: z.number().default(-1),
  refuse: z.boolean().default(false),
});
export type FakeConnection = Partial<z.infer<typeof connectionSchema>>;

export function fakeEndpoint(size: number, connection: FakeConnection = {}) {
  const hits = new SharedArrayBuffer(size * Int32Array.BYTES_PER_ELEMENT);
  const endpoint: Endpoint = { engine: 'fake', label: 'fake', connection: { ...connection, hits } };
  return { endpoint, hits: new Int32Array(hits) };
}

const dataset: Dataset = {
  tags: [{ name: 'hostname', type: 'string' }],
  tables: [{ name: 'cpu', fields: ['id', 'b', 'c'].map((name) => ({ name, type: 'double' as const })) }],
  devices: 10,
  deviceTags: (device) => [`host_${device}`],
};

const rowParameters = z.object({
  rows: z.int(),
  /** Rows are read, a hundred at a time, and each takes so long. */
  readMs: z.number().optional(),
});
/** Row n belongs to device n mod 10 and has n as its first value; worker w of W has the devices w mod W. */
function rowSource(rows: number, share?: { worker: number; workers: number }): RowSource {
  const mine = (row: number) => !share || (row % dataset.devices) % share.workers === share.worker;
  const own = Array.from({ length: rows }, (_, row) => row).filter(mine);
  const values = new Float64Array(3);
  let next = 0;
  return {
    dataset,
    totalRows: own.length,
    fill(sink, max) {
      const end = Math.min(own.length, next + max);
      const given = end - next;
      for (; next < end; next += 1) {
        values[0] = own[next] ?? Number.NaN;
        sink.row(0, (own[next] ?? 0) % dataset.devices, next * 1000, 0, values);
      }
      return given;
    },
    skip(max) {
      const given = Math.min(own.length - next, max);
      next += given;
      return given;
    },
  };
}

/** The same rows as from a file: some are there only after a wait in which the thread has nothing to do. */
function readSource(rows: number, readMs: number): RowSource {
  const source = rowSource(rows);
  let left = rows;
  let ready = 0;
  const taken = (step: (max: number) => number) => (max: number) => {
    const given = step(Math.min(max, ready));
    ready -= given;
    left -= given;
    return given;
  };
  return {
    dataset,
    totalRows: rows,
    async read() {
      if (ready > 0) return true;
      await sleep(readMs);
      ready = Math.min(100, left);
      return ready > 0;
    },
    fill: (sink, max) => taken((n) => source.fill(sink, n))(max),
    skip: taken((n) => source.skip(n)),
  };
}

function querySource(total: number): QuerySource {
  let last = -1;
  return {
    label: 'fake query',
    total,
    at(index) {
      if (index <= last) throw new Error('query numbers must grow');
      last = index;
      return { text: String(index) };
    },
  };
}

const workload: Workload = {
  id: 'fake',
  label: 'Fake',
  description: '',
  steps: [],
  openRows(source, share) {
    const { rows, readMs } = rowParameters.parse(source.parameters);
    return readMs === undefined ? rowSource(rows, share) : readSource(rows, readMs);
  },
  openQueries: (source) => querySource(rowParameters.parse(source.parameters).rows),
  openTransactions: fakeTransactions,
};

/** Answers for the row or query numbers it is given, as the connection says. */
async function serve(
  connection: z.infer<typeof connectionSchema>,
  numbers: readonly number[],
  signal: AbortSignal,
): Promise<void> {
  if (signal.aborted) throw cancelled();
  const never = numbers.includes(connection.hangAt) ? 1e9 : connection.delayMs;
  try {
    await sleep(never, undefined, { signal });
  } catch {
    throw cancelled();
  }
  if (numbers.includes(connection.failAt))
    throw new AppError({ code: connection.failCode, message: 'The fake failed', detail: 'as it was told' });
  if (numbers.includes(connection.throwAt))
    setImmediate(() => {
      throw new Error('a defect');
    });
  if (numbers.includes(connection.exitAt)) process.exit(3);
  const hits = new Int32Array(connection.hits);
  for (const number of numbers) Atomics.add(hits, number, 1);
}

const driver: Pick<Driver, 'openWriter' | 'openReader' | 'openClient'> = {
  async openWriter(endpoint): Promise<Writer> {
    const connection = connectionSchema.parse(endpoint.connection);
    if (connection.refuse) throw new AppError({ code: 'connection-refused', message: 'Nobody is at home' });
    let pending: number[] = [];
    return {
      get pending() {
        return pending.length;
      },
      row(_table, _device, _timeMs, _nanos, values) {
        pending.push(values[0] ?? Number.NaN);
      },
      async flush(signal) {
        const batch = pending;
        pending = [];
        await serve(connection, batch, signal);
        return batch.length * 20;
      },
      close: async () => undefined,
    };
  },
  async openReader(endpoint) {
    const connection = connectionSchema.parse(endpoint.connection);
    return {
      async run(query, signal) {
        await serve(connection, [Number(query.text)], signal);
        return { rows: 2, bytes: 30 };
      },
      close: async () => undefined,
    };
  },
  async openClient(endpoint, _database, signal) {
    const connection = connectionSchema.parse(endpoint.connection);
    return fakeClient((text) => serve(connection, [Number(text)], signal));
  },
};

const nowhere = async () => {
  throw new Error('the fake has no control connection');
};
export const fakeRegistries: Registries = {
  findWorkload: () => workload,
  findDriver: () => ({
    id: 'fake',
    label: 'Fake',
    description: '',
    builtIn: false,
    connection: z.object({}),
    loadOptions: z.object({}),
    parseUrl: () => null,
    resolve: nowhere,
    openSession: nowhere,
    ...driver,
  }),
};

export const fakeEntry = new URL('./fakeThread.ts', import.meta.url);
