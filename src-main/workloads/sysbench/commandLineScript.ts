import { entryOf } from '../../../src-shared/entryOf.ts';
import { AppError } from '../../../src-shared/errors.ts';
import { commands, type OptionValue, parsedValue } from './commandLineOptions.ts';
import { type ScriptName, scriptNames } from './scripts.ts';

/** One of 1.0's scripts, by its name or its file. */
export function scriptOf(test: string): ScriptName | null {
  return scriptNames.find((name) => name === baseOf(test)) ?? null;
}
const baseOf = (test: string): string => (test.split('/').at(-1) ?? test).replace(/\.lua$/, '');

/**
 * The script, and what an older sysbench means without being told.
 * @throws AppError `bad-input` where it is none of a database
 */
export function testOf(
  read: ReadonlyMap<string, string>,
  first: string | undefined,
): { script: ScriptName; implied: Record<string, OptionValue> } {
  const test = read.get('test') ?? first;
  if (test === undefined || commands.some((command) => command === test))
    throw new AppError({
      code: 'bad-input',
      message: 'The command line names no test of sysbench',
      hint: `Tests are ${scriptNames.join(', ')}.`,
    });
  const script = scriptOf(test);
  if (script !== null) return { script, implied: {} };
  const base = baseOf(test);
  const older = { events: 10_000, time: 0 };
  if (base === 'oltp' && !test.endsWith('.lua'))
    return { script: earlyScript(read), implied: { ...older, sysbenchVersion: '0.4' } };
  const lua = entryOf(scriptsOf05, base);
  if (lua !== undefined) return { script: base === 'oltp' ? lockedDown(read) : lua, implied: older };
  throw new AppError({
    code: 'bad-input',
    message: `sysbench’s test ${base} is not one of those that can be run here`,
    hint: `Tests are ${scriptNames.join(', ')}.`,
  });
}

/** The Lua scripts of 0.5. */
const scriptsOf05: Readonly<Record<string, ScriptName>> = {
  oltp: 'oltp_read_write',
  oltp_simple: 'oltp_point_select',
  select: 'oltp_point_select',
  insert: 'oltp_insert',
  delete: 'oltp_delete',
  update_index: 'oltp_update_index',
  update_non_index: 'oltp_update_non_index',
  parallel_prepare: 'oltp_read_write',
};

const isOn = (value: string | undefined) => value !== undefined && parsedValue(value, 'flag') === true;

function lockedDown(read: ReadonlyMap<string, string>): ScriptName {
  if (isOn(read.get('oltp-read-only'))) return 'oltp_read_only';
  return isOn(read.get('oltp-write-only')) ? 'oltp_write_only' : 'oltp_read_write';
}

/** 0.4 says with two options what later became scripts. @throws AppError for stored procedures */
function earlyScript(read: ReadonlyMap<string, string>): ScriptName {
  const mode = read.get('oltp-test-mode') ?? 'complex';
  if (mode === 'simple') return 'oltp_point_select';
  if (mode === 'complex') return lockedDown(read);
  const statement = mode === 'nontrx' ? (read.get('oltp-nontrx-mode') ?? 'select') : mode;
  const script = entryOf(scriptsOfNontrx, statement);
  if (script !== undefined) return script;
  throw new AppError({
    code: 'bad-input',
    message: `The mode ${statement} of sysbench 0.4 cannot be run here`,
    hint: 'Modes are simple, complex and nontrx.',
  });
}

const scriptsOfNontrx: Readonly<Record<string, ScriptName>> = {
  select: 'oltp_point_select',
  update_key: 'oltp_update_index',
  update_nokey: 'oltp_update_non_index',
  insert: 'oltp_insert',
  delete: 'oltp_delete',
};
