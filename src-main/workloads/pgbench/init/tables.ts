import type { InitOptions } from './options.ts';

/** What pgbench's tables are made of, statement by statement. */

export const accountsPerScale = 100_000;
export const tellersPerScale = 10;
/** From this scale on ids of accounts are 64-bit. */
const wideScale = 20_000;

/** The four tables; the partitions of accounts are made and dropped with it. */
export const tableNames = ['pgbench_accounts', 'pgbench_branches', 'pgbench_history', 'pgbench_tellers'];

export const dropTables = `DROP TABLE IF EXISTS ${tableNames.join(', ')}`;
export const truncateTables = `TRUNCATE TABLE ${tableNames.join(', ')}`;

export const vacuumTables = ['branches', 'tellers', 'accounts', 'history'].map(
  (name) => `VACUUM ANALYZE pgbench_${name}`,
);

export function createTables(options: InitOptions): string[] {
  const { fillfactor, scale } = options;
  const aid = scale >= wideScale ? 'bigint' : 'int';
  const storage = ` WITH (fillfactor=${fillfactor})`;
  const place = options.tablespace === '' ? '' : ` TABLESPACE ${quoted(options.tablespace)}`;
  const table = (name: string, columns: string, more: string, unlogged = options.unloggedTables) =>
    `CREATE${unlogged ? ' UNLOGGED' : ''} TABLE pgbench_${name}(${columns})${more}${place}`;
  const isParent = options.partitions > 0;
  const accounts = isParent ? ` PARTITION BY ${options.partitionMethod} (aid)` : storage;
  return [
    table('history', `tid int, bid int, aid ${aid}, delta int, mtime timestamp, filler char(22)`, ''),
    table('tellers', 'tid int NOT NULL, bid int, tbalance int, filler char(84)', storage),
    // A partitioned table has no storage of its own; from PostgreSQL 18 on it cannot be unlogged.
    table(
      'accounts',
      `aid ${aid} NOT NULL, bid int, abalance int, filler char(84)`,
      accounts,
      options.unloggedTables && !isParent,
    ),
    table('branches', 'bid int NOT NULL, bbalance int, filler char(88)', storage),
    ...createPartitions(options, storage),
  ];
}

function createPartitions(options: InitOptions, storage: string): string[] {
  const { partitions, partitionMethod, scale, unloggedTables } = options;
  const size = Math.ceil((accountsPerScale * scale) / partitions);
  const bounds = (part: number) => {
    if (partitionMethod === 'hash') return `WITH (MODULUS ${partitions}, REMAINDER ${part - 1})`;
    const from = part === 1 ? 'MINVALUE' : (part - 1) * size + 1;
    const to = part === partitions ? 'MAXVALUE' : part * size + 1;
    return `FROM (${from}) TO (${to})`;
  };
  return Array.from(
    { length: partitions },
    (_, index) =>
      `CREATE${unloggedTables ? ' UNLOGGED' : ''} TABLE pgbench_accounts_${index + 1} ` +
      `PARTITION OF pgbench_accounts FOR VALUES ${bounds(index + 1)}${storage}`,
  );
}

export function primaryKeys({ indexTablespace }: InitOptions): string[] {
  const place = indexTablespace === '' ? '' : ` USING INDEX TABLESPACE ${quoted(indexTablespace)}`;
  return [
    ['branches', 'bid'],
    ['tellers', 'tid'],
    ['accounts', 'aid'],
  ].map(([table, column]) => `ALTER TABLE pgbench_${table} ADD PRIMARY KEY (${column})${place}`);
}

export const foreignKeys = [
  ['tellers', 'bid', 'branches'],
  ['accounts', 'bid', 'branches'],
  ['history', 'bid', 'branches'],
  ['history', 'tid', 'tellers'],
  ['history', 'aid', 'accounts'],
].map(
  ([table, column, other]) =>
    `ALTER TABLE pgbench_${table} ADD CONSTRAINT pgbench_${table}_${column}_fkey FOREIGN KEY (${column}) REFERENCES pgbench_${other}`,
);

/** Step `G`: rows made by the server. */
export function serverSideRows({ scale }: InitOptions): string[] {
  return [
    `INSERT INTO pgbench_branches(bid, bbalance) SELECT bid, 0 FROM generate_series(1, ${scale}) AS bid`,
    'INSERT INTO pgbench_tellers(tid, bid, tbalance) ' +
      `SELECT tid, (tid - 1) / ${tellersPerScale} + 1, 0 FROM generate_series(1, ${tellersPerScale * scale}) AS tid`,
    'INSERT INTO pgbench_accounts(aid, bid, abalance, filler) ' +
      `SELECT aid, (aid - 1) / ${accountsPerScale} + 1, 0, '' FROM generate_series(1, ${accountsPerScale * scale}::bigint) AS aid`,
  ];
}

/** Step `g`: branches and tellers, one row a statement as pgbench 15 does it. */
export function* smallRows({ scale }: InitOptions): Generator<string> {
  for (let bid = 1; bid <= scale; bid++)
    yield `INSERT INTO pgbench_branches(bid, bbalance) VALUES (${bid}, 0)`;
  for (let tid = 1; tid <= tellersPerScale * scale; tid++)
    yield `INSERT INTO pgbench_tellers(tid, bid, tbalance) VALUES (${tid}, ${Math.ceil(tid / tellersPerScale)}, 0)`;
}

function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}
