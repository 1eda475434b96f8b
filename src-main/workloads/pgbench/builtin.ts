/** pgbench's built-in scripts. */

export interface BuiltinScript {
  name: string;
  /** As reports call it. */
  description: string;
  /** For people choosing one. */
  help: string;
  text: string;
}

const draws = `\\set aid random(1, 100000 * :scale)
\\set bid random(1, 1 * :scale)
\\set tid random(1, 10 * :scale)
\\set delta random(-5000, 5000)
`;
const updateAccount = 'UPDATE pgbench_accounts SET abalance = abalance + :delta WHERE aid = :aid;\n';
const selectAccount = 'SELECT abalance FROM pgbench_accounts WHERE aid = :aid;\n';
const insertHistory =
  'INSERT INTO pgbench_history (tid, bid, aid, delta, mtime) VALUES (:tid, :bid, :aid, :delta, CURRENT_TIMESTAMP);\n';

export const builtinScripts: readonly BuiltinScript[] = [
  {
    name: 'tpcb-like',
    description: '<builtin: TPC-B (sort of)>',
    help: 'A bank booking: three updates, a select, an insert. With more clients than the scale it mostly measures how they wait for branches.',
    text: `${draws}BEGIN;\n${updateAccount}${selectAccount}UPDATE pgbench_tellers SET tbalance = tbalance + :delta WHERE tid = :tid;\nUPDATE pgbench_branches SET bbalance = bbalance + :delta WHERE bid = :bid;\n${insertHistory}END;\n`,
  },
  {
    name: 'simple-update',
    description: '<builtin: simple update>',
    help: 'The same without tellers and branches: few rows are wanted by two at a time.',
    text: `${draws}BEGIN;\n${updateAccount}${selectAccount}${insertHistory}END;\n`,
  },
  {
    name: 'select-only',
    description: '<builtin: select only>',
    help: 'One account by its key.',
    text: `\\set aid random(1, 100000 * :scale)\n${selectAccount}`,
  },
];

/** The built-in script with this name or the only one that begins with it; how many begin with it where not one does. */
export function findBuiltin(name: string): BuiltinScript | { found: number } {
  const found = builtinScripts.filter((script) => script.name.startsWith(name));
  const [only] = found;
  return only !== undefined && found.length === 1 ? only : { found: found.length };
}
