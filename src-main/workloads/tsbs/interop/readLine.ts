import { stepParameters } from '../../../../src-shared/model/plan.ts';
import { targetOf } from '../../commandLine/server.ts';
import type { CommandLineReader, CommandLineTool, Given, LeftOut, ReadLine } from '../../commandLine/tool.ts';
import type { Word } from '../../commandLine/words.ts';
import { loadStep } from '../load/loadStep.ts';
import { queriesStep } from '../queries/queriesStep.ts';
import { findQueryType, queryTypeNames } from '../queries/queryTypes.ts';
import { readFlags, takeFlags } from './flags.ts';
import { joinLines } from './joinLines.ts';
import { questdbTarget } from './questdbTarget.ts';
import { keyKind, nameOf, readConfig, readKeys } from './readConfig.ts';
import { isScript, isVariable, startedBy } from './scripts.ts';
import { Settings } from './settings.ts';
import { generatorDefaults, overTcp } from './stepOf.ts';
import {
  generateDataUses,
  generateQueriesUses,
  loadQuestdbUses,
  loadTimescaleUses,
  noCarriers,
  noFile,
  runQuestdbUses,
  runTimescaleUses,
} from './uses.ts';

const programs = /^tsbs_(?:load|generate_data|generate_queries|(?:load|run_queries)_[a-z0-9]+)$/;
const generators = ['tsbs_generate_data', 'tsbs_generate_queries', 'generate_data.sh', 'generate_queries.sh'];

/** TSBS: its generators, loaders and query runners, and the scripts that come with it. */
export const tsbsCommandLines: CommandLineTool = {
  name: 'TSBS',
  runs: (program) => programs.test(program) || isScript(program),
  read(words, given) {
    const line = isScript(given.program) ? readScript(words, given) : readProgram(words, given);
    const variables = [...given.environment.keys()].filter((name) => !isVariable(name));
    const reason = 'TSBS takes nothing from this variable';
    return { ...line, leftOut: [...line.leftOut, ...variables.map((option) => ({ option, reason }))] };
  },
  join: joinLines,
  carriers: noCarriers,
  output: (program) => (generators.includes(program) ? noFile : null),
};

const readProgram: CommandLineReader = (words, given) => {
  const { program } = given;
  if (program === 'tsbs_load') return readLoad(words, given);
  if (program === 'tsbs_generate_data') return readGenerateData(words, given);
  if (program === 'tsbs_generate_queries') return readGenerateQueries(words, given);
  return program.startsWith('tsbs_load_') ? readLoader(words, given) : readRunner(words, given);
};

function readGenerateData(words: readonly Word[], { output }: Given): ReadLine {
  const settings = new Settings(loadStep.parameters);
  takeFlags(settings, words, generateDataUses, 'tsbs_generate_data');
  const parameters = { ...generatorDefaults, ...settings.parameters };
  return lineOf('data', settings, { 'tsbs.load': parameters }, null, settings.special('file') ?? output);
}

function readGenerateQueries(words: readonly Word[], { output }: Given): ReadLine {
  const settings = new Settings(queriesStep.parameters);
  takeFlags(settings, words, generateQueriesUses, 'tsbs_generate_queries');
  const type = settings.special('query-type');
  const isKnown = type !== null && findQueryType(type) !== undefined;
  if (type !== null && !isKnown)
    settings.skip({ shown: `--query-type=${type}` }, `query types are ${queryTypeNames.join(', ')}`);
  const parameters = { ...generatorDefaults, ...settings.parameters, ...(isKnown && { types: [type] }) };
  return lineOf(
    'queries',
    settings,
    { 'tsbs.queries': parameters },
    null,
    settings.special('file') ?? output,
  );
}

function readLoader(words: readonly Word[], { program, input }: Given): ReadLine {
  const settings = new Settings(loadStep.parameters);
  const isQuestdb = program === 'tsbs_load_questdb';
  if (!isQuestdb && program !== 'tsbs_load_timescaledb')
    settings.skip({ shown: program }, otherDatabase('the load is'));
  takeFlags(settings, words, isQuestdb ? loadQuestdbUses : loadTimescaleUses, program);
  const file = settings.special('file') ?? input;
  if (isQuestdb)
    settings.skip(
      { shown: program },
      'it loads over TCP, where nothing is acknowledged, and so does the plan: with ilpTransport: http each batch is',
    );
  const parameters = { ...settings.parameters, ...(isQuestdb && overTcp) };
  const line = lineOf('load', settings, { 'tsbs.load': parameters }, file, null);
  return { ...line, target: targetFrom(program, settings) };
}

function otherDatabase(what: string): string {
  return `its database is no target here: ${what} taken over, the target is to be chosen`;
}

