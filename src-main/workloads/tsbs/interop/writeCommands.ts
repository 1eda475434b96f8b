import { z } from 'zod';
import { entryOf } from '../../../../src-shared/entryOf.ts';
import type { ResolvedStep } from '../../workload.ts';
import { fileStep } from '../load/fileStep.ts';
import { loadStep } from '../load/loadStep.ts';
import { queriesStep } from '../queries/queriesStep.ts';
import { generateQueriesUses, runnerUses, runTimescaleUses, simulatorUses, type Uses } from './uses.ts';

/** Where a plan's target is. `null`: it is not one that TSBS could reach. */
export type ExportedServer = {
  engine: string;
  host: string;
  port: number;
  user: string;
  adminDatabase: string;
  tlsMode: string;
  /** Of QuestDB: where it takes rows over TCP. */
  ilpPort: number;
} | null;

/** Older names of the flags of queries that have a newer one. */
const older = ['scale-var', 'limit'];
/** Of a configuration only. */
const noFlags = ['flow-control'];

/** The command of TSBS that does what a load does. `tsbs_load` has no loader for QuestDB. */
export function loadCommand({ id, parameters }: ResolvedStep, server: ExportedServer): string {
  if (server?.engine !== 'questdb') return 'tsbs_load load timescaledb --config=./config.yaml';
  const load = [
    'tsbs_load_questdb',
    `--url=${quoted(`http://${server.host}:${server.port}/`)}`,
    `--ilp-bind-to=${quoted(`${server.host}:${server.ilpPort}`)}`,
    ...flagsOf(loadStep.parameters, parameters, runnerUses, noFlags),
  ];
  if (id === fileStep.id) return [...load, `--file=${quoted(String(parameters.file))}`].join(' ');
  const generate = [
    'tsbs_generate_data --format=questdb',
    ...flagsOf(loadStep.parameters, parameters, simulatorUses, []),
  ];
  return [...generate, '|', ...load].join(' ');
}

/** The commands of TSBS that run the queries of a step, a line for each query type. */
export function queryCommands(parameters: ResolvedStep['parameters'], server: ExportedServer): string[] {
  const isQuestdb = server?.engine === 'questdb';
  const format = isQuestdb ? 'questdb' : 'timescaledb';
  const generate = flagsOf(queriesStep.parameters, parameters, generateQueriesUses, older).filter(
    (flag) => !isQuestdb || !flag.startsWith('--timescale-'),
  );
  const run = flagsOf(queriesStep.parameters, parameters, runTimescaleUses, older);
  const { maxQueries, burnIn } = parameters;
  // TSBS wants the one beside the other.
  const most = maxQueries === 0 && Number(burnIn) > 0 ? [`--max-queries=${Number(parameters.queries)}`] : [];
  const types: readonly unknown[] = Array.isArray(parameters.types) ? parameters.types : [];
  return types.map((type) =>
    [
      `tsbs_generate_queries --format=${format} --query-type=${String(type)}`,
      ...generate,
      `| tsbs_run_queries_${format}`,
      ...serverFlags(server),
      ...run.filter((flag) => most.length === 0 || !flag.startsWith('--max-queries=')),
      ...most,
    ].join(' '),
  );
}

function serverFlags(server: ExportedServer): string[] {
  if (server === null) return [];
  const { host, port, user } = server;
  if (server.engine === 'questdb') return [`--pg-host=${quoted(host)}`];
  return [`--hosts=${quoted(host)}`, `--port=${port}`, `--user=${quoted(user)}`];
}

/** The value of a parameter that a step is not given. */
export function byItself(shape: z.ZodObject['shape'], key: string): unknown {
  const field = entryOf(shape, key);
  return field && z.object({ [key]: field }).safeParse({}).data?.[key];
}

/** Of which a plan has other defaults than TSBS. */
const always = ['useCase', 'scale', 'seed'];

/** Flags, but for those that say what TSBS takes by itself. */
function flagsOf(
  { shape }: z.ZodObject,
  parameters: ResolvedStep['parameters'],
  uses: Uses,
  without: readonly string[],
): string[] {
  return Object.entries(uses).flatMap(([name, use]) => {
    if (use.kind !== 'parameter' || without.includes(name)) return [];
    const value = parameters[use.key];
    const isSaid = always.includes(use.key) || value !== byItself(shape, use.key);
    return value === undefined || !isSaid ? [] : [`--${name}=${quoted(String(value))}`];
  });
}

/** As one word of a shell, on one line. */
function quoted(text: string): string {
  if (/^[\w.,:/@%+-]+$/.test(text)) return text;
  return `'${text.replace(/[\r\n]+/g, ' ').replaceAll("'", `'\\''`)}'`;
}
