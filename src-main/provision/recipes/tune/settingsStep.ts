import { z } from 'zod';
import { AppError } from '../../../../src-shared/errors.ts';
import type { Step, StepCheck } from '../../step.ts';
import { conflicts } from '../../tuning/rules.ts';
import {
  needsRestart,
  problemWith,
  readable,
  type ServerSetting,
  sameValue,
} from '../../tuning/serverSettings.ts';
import type { Setting } from '../../tuning/setting.ts';
import { type Found, readServer } from './readServer.ts';
import { applyScript, testScript, undoScript } from './script.ts';
import type { Server } from './server.ts';

export interface Tuning {
  server: Server;
  profile: string;
  settings: readonly Setting[];
  memoryBytes: number;
}

const savedSchema = z.object({ file: z.string(), before: z.string().nullable() });

export function settingsStep(tuning: Tuning): Step {
  const { server, profile, settings } = tuning;
  return {
    id: 'settings',
    title: `Tune the ${server.name}`,
    changes: [
      server.ownFile === null
        ? 'ALTER SYSTEM: postgresql.auto.conf among its data; it stays when the container is made anew.'
        : `One new file, ${server.ownFile}; where the server does not read that folder, ALTER SYSTEM.`,
      'The server reloads, and restarts where a setting needs that: connections are cut then.',
      ...settings.map(({ name, value, reason }) => `${name} = ${value}: ${reason}`),
    ],
    needsRoot: true,
    needsReboot: false,
    reversible: true,
    check: async (remote, signal) => judge(tuning, await readServer(server, remote, signal)),
    test: testScript(server, settings),
    apply: () => applyScript(server, profile, settings),
    undo(saved) {
      const { file, before } = savedSchema.parse(saved);
      return undoScript(server, file, before);
    },
  };
}

/**
 * The diff between what the server has and what it should have.
 * @throws AppError `bad-input` for what the server would not take
 */
function judge(tuning: Tuning, found: Found): StepCheck {
  const saved = { file: found.file, before: found.before };
  if (found.settings === null) {
    return {
      done: false,
      evidence: 'No server to compare with yet: it is compared before it is changed.',
      saved,
    };
  }
  const server = new Map(found.settings.map((row) => [row.name, row]));
  const version = tuning.server.version;
  const real = String(Math.floor(Number(server.get('server_version_num')?.setting) / 10_000));
  if (real !== version) {
    throw new AppError({
      code: 'bad-input',
      message: `The ${tuning.server.name} is PostgreSQL ${real}, not ${version}`,
      hint: `Give ${real} as its version. Nothing was written.`,
    });
  }
  const wanted = tuning.settings.filter(({ name }) => server.has(name) || !name.startsWith('timescaledb.'));
  const problems = wanted.flatMap((setting) => {
    const row = server.get(setting.name);
    return row === undefined
      ? [unknown(setting.name, found.settings ?? [])]
      : (problemWith(row, setting) ?? []);
  });
  problems.push(...conflicts(wanted, found.settings, tuning.memoryBytes));
  if (problems.length > 0) {
    throw new AppError({
      code: 'bad-input',
      message: `PostgreSQL ${version} would not take these settings`,
      detail: problems.join('; '),
      hint: 'Change the profile or your own settings. Nothing was written.',
    });
  }
  const wantedNames = new Set(wanted.map(({ name }) => name));
  const lines = wanted.flatMap((setting) => {
    const row = server.get(setting.name);
    return row === undefined ? [] : difference(row, setting);
  });
  const same = wanted.length - lines.length;
  const left = tuning.settings.length - wanted.length;
  const dropped =
    found.method === 'file' ? namesIn(found.before).filter((name) => !wantedNames.has(name)) : [];
  const evidence = [
    ...lines,
    ...(same > 0 ? [`${same} of ${wanted.length} settings are so already.`] : []),
    ...(dropped.length > 0 ? [`Back to what they are without Benchberry: ${dropped.join(', ')}.`] : []),
    ...(left > 0 ? ['TimescaleDB is not loaded in this server: its settings are left out.'] : []),
  ];
  return { done: lines.length === 0 && dropped.length === 0, evidence: evidence.join('\n'), saved };
}

/** `shared_buffers: 128MB → 223094kB (restart)`; nothing where it is so. */
function difference(row: ServerSetting, { name, value }: Setting): string[] {
  const same = sameValue(row, value);
  if (same && !row.pending_restart) return [];
  const notes = [
    ...(same ? ['another value waits for a restart'] : needsRestart(row) ? ['restart'] : []),
    ...(row.sourcefile?.endsWith('postgresql.auto.conf')
      ? ['set with ALTER SYSTEM, which wins over files']
      : []),
  ];
  return [`${name}: ${readable(row)} → ${value}${notes.length > 0 ? ` (${notes.join(', ')})` : ''}`];
}

/** Settings of a file that was written before. */
function namesIn(text: string | null): string[] {
  return [...(text ?? '').matchAll(/^([a-z][\w.]*) = /gm)].flatMap(([, name]) => name ?? []);
}

function unknown(name: string, rows: readonly ServerSetting[]): string {
  const start = name.split('_')[0] ?? name;
  const near = rows.filter((row) => row.name.startsWith(start)).slice(0, 3);
  return `${name} is no setting of this server${near.length > 0 ? `; there is ${near.map((row) => row.name).join(', ')}` : ''}`;
}
