import type { SqlClient, SqlOutcome, SqlType, SqlValue } from '../../databases/sqlClient.ts';
import { createDraw } from './distributions.ts';
import type { Random } from './random.ts';
import type { RunOptions } from './runOptions.ts';
import { literal, prepared, type Statement } from './statements.ts';
import { constantC, constantPad, tableNames } from './tables.ts';
import { randomC, randomPad } from './texts.ts';
import type { UniqueIds } from './uniqueIds.ts';

/** One client on one connection. */
export interface Session {
  client: SqlClient;
  options: RunOptions;
  /** Of the client, from 0. */
  number: number;
  random: Random;
  ids: UniqueIds;
}

/** A part of an event: its steps in order, `times` over. */
export interface Part {
  readonly times: number;
  /** Draws the table, once for the whole part. */
  begin(): void;
  readonly steps: readonly PartStep[];
}

export interface PartStep {
  /** Draws the values and runs the statement. */
  run(): Promise<SqlOutcome>;
  /** One for each table. */
  readonly statements: readonly Statement[];
}

/** A statement of a part: `#` stands for the table, `?` for a value. */
interface Kind {
  template: string;
  types: readonly SqlType[];
  fill(values: SqlValue[]): void;
  /** Never prepared, whatever the options say. */
  asText?: boolean;
}

/** What one event of the script does, in order. The statements are declared, each for every table. */
export function openParts(session: Session): Part[] {
  return plannedParts(session)
    .filter(([times]) => times > 0)
    .map(([times, ...kinds]) => openPart(session, times, kinds));
}

function openPart(session: Session, times: number, kinds: readonly Kind[]): Part {
  const { client, options, random } = session;
  const names = tableNames(options);
  let table = 0;
  return {
    times,
    begin() {
      if (names.length > 1) table = random.between(0, names.length - 1);
    },
    steps: kinds.map(({ template, types, fill, asText }) => {
      const literally = asText || options.dbPsMode === 'disable';
      const statements = (template.includes('#') ? names : ['']).map((name) => {
        const text = template.replace('#', name);
        return literally ? literal(client, text) : prepared(client, text, types);
      });
      // One array for all executions: the client reads it before its call returns.
      const values = new Array<SqlValue>(template.split('?').length - 1).fill(null);
      return {
        statements,
        run() {
          fill(values);
          const statement = statements[table] ?? statements[0];
          if (statement === undefined) throw new Error('a plan without tables');
          return statement.run(values);
        },
      };
    }),
  };
}

const int: SqlType = 'bigint';
const text: SqlType = 'varchar';

