/** sysbench's ten OLTP scripts. `forced`: counts that a script has whatever the options say. */
export const scripts = [
  { name: 'oltp_point_select', help: 'one row by its id, no transaction' },
  { name: 'oltp_read_only', help: '10 rows by id and 4 ranges in a transaction' },
  { name: 'oltp_read_write', help: 'the reads of read_only, then 2 updates, a delete and an insert' },
  { name: 'oltp_write_only', help: '2 updates, a delete and an insert in a transaction' },
  { name: 'oltp_update_index', help: 'counts up the indexed column of one row' },
  { name: 'oltp_update_non_index', help: 'writes the column without an index of one row' },
  { name: 'oltp_insert', help: 'one new row; tables grow' },
  { name: 'oltp_delete', help: 'deletes one row for good; tables run empty' },
  { name: 'select_random_points', help: '10 values of the indexed column in one query' },
  { name: 'select_random_ranges', help: '10 ranges of the indexed column in one query' },
] as const;

export type ScriptName = (typeof scripts)[number]['name'];
const [first, ...rest] = scripts.map(({ name }) => name);
export const scriptNames: [ScriptName, ...ScriptName[]] = [first ?? 'oltp_read_write', ...rest];
