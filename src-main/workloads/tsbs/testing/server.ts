import type { Driver, Endpoint } from '../../../databases/driver.ts';
import { findDriver } from '../../../databases/registry.ts';

/** The server that answers are asked of: the sandbox, or the one that BENCHBERRY_TEST_PG_URL names. */
export const server = process.env.BENCHBERRY_TEST_PG_URL ?? 'sandbox';

/** @param folder where the sandbox keeps its data */
export async function reachServer(
  folder: string,
  signal: AbortSignal,
): Promise<{ driver: Driver; endpoint: Endpoint }> {
  const context = { dataFolder: folder, signal };
  if (server === 'sandbox') {
    const driver = findDriver('sandbox');
    return { driver, endpoint: await driver.resolve({}, null, context) };
  }
  const driver = findDriver('postgresql');
  const parsed = driver.parseUrl(server);
  if (!parsed) throw new Error('BENCHBERRY_TEST_PG_URL is no PostgreSQL URL');
  return { driver, endpoint: await driver.resolve(parsed.connection, parsed.secret, context) };
}
