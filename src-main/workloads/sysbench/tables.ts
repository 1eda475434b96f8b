import type { ResolvedStep } from '../workload.ts';
import type { sysbenchVersions } from './dataOptions.ts';

export type SysbenchVersion = (typeof sysbenchVersions)[number];

/** 0.4 has a single table without a number. @param number from 1 */
export function tableName(version: SysbenchVersion, number: number): string {
  return version === '0.4' ? 'sbtest' : `sbtest${number}`;
}

export function tableNames(options: { sysbenchVersion: SysbenchVersion; tables: number }): string[] {
  return Array.from({ length: options.tables }, (_, i) => tableName(options.sysbenchVersion, i + 1));
}

/** The table as sysbench makes it, column by column. */
export function createTable(name: string, autoInc: boolean): string {
  const id = autoInc ? 'id SERIAL' : 'id INTEGER NOT NULL';
  return (
    `CREATE TABLE ${name} (${id}, k INTEGER DEFAULT '0' NOT NULL, c CHAR(120) DEFAULT '' NOT NULL, ` +
    "pad CHAR(60) DEFAULT '' NOT NULL, PRIMARY KEY (id))"
  );
}

/** 1.0 numbers the index as its table, 0.4 calls it `k`. @param number of the table, from 1 */
export function createIndex(version: SysbenchVersion, number: number): string {
  const index = version === '0.4' ? 'k' : `k_${number}`;
  return `CREATE INDEX ${index} ON ${tableName(version, number)}(k)`;
}

/** What every row of 0.4 has in `c` and in `pad`, and `k` 0. */
export const constantC = ' ';
export const constantPad = 'qqqqqqqqqqwwwwwwwwwweeeeeeeeeerrrrrrrrrrtttttttttt';

/** What is wrong with a step's tables, whichever step it is. */
export function tableProblems(options: {
  sysbenchVersion: SysbenchVersion;
  tables: number;
}): { path: string; message: string; hint: string | null }[] {
  if (options.sysbenchVersion !== '0.4' || options.tables === 1) return [];
  const message = 'sysbench 0.4 has one table, without a number';
  return [{ path: 'tables', message, hint: 'Set tables: 1, or sysbenchVersion: 1.0.' }];
}

/** What the last prepare step says of the tables. One that could not be read says nothing of some. */
export function preparedTables(before: readonly ResolvedStep[]): Record<string, unknown> {
  const { dbName, tables, tableSize, autoInc, sysbenchVersion } =
    before.findLast(({ id }) => id === 'sysbench.prepare')?.parameters ?? {};
  const said = { dbName, tables, tableSize, autoInc, sysbenchVersion };
  return Object.fromEntries(Object.entries(said).filter(([, value]) => value !== undefined));
}
