import { z } from 'zod';
import type { ServerDescription } from '../../../src-shared/model/server.ts';
import { roundTripUs } from '../roundTrip.ts';
import type { Link } from './link.ts';

const identitySchema = z.object({
  version: z.string(),
  comment: z.string(),
  folder: z.string().nullable(),
  database: z.string().nullable(),
  size: z.coerce.number(),
});
const identity = `SELECT version(), @@version_comment, @@datadir, database(),
  (SELECT coalesce(sum(data_length + index_length), 0) FROM information_schema.tables WHERE table_schema = database())`;

const settingSchema = z.object({ name: z.string(), value: z.string().nullable(), source: z.string() });
/** What somebody chose: on the command line, in a file, or by SET. What the server works out itself is left out. */
const settingsOf = {
  MariaDB: `SELECT lower(variable_name), global_value, lower(global_value_origin) FROM information_schema.system_variables
    WHERE global_value_origin IN ('CONFIG', 'COMMAND-LINE', 'SQL') AND NOT (global_value <=> default_value)
      AND variable_name NOT LIKE '%PASSWORD%' ORDER BY 1`,
  MySQL: `SELECT i.variable_name, g.variable_value, lower(i.variable_source) FROM performance_schema.variables_info AS i
    JOIN performance_schema.global_variables AS g USING (variable_name)
    WHERE i.variable_source NOT IN ('COMPILED', 'DYNAMIC') OR (i.variable_source = 'DYNAMIC' AND i.set_user IS NOT NULL)
    ORDER BY 1`,
};

const safetySchema = z.object({
  flush: z.string(),
  doublewrite: z.string(),
  binlog: z.string(),
  readOnly: z.string(),
});
const safety = 'SELECT @@innodb_flush_log_at_trx_commit, @@innodb_doublewrite, @@log_bin, @@read_only';

/** What the server says of itself, and of the link's database. */
export async function describeServer(
  link: Link,
  engine: string,
  signal: AbortSignal,
): Promise<ServerDescription> {
  const [found] = await link.rows(
    identitySchema,
    identity,
    ['version', 'comment', 'folder', 'database', 'size'],
    signal,
  );
  if (found === undefined) throw new Error('no row from version()');
  const product = /mariadb/i.test(`${found.version} ${found.comment}`) ? 'MariaDB' : 'MySQL';
  const settings = await link.rows(settingSchema, settingsOf[product], ['name', 'value', 'source'], signal);
  const cipher = await link.exchange("SHOW SESSION STATUS LIKE 'Ssl_cipher'", signal, { collect: true });
  return {
    engine,
    product,
    version: /^\d+(\.\d+)*/.exec(found.version)?.[0] ?? found.version,
    versionText: `${found.version} (${found.comment})`,
    edition: 'InnoDB',
    dialect: 'mysql',
    database: found.database ?? 'none',
    sizeBytes: found.size,
    tls: cipher.values[0]?.[1] || null,
    roundTripUs: await roundTripUs(() => link.exchange('DO 0', signal)),
    settings: settings.map(({ name, value, source }) => ({ name, value: value ?? '', unit: null, source })),
    dataFolder: found.folder,
    notes: await remarks(link, signal),
  };
}

async function remarks(link: Link, signal: AbortSignal): Promise<string[]> {
  const [is] = await link.rows(safetySchema, safety, ['flush', 'doublewrite', 'binlog', 'readOnly'], signal);
  const off = (value: string | undefined) => value === '0' || value === 'OFF';
  return [
    ...(is?.flush === '0' || is?.flush === '2'
      ? [
          `innodb_flush_log_at_trx_commit is ${is.flush}: faster, and a power cut can lose the last second of what was acknowledged.`,
        ]
      : []),
    ...(off(is?.doublewrite) ? ['innodb_doublewrite is off: a power cut can damage pages.'] : []),
    ...(off(is?.binlog) ? [] : ['The binary log is on: every row is written once more.']),
    ...(off(is?.readOnly) ? [] : ['The server is read-only.']),
  ];
}
