import { z } from 'zod';
import type { MachineCheck } from '../../../src-shared/model/host.ts';
import { formatBytes, formatCounted } from '../../../src-shared/units.ts';
import type { Control } from './control.ts';

const factsSchema = z.object({
  /** When timescaledb-tune wrote the settings; null where it did not. */
  tuned: z.string().nullable(),
  /** Settings that come from a file of Benchberry's; 0 too where this user may not see files. */
  ours: z.int(),
  sharedBuffers: z.coerce.number(),
  vacuums: z.int(),
});
type Facts = z.infer<typeof factsSchema>;

/** Running vacuums are counted for every user; what an autovacuum analyses shows only to those who may read statements. */
const facts = `SELECT
  (SELECT setting FROM pg_settings WHERE name = 'timescaledb.last_tuned') AS tuned,
  (SELECT count(*)::int FROM pg_settings WHERE sourcefile LIKE '%benchberry%') AS ours,
  pg_size_bytes(current_setting('shared_buffers')) AS "sharedBuffers",
  greatest((SELECT count(*) FROM pg_stat_progress_vacuum),
    (SELECT count(*) FROM pg_stat_activity WHERE query LIKE 'autovacuum: %'))::int AS vacuums`;

/** What initdb sets on any machine with enough memory, 128 MB: nobody has fitted it to this one. */
const initdbBuffers = 128 * 2 ** 20;

/** What only the database can tell of the gate before a run: whether somebody tuned it, whether it cleans up. */
export async function readiness(control: Control, signal: AbortSignal): Promise<MachineCheck[]> {
  return readinessOf(await control.one(factsSchema, facts, [], signal));
}

export function readinessOf({ tuned, ours, sharedBuffers, vacuums }: Facts): MachineCheck[] {
  const buffers = `shared_buffers is ${formatBytes(sharedBuffers)}`;
  const by = ours > 0 ? 'tuned by Benchberry' : tuned === null ? null : `tuned ${tuned}`;
  const asMade = by === null && sharedBuffers <= initdbBuffers;
  return [
    {
      ...{ id: 'settings', title: 'Server settings', result: asMade ? 'warn' : 'pass' },
      detail: asMade
        ? `${buffers}, as initdb sets it on any machine`
        : [buffers, by].filter(Boolean).join('; '),
      advice: asMade ? 'Tune the server for this host, or measure it untuned on purpose.' : '',
      ...{ value: sharedBuffers, unit: 'bytes', raw: '' },
    },
    {
      ...{ id: 'autovacuum', title: 'Vacuum', result: vacuums > 0 ? 'wait' : 'pass' },
      detail: vacuums > 0 ? `${formatCounted(vacuums, 'vacuum')} at work` : 'None at work',
      advice: vacuums > 0 ? 'It ends by itself; it would read and write beside the run.' : '',
      ...{ value: vacuums, unit: null, raw: '' },
    },
  ];
}
