import { z } from 'zod';
import { AppError } from '../../../../src-shared/errors.ts';
import type { ServerWatch } from '../../../../src-shared/model/telemetry.ts';
import type { Endpoint } from '../../driver.ts';
import type { Telemetry } from '../../telemetry.ts';
import { dialledFrom } from '../connection.ts';
import { Control } from '../control.ts';
import { placeOf } from '../dial.ts';
import { openStatements } from './statements.ts';
import { textsFor } from './texts.ts';
import { watch } from './watch.ts';

const rightsSchema = z.object({ version: z.coerce.number(), all: z.boolean(), free: z.coerce.number() });

/** A run opens one more now and then, to write its devices or to count its rows. */
const spareConnections = 2;

/**
 * See `Driver.openTelemetry`. Waits for no lock longer than a tenth of a second.
 * @throws AppError `unsupported` where the server has hardly a free connection: those left are the benchmark's
 */
export async function openTelemetry(
  endpoint: Endpoint,
  database: string,
  signal: AbortSignal,
): Promise<Telemetry> {
  const control = await Control.open(dialledFrom(endpoint), database, signal, 'benchberry-telemetry');
  try {
    await control.execute("SET lock_timeout = '100ms'", signal);
    const { version, all, free } = await control.one(rightsSchema, rights, [], signal);
    if (free < spareConnections)
      throw new AppError({
        code: 'unsupported',
        message: 'The server has no connection to spare for telemetry',
        place: placeOf(control.target, database),
        hint: 'Raise max_connections by three, or use fewer connections for the benchmark.',
      });
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
    OR coalesce((SELECT pg_has_role(current_user, oid, 'USAGE') FROM pg_roles WHERE rolname = 'pg_read_all_stats'), false) AS all,
  current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int
    - coalesce(current_setting('reserved_connections', true)::int, 0) - (SELECT sum(numbackends) FROM pg_stat_database) AS free`;

function limitsOf(version: number): ServerWatch['limits'] {
  const role = version >= 100_000 ? 'pg_monitor (or pg_read_all_stats)' : 'superuser';
  return [
    {
      what: "What the checkpointer and autovacuum are at, another user's session that holds a lock, and checkpoints to a tenth of a second instead of half a second",
      role,
    },
  ];
}
