import { z } from 'zod';
import type { ServerWatch } from '../../../../src-shared/model/telemetry.ts';
import type { Endpoint } from '../../driver.ts';
import type { Telemetry } from '../../telemetry.ts';
import { dialledFrom } from '../connection.ts';
import { Control } from '../control.ts';
import { openStatements } from './statements.ts';
import { textsFor } from './texts.ts';
import { watch } from './watch.ts';

const rightsSchema = z.object({ version: z.coerce.number(), all: z.boolean() });

/** See `Driver.openTelemetry`. Waits for no lock longer than a tenth of a second. */
export async function openTelemetry(
  endpoint: Endpoint,
  database: string,
  signal: AbortSignal,
): Promise<Telemetry> {
  const control = await Control.open(dialledFrom(endpoint), database, signal, 'benchberry-telemetry');
  try {
    await control.execute("SET lock_timeout = '100ms'", signal);
    const { version, all } = await control.one(rightsSchema, rights, [], signal);
    const statements = await openStatements(control, signal);
    return {
      limits: all ? [] : limitsOf(version),
      noStatements: statements.missing,
      watch: (now, onSample, own) => watch(control, textsFor(version), now, onSample, own),
      statements: statements.counts,
      statementTexts: statements.texts,
      close: () => control.close(),
    };
  } catch (error) {
    await control.close();
    throw error;
  }
}

/** The role that sees everything is one since 10; before, only a superuser does. */
const rights = `SELECT current_setting('server_version_num') AS version,
  current_setting('is_superuser') = 'on'
    OR coalesce((SELECT pg_has_role(current_user, oid, 'USAGE') FROM pg_roles WHERE rolname = 'pg_read_all_stats'), false) AS all`;

function limitsOf(version: number): ServerWatch['limits'] {
  const role = version >= 100_000 ? 'pg_monitor (or pg_read_all_stats)' : 'superuser';
  return [
    {
      what: "What the checkpointer and autovacuum are at, another user's session that holds a lock, and checkpoints to a tenth of a second instead of half a second",
      role,
    },
  ];
}
