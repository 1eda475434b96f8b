import { stringify } from 'yaml';
import { entryOf } from '../../../../src-shared/entryOf.ts';
import type { ResolvedStep } from '../../workload.ts';
import { fileStep } from '../load/fileStep.ts';
import { loadStep } from '../load/loadStep.ts';
import { queriesStep } from '../queries/queriesStep.ts';
import { runnerUses, simulatorUses, timescaleUses, type Uses } from './uses.ts';
import { byItself, type ExportedServer, loadCommand, queryCommands } from './writeCommands.ts';

/** A plan's steps, and the server they are for. */
export interface Exported {
  steps: readonly ResolvedStep[];
  server: ExportedServer;
}

export interface WrittenConfig {
  text: string;
  /** What the configuration cannot say, and why. */
  leftOut: { option: string; reason: string }[];
}

/**
 * The first load of a plan as a configuration of `tsbs_load`, each key written out. Queries, which `tsbs_load` does not run,
 * stand in comments as the commands that run them.
 * @returns null where there is no step that loads TSBS's rows
 */
export function writeConfig({ steps, server }: Exported): WrittenConfig | null {
  const [load, ...otherLoads] = steps.filter(({ id }) => id === loadStep.id || id === fileStep.id);
  if (load === undefined) return null;
  const queries = steps.filter(({ id }) => id === queriesStep.id);
  const leftOut: WrittenConfig['leftOut'] = [];
  const config = {
    'data-source': load.id === fileStep.id ? fileSource(load) : simulatorSource(load, leftOut),
    loader: {
      target: 'timescaledb',
      'db-specific': databaseKeys(load, server, leftOut),
      runner: keysOf(load.parameters, runnerUses),
    },
  };
  for (const { id } of otherLoads)
    leftOut.push({ option: id, reason: 'a configuration holds one load: the first one of the plan' });
  for (const { id } of steps.filter((step) => ![...otherLoads, load, ...queries].includes(step)))
    leftOut.push({ option: id, reason: 'it is no step of TSBS' });
  if (queries.length > 0)
    leftOut.push({
      option: queriesStep.id,
      reason: 'tsbs_load runs no queries: the commands that do stand in comments',
    });
  leftOut.push(...unsaid(load, server));
  const comments = [
    loadCommand(load, server),
    ...queries.flatMap(({ parameters }) => queryCommands(parameters, server)),
  ];
  const yaml = stringify(config, { version: '1.2', schema: 'core', lineWidth: 0 });
  return { text: `${comments.map((line) => `# ${line}\n`).join('')}${yaml}`, leftOut };
}

function fileSource({ parameters }: ResolvedStep): Record<string, unknown> {
  return { type: 'FILE', file: { location: parameters.file } };
}

function simulatorSource(
  { parameters }: ResolvedStep,
  leftOut: WrittenConfig['leftOut'],
): Record<string, unknown> {
  if (typeof parameters.initialScale === 'number' && parameters.initialScale > 0)
    leftOut.push({
      option: 'initialScale',
      reason: 'tsbs_load reads initial-scale and forgets it: all hosts are there from the start',
    });
  return { type: 'SIMULATOR', simulator: keysOf(parameters, simulatorUses) };
}

function databaseKeys(
  { parameters }: ResolvedStep,
  server: ExportedServer,
  leftOut: WrittenConfig['leftOut'],
): Record<string, unknown> {
  const mode = parameters.writeMode;
  const modes = {
    ...(mode === 'text' && { 'force-text-format': true }),
    ...(mode === 'insert' && { 'use-insert': true }),
  };
  if (server?.engine === 'questdb')
    leftOut.push({
      option: 'target',
      reason: 'tsbs_load has no loader for QuestDB: the command of the one that there is stands in a comment',
    });
  if (server?.engine !== 'postgresql') {
    leftOut.push({
      option: 'target',
      reason:
        'its address is not in the file: fill in host, port and user of a server that tsbs_load reaches',
    });
    return { ...keysOf(parameters, timescaleUses), ...modes };
  }
  const { host, port, user, adminDatabase, tlsMode } = server;
  leftOut.push({ option: 'password', reason: 'Benchberry writes no password into a file: fill in pass' });
  return {
    ...{ host, port, user, pass: '', 'admin-db-name': adminDatabase, postgres: `sslmode=${tlsMode}` },
    ...keysOf(parameters, timescaleUses),
    ...modes,
  };
}

/** Options that are a parameter of the step, with its values, in the order of the table. */
function keysOf(parameters: ResolvedStep['parameters'], uses: Uses): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(uses).flatMap(([name, use]) => {
      const value = use.kind === 'parameter' ? entryOf(parameters, use.key) : undefined;
      return value === undefined ? [] : [[name, value]];
    }),
  );
}

/** Parameters that are not as they would be by themselves, and that no key stands for. */
function unsaid({ id, parameters }: ResolvedStep, server: ExportedServer): WrittenConfig['leftOut'] {
  const { shape } = (id === fileStep.id ? fileStep : loadStep).parameters;
  const said = new Set(
    [simulatorUses, runnerUses, timescaleUses].flatMap((uses) =>
      Object.values(uses).flatMap((use) => (use.kind === 'parameter' ? [use.key] : [])),
    ),
  );
  return Object.entries(parameters).flatMap(([key, value]) => {
    const field = entryOf(shape, key);
    if (said.has(key) || key === 'file' || field === undefined) return [];
    if (key === 'writeMode' && value !== 'insert-single') return [];
    // The loader for QuestDB has no other way.
    if (key === 'ilpTransport' && server?.engine === 'questdb')
      return value === 'tcp' ? [] : [{ option: key, reason: 'tsbs_load_questdb loads over TCP' }];
    return value === byItself(shape, key) ? [] : [{ option: key, reason: 'tsbs_load has no such key' }];
  });
}