function plannedParts(session: Session): (readonly [number, ...Kind[]])[] {
  const { options: o, random, ids } = session;
  const early = o.sysbenchVersion === '0.4';
  const draw = createDraw(random, o, early);
  const id = () => draw(1, Math.max(1, o.tableSize));

  const plain = (template: string): Kind => ({ template, types: [], fill: nothing });
  const byId = (template: string): Kind => ({
    template,
    types: [int],
    fill(values) {
      values[0] = id();
    },
  });
  /** @param more rows than the usual range has */
  const range = (what: string, more = '', longer = 0): Kind => ({
    template: `SELECT ${what} FROM # WHERE id BETWEEN ? AND ?${more}`,
    types: [int, int],
    fill(values) {
      const from = id();
      const to = from + o.rangeSize - 1;
      values[0] = from;
      values[1] = (early ? Math.min(to, o.tableSize) : to) + longer;
    },
  });
  const nonIndexUpdate: Kind = {
    template: 'UPDATE # SET c=? WHERE id=?',
    types: [text, int],
    fill(values) {
      values[0] = randomC(random);
      values[1] = id();
    },
  };
  const indexUpdate = byId('UPDATE # SET k=k+1 WHERE id=?');

  function deleteInsert(): Kind[] {
    let chosen = 0;
    const sameId = (template: string, first: boolean): Kind => ({
      template,
      types: [int],
      fill(values) {
        if (first) chosen = id();
        values[0] = chosen;
      },
    });
    const insert: Kind = {
      template: 'INSERT INTO # (id, k, c, pad) VALUES (?, ?, ?, ?)',
      types: [int, int, text, text],
      fill(values) {
        values[0] = chosen;
        values[1] = early ? 0 : id();
        values[2] = early ? constantC : randomC(random);
        values[3] = early ? constantPad : randomPad(random);
      },
    };
    return [
      ...(o.lockingUpdate ? [sameId('UPDATE # SET k=k+1 WHERE id=?', true)] : []),
      sameId('DELETE FROM # WHERE id=?', !o.lockingUpdate),
      insert,
    ];
  }

  const ranges = (n: number) => (o.rangeSelects ? n : 0);
  const reads = [
    [o.pointSelects, byId('SELECT c FROM # WHERE id=?')],
    [ranges(o.simpleRanges), range('c')],
    [ranges(o.sumRanges), range('SUM(k)')],
    [ranges(o.orderRanges), range('c', ' ORDER BY c')],
    [ranges(o.distinctRanges), range('DISTINCT c', ' ORDER BY c', early ? 1 : 0)],
  ] as const;
  const writes = [
    [o.indexUpdates, indexUpdate],
    [o.nonIndexUpdates, nonIndexUpdate],
    [o.deleteInserts, ...deleteInsert()],
  ] as const;
  const transaction = (parts: readonly (readonly [number, ...Kind[]])[]) =>
    o.skipTrx ? [...parts] : [[1, plain('BEGIN')] as const, ...parts, [1, plain('COMMIT')] as const];

  switch (o.script) {
    case 'oltp_point_select':
      return [[1, byId('SELECT c FROM # WHERE id=?')]];
    case 'oltp_read_only':
      return transaction(reads);
    case 'oltp_read_write':
      return transaction([...reads, ...writes]);
    case 'oltp_write_only':
      return transaction(writes);
    case 'oltp_update_index':
      return [[o.indexUpdates, indexUpdate]];
    case 'oltp_update_non_index':
      return [[o.nonIndexUpdates, nonIndexUpdate]];
    case 'oltp_insert':
      return [[1, insertOnly(session, early, id, ids)]];
    case 'oltp_delete':
      return [[1, byId('DELETE FROM # WHERE id=?')]];
    case 'select_random_points':
    case 'select_random_ranges':
      return [[1, byK(session, draw)]];
  }
}

/** sysbench never prepares it. */
function insertOnly({ options, random }: Session, early: boolean, k: () => number, ids: UniqueIds): Kind {
  const ownId = options.autoInc ? 0 : 1;
  return {
    template: options.autoInc
      ? 'INSERT INTO # (k, c, pad) VALUES (?, ?, ?)'
      : 'INSERT INTO # (id, k, c, pad) VALUES (?, ?, ?, ?)',
    types: [],
    asText: true,
    fill(values) {
      if (ownId === 1) values[0] = ids.next();
      values[ownId] = early ? 0 : k();
      values[ownId + 1] = early ? constantC : randomC(random);
      values[ownId + 2] = early ? constantPad : randomPad(random);
    },
  };
}

/** The two scripts that read the first table by `k`; each client has a slice of the values of its own. */
function byK({ options: o, number }: Session, draw: (from: number, to: number) => number): Kind {
  const name = tableNames(o)[0];
  const slice = o.tableSize / o.threads;
  const from = Math.floor(slice * number);
  const to = Math.floor(slice * (number + 1));
  if (o.script === 'select_random_points')
    return {
      template: `SELECT id, k, c, pad FROM ${name} WHERE k IN (${Array(o.randomPoints).fill('?').join(', ')})`,
      types: Array(o.randomPoints).fill(int),
      fill(values) {
        for (let i = 0; i < o.randomPoints; i += 1) values[i] = draw(from, to);
      },
    };
  const ranges = Array(o.numberOfRanges).fill('k BETWEEN ? AND ?').join(' OR ');
  return {
    template: `SELECT count(k) FROM ${name} WHERE ${ranges}`,
    types: Array(o.numberOfRanges * 2).fill(int),
    fill(values) {
      for (let i = 0; i < o.numberOfRanges; i += 1) {
        const low = draw(from, to);
        values[i * 2] = low;
        values[i * 2 + 1] = low + o.delta;
      }
    },
  };
}

function nothing(): void {
  // a statement without values
}
