import pg from 'pg';

/** Asks a database of the server behind `url`, on a connection of its own. */
export async function askPostgres(
  url: string,
  database: string,
  sql: string,
): Promise<Record<string, unknown>[]> {
  const place = new URL(url);
  place.pathname = `/${database}`;
  place.search = '';
  const client = new pg.Client({ connectionString: place.href });
  // Told by the call that is under way, too.
  client.on('error', () => undefined);
  await client.connect();
  try {
    return (await client.query(sql)).rows;
  } finally {
    await client.end();
  }
}