function readRunner(words: readonly Word[], { program, input }: Given): ReadLine {
  const settings = new Settings(queriesStep.parameters);
  const isQuestdb = program === 'tsbs_run_queries_questdb';
  if (!isQuestdb && program !== 'tsbs_run_queries_timescaledb')
    settings.skip({ shown: program }, otherDatabase('the queries are'));
  takeFlags(settings, words, isQuestdb ? runQuestdbUses : runTimescaleUses, program);
  const [host, ...others] = settings.special('hosts')?.split(',') ?? [];
  if (host) settings.server.host = host;
  for (const other of others)
    settings.skip({ shown: `--hosts: ${other}` }, 'a plan has one target: the first host is taken');
  const file = settings.special('file') ?? input;
  const line = lineOf('run', settings, { 'tsbs.queries': settings.parameters }, file, null);
  return { ...line, name: 'TSBS queries', target: targetFrom(program, settings) };
}

function lineOf(
  kind: string,
  settings: Settings,
  step: ReadLine['steps'][number],
  input: string | null,
  output: string | null,
): ReadLine {
  return {
    ...{ name: nameOf(stepParameters(step)), target: null, steps: [step] },
    leftOut: settings.leftOut,
    part: { kind, input, output },
  };
}

/** The server that a program of TSBS would go to. The built-in PostgreSQL does for one that names none, but for QuestDB's. */
function targetFrom(program: string, settings: Settings): string | null {
  const { server } = settings;
  if (program.endsWith('_timescaledb')) return targetOf(server, server.database);
  if (!program.endsWith('_questdb')) return null;
  const [url] = settings.special('url')?.split(',') ?? [];
  const ilp = settings.special('ilp');
  const host = server.host ?? (ilp === null ? 'localhost' : null);
  const named = host === null ? null : `http://${host.includes(':') ? `[${host}]` : host}:9000/`;
  return questdbTarget(url ?? named, ilp, server.user);
}

/** `tsbs_load load timescaledb --config=config.yaml --loader.runner.workers=4`; `tsbs_load config` makes a file and no load. */
function readLoad(words: readonly Word[], { files }: Given): ReadLine {
  const { flags, others } = readFlags(words, keyKind);
  const [command] = others;
  if (command?.text !== 'load')
    return {
      ...{ name: 'TSBS', target: null, steps: [] },
      leftOut: [
        {
          option: `tsbs_load ${command?.text ?? ''}`.trim(),
          reason: 'it loads nothing: tsbs_load load does',
        },
      ],
    };
  const file = flags.find(({ name }) => name === 'config')?.text ?? './config.yaml';
  const text = files.get(file);
  const fromFlags = flags.filter(({ name }) => name !== 'config');
  const leftOut: LeftOut[] = fromFlags
    .filter(({ expands }) => expands)
    .map(({ shown }) => ({ option: shown, reason: 'only a shell can work it out: write its value' }));
  const keys = fromFlags.filter(({ expands }) => !expands);
  const config = text === undefined ? { ...readKeys(keys), mistakes: [] } : readConfig(text, file, keys);
  for (const { message, hint, line, column } of config.mistakes)
    leftOut.push({ option: `${file}: ${message}`, reason: hint, place: { line, column } });
  if (text === undefined)
    leftOut.push({ option: file, reason: 'the configuration’s text is not known here: choose the file' });
  return {
    ...{ name: config.name, target: config.target, steps: [config.step] },
    leftOut: [...config.leftOut, ...leftOut],
    ...(text === undefined && { missingFiles: [file] }),
    part: { kind: 'whole', input: null, output: null },
  };
}

/** The programs that a script starts, as if their lines had been typed. */
function readScript(words: readonly Word[], given: Given): ReadLine {
  const { started, kind, workersOfMachine } = startedBy(given.program, given.environment);
  const lines = started.map(({ program, flags }) =>
    readProgram(
      Object.entries(flags).map(([name, value]) => asWord(`--${name}=${value}`)),
      { ...given, program, input: null, output: null },
    ),
  );
  const joined = kind === 'whole' ? joinLines(lines) : lines;
  return {
    name: joined.at(-1)?.name ?? 'TSBS',
    target: joined.find(({ target }) => target !== null)?.target ?? null,
    steps: joined.flatMap(({ steps }) => steps),
    leftOut: [
      ...joined.flatMap(({ leftOut }) => leftOut),
      ...words.map(({ text }) => ({
        option: text,
        reason: 'files of queries are drawn anew from their seed',
      })),
      ...(workersOfMachine
        ? [
            {
              option: 'NUM_WORKERS',
              reason: 'the script takes as many as its machine has cores; the plan has 1',
            },
          ]
        : []),
    ],
    part: { kind, input: null, output: null },
  };
}

function asWord(text: string): Word {
  return { text, start: 0, end: 0, quoted: true, expands: false };
}
