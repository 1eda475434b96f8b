import { z } from 'zod';

/** What a database server says of itself: shown by *Test connection*, stored with every run. */
export const serverSchema = z.object({
  /** Engine id of the registry, e.g. `postgresql`. */
  engine: z.string(),
  /** Product as it names itself, e.g. `PostgreSQL`. */
  product: z.string(),
  /** Numbers only where the server gives them, e.g. `17.5`. */
  version: z.string(),
  /** The whole version text. */
  versionText: z.string(),
  /** e.g. `TimescaleDB 2.19.3 (Apache)`, `plain`. */
  edition: z.string(),
  /** Which form of the queries fits, e.g. `timescaledb`, `postgresql`. Workloads look their statements up by it. */
  dialect: z.string(),
  /** Database the connection was made to. */
  database: z.string(),
  /** Bytes of that database. */
  sizeBytes: z.number().nonnegative(),
  /** Where the connection goes: encrypted or not, in the server's words. */
  tls: z.string().nullable(),
  /** Round trip of an empty statement, median of several, µs. */
  roundTripUs: z.number().nonnegative(),
  /** Settings that differ from the server's built-in defaults. */
  settings: z.array(
    z.object({ name: z.string(), value: z.string(), unit: z.string().nullable(), source: z.string() }),
  ),
  /** Where its data lies, in its own view (a container's is not the host's); left out or null where it does not tell. */
  dataFolder: z.string().nullable().optional(),
  /** How large its write-ahead log may grow, bytes; left out or null where it has none or does not tell. */
  mostWalBytes: z.number().nullable().optional(),
  /** Whether the loader ran on the server's own machine, which it then shares; left out where that was not looked at. */
  loaderBeside: z.boolean().optional(),
  /** Remarks worth reading, e.g. that fsync is off. */
  notes: z.array(z.string()),
});
export type ServerDescription = z.infer<typeof serverSchema>;
