import type { Dataset, Endpoint, PrepareOptions, Session } from '../driver.ts';
import { postgresqlDriver as driver } from './index.ts';

// What the tests of faults share.

export const { signal } = new AbortController();

export const dataset: Dataset = {
  tags: [{ name: 'hostname', type: 'string' }],
  tables: [{ name: 'cpu', fields: [{ name: 'usage', type: 'integer' }] }],
  devices: 1,
  deviceTags: () => ['host_0'],
};

export const options = (more: Partial<PrepareOptions> = {}): PrepareOptions => ({
  database: 'benchberry_faults',
  doCreateDb: true,
  doAbortOnExist: false,
  engine: driver.loadOptions.parse({}),
  ...more,
});

export const endpointTo = (
  connection: Record<string, unknown>,
  secret: string | null = 'x',
): Promise<Endpoint> =>
  driver.resolve({ host: '127.0.0.1', ...connection }, secret, { dataFolder: '', signal });

export const connect = async (
  connection: Record<string, unknown>,
  secret?: string | null,
): Promise<Session> => driver.openSession(await endpointTo(connection, secret), signal);
