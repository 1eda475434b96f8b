import { AppError } from '../../../src-shared/errors.ts';
import { partsOfEnvironment, partsOfName, targetOf } from '../commandLine/server.ts';
import type { CommandLineReader, LeftOut, ReadLine } from '../commandLine/tool.ts';
import type { Word } from '../commandLine/words.ts';
import {
  type Command,
  commands,
  knownOptions,
  type OptionValue,
  otherFlags,
  parsedValue,
  readOptions,
  reasonFor,
} from './commandLineOptions.ts';
import { scriptOf, testOf } from './commandLineScript.ts';
import { prepareOptions } from './prepareOptions.ts';
import { runOptions } from './runOptions.ts';
import type { ScriptName } from './scripts.ts';

interface Given {
  name: string;
  value: string | null;
  word: Word;
}

/**
 * Reads the words behind `sysbench`: the forms of 1.0 (`oltp_read_write run`), 0.5 (`--test=…/oltp.lua`) and 0.4
 * (`--test=oltp`). Where an option stands more than once the last one counts, as for sysbench.
 * @throws AppError `bad-input` where it is no OLTP test of a database
 */
export const readSysbenchLine: CommandLineReader = (words, { environment }): ReadLine => {
  const { options, names } = sortOut(words);
  const leftOut: LeftOut[] = [];
  const skip = ({ word, name }: Given, reason = reasonFor(name)) =>
    leftOut.push({ option: name.endsWith('-password') ? `--${name}` : word.text, reason });
  const values: Record<string, OptionValue> = {};
  const read = new Map<string, string>();
  for (const given of options) {
    const { name, value, word } = given;
    const known = knownOptions.get(name);
    if (word.expands) skip(given, 'only a shell can work it out: write its value');
    else if (readOptions.has(name)) read.set(name, value ?? 'on');
    else if (known === undefined) skip(given);
    else {
      const parsed = parsedValue(value, known.kind);
      if (name === 'pgsql-db' && typeof parsed === 'string') takeDatabase(parsed);
      else if (parsed === null)
        skip(given, `${known.kind === 'whole' ? 'a whole number' : 'a value'} is needed`);
      else values[known.key] = parsed;
    }
  }
  /** As libpq takes it from sysbench, which names host, port and user itself: a URL or `dbname=… password=…` too. */
  function takeDatabase(text: string): void {
    const { database, sslmode } = partsOfName(text, leftOut);
    if (database !== undefined) values.dbName = database;
    if (sslmode !== undefined) read.set('pgsql-sslmode', sslmode);
  }
  const test = testOf(read, names[0]);
  const command = commandOf(read.has('test') ? names[0] : names[1], leftOut);
  const driver = read.get('db-driver');
  if (driver !== undefined && driver !== 'pgsql')
    leftOut.push({ option: `--db-driver=${driver}`, reason: 'PostgreSQL is measured here' });
  const { script } = test;
  return {
    name: command === 'run' ? `sysbench ${script}` : `sysbench ${script}, ${command}`,
    target: serverOf(read, options, partsOfEnvironment(environment, leftOut).sslmode),
    steps: [stepOf(command, { ...test.implied, ...values }, script, leftOut)],
    leftOut,
  };
};

/** Options, each with its value, and the other words: the test's name and the command. */
function sortOut(words: readonly Word[]): { options: Given[]; names: string[] } {
  const options: Given[] = [];
  const names: string[] = [];
  for (let i = 0; i < words.length; i += 1) {
    const word = words[i];
    if (word === undefined) break;
    const split = /^--([^=]+)(?:=([\s\S]*))?$/.exec(word.text);
    if (split === null) {
      names.push(word.text);
      continue;
    }
    const name = (split[1] ?? '').replaceAll('_', '-');
    const next = words[i + 1];
    const takesNext = split[2] === undefined && needsValue(name) && next && isValue(next.text);
    if (takesNext) i += 1;
    options.push({ name, value: split[2] ?? (takesNext ? next.text : null), word });
  }
  return { options, names };
}

/** Nothing else that can stand there. */
function isValue(text: string): boolean {
  return !text.startsWith('--') && !commands.some((command) => command === text) && scriptOf(text) === null;
}

/** sysbench wants `=`; a blank is what people write from memory. */
function needsValue(name: string): boolean {
  const known = knownOptions.get(name);
  return known ? known.kind !== 'flag' : !otherFlags.has(name);
}

function commandOf(name: string | undefined, leftOut: LeftOut[]): Command {
  const command = commands.find((candidate) => candidate === name);
  if (command !== undefined) return command;
  if (name !== undefined)
    throw new AppError({
      code: 'bad-input',
      message: `There is no command ${JSON.stringify(name)} of sysbench that can be run here`,
      hint: 'Commands are prepare, run and cleanup.',
    });
  leftOut.push({
    option: 'no command',
    reason: 'sysbench wants prepare, run or cleanup at the end: taken as run',
  });
  return 'run';
}

/** The server, where the line speaks of PostgreSQL at all, with sysbench's own words for what it leaves out. */
function serverOf(
  read: ReadonlyMap<string, string>,
  options: readonly Given[],
  sslmodeAround: string | undefined,
): string | null {
  const speaks = options.some(({ name }) => name.startsWith('pgsql-')) || read.get('db-driver') === 'pgsql';
  if (!speaks) return null;
  const port = read.get('pgsql-port');
  const sslmode = read.get('pgsql-sslmode') ?? sslmodeAround;
  return targetOf({
    host: read.get('pgsql-host') ?? 'localhost',
    user: read.get('pgsql-user') ?? 'sbtest',
    ...(port !== undefined && { port }),
    ...(sslmode !== undefined && { sslmode }),
  });
}

function stepOf(
  command: Command,
  values: Record<string, OptionValue>,
  script: ScriptName,
  leftOut: LeftOut[],
): Record<string, Record<string, OptionValue>> {
  const only = (keys: object) => Object.fromEntries(Object.entries(values).filter(([key]) => key in keys));
  switch (command) {
    case 'run':
      return { 'sysbench.run': { script, ...only(runOptions) } };
    case 'cleanup':
      // The line names the tables to be dropped, whoever made them.
      return {
        'sysbench.cleanup': { ...only({ dbName: 0, tables: 0, sysbenchVersion: 0 }), replaceTables: true },
      };
    case 'prepare': {
      const own = only(prepareOptions);
      if (script !== 'oltp_insert' || values.autoInc !== false) return { 'sysbench.prepare': own };
      leftOut.push({
        option: '--table-size',
        reason: 'sysbench prepares empty tables for oltp_insert with ids of the client’s',
      });
      return { 'sysbench.prepare': { ...own, tableSize: 0 } };
    }
  }
}
