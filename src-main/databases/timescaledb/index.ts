import { z } from 'zod';
import { entryOf } from '../../../src-shared/entryOf.ts';
import { AppError } from '../../../src-shared/errors.ts';

/**
 * What TimescaleDB adds to PostgreSQL, as catalogue look-ups and statements: the `postgresql` driver runs them, because
 * TimescaleDB is an extension within a PostgreSQL server and not a server of its own.
 */

/** Columns of `lookUp`. */
export const timescaleSchema = z.object({
  /** Version that CREATE EXTENSION would install; null: the server has no TimescaleDB. */
  available: z.string().nullable(),
  /** Version in this database. */
  installed: z.string().nullable(),
  /** It only works when the server loads it at start (shared_preload_libraries). */
  preloaded: z.boolean(),
  /** `apache` or `timescale`; null in a database without the extension, whose library alone knows it. */
  license: z.string().nullable(),
});
export type Timescale = z.infer<typeof timescaleSchema>;

/** One row of `timescaleSchema`; works for any user and where the extension is unknown. */
export const lookUp = `SELECT
  (SELECT default_version FROM pg_available_extensions WHERE name = 'timescaledb') AS available,
  (SELECT extversion FROM pg_extension WHERE extname = 'timescaledb') AS installed,
  EXISTS (SELECT 1 FROM pg_settings WHERE name LIKE 'timescaledb.%') AS preloaded,
  current_setting('timescaledb.license', true) AS license`;

export function isUsable(timescale: Timescale): boolean {
  return timescale.available !== null && timescale.preloaded;
}

/** `TimescaleDB 2.19.3 (Apache)`; `plain` where the server has none or does not load it. */
export function editionOf(timescale: Timescale): string {
  const version = timescale.installed ?? timescale.available;
  if (version === null || !timescale.preloaded) return 'plain';
  const editions: Record<string, string> = { apache: ' (Apache)', timescale: ' (Community)' };
  return `TimescaleDB ${version}${entryOf(editions, timescale.license ?? '') ?? ''}`;
}

/** Why a server has plain tables although hypertables were asked for; null where it can have them. */
export function whyPlain(timescale: Timescale): string | null {
  if (timescale.available === null) return 'Plain tables: the server has no TimescaleDB.';
  if (!timescale.preloaded) {
    return 'Plain tables: TimescaleDB is installed on the server but not in its shared_preload_libraries.';
  }
  return null;
}

export const createExtension = 'CREATE EXTENSION IF NOT EXISTS timescaledb CASCADE';

export interface HypertableOptions {
  /** The table's name as an SQL identifier. */
  table: string;
  /** Column of the space partitions, as a literal. */
  partitionColumn: string;
  /** 0: none. */
  partitions: number;
  /** 0: none. */
  replicationFactor: number;
  /** An interval as PostgreSQL reads it, e.g. `12h`. */
  chunkTime: string;
  /** Quotes a text value. */
  quoteText: (text: string) => string;
}

/**
 * Statements that turn an empty table into a hypertable on `time` without default indexes. From 2.13 on dimensions are
 * made by builders; 2.14 removed distributed hypertables with the parameter that TSBS still passes.
 * @throws AppError `unsupported`
 */
export function hypertable(version: string, options: HypertableOptions): string[] {
  const { partitionColumn, partitions, replicationFactor, quoteText } = options;
  const table = quoteText(options.table);
  const interval = `INTERVAL ${quoteText(options.chunkTime)}`;
  if (replicationFactor > 0 && isAtLeast(version, 2, 14)) {
    throw new AppError({
      code: 'unsupported',
      message: `TimescaleDB ${version} has no distributed hypertables`,
      place: { field: 'replicationFactor' },
      hint: 'Set replicationFactor to 0.',
    });
  }
  if (isAtLeast(version, 2, 13) && replicationFactor === 0) {
    return [
      `SELECT create_hypertable(${table}, by_range('time', ${interval}), create_default_indexes => FALSE)`,
      ...(partitions > 0
        ? [`SELECT add_dimension(${table}, by_hash(${partitionColumn}, ${partitions}))`]
        : []),
    ];
  }
  const space =
    replicationFactor > 0
      ? `, partitioning_column => ${partitionColumn}, replication_factor => ${replicationFactor}`
      : partitions > 0
        ? `, partitioning_column => ${partitionColumn}, number_partitions => ${partitions}`
        : '';
  return [
    `SELECT create_hypertable(${table}, 'time', chunk_time_interval => ${interval}${space}, create_default_indexes => FALSE)`,
  ];
}

function isAtLeast(version: string, major: number, minor: number): boolean {
  const [ownMajor = 0, ownMinor = 0] = version.split('.').map((part) => Number.parseInt(part, 10));
  return ownMajor > major || (ownMajor === major && ownMinor >= minor);
}
