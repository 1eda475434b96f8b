import { entryOf } from '../../../src-shared/entryOf.ts';
import { AppError } from '../../../src-shared/errors.ts';
import type { LeftOut } from './tool.ts';

/** Where the server is, piece by piece, as libpq finds it. */
export interface ServerParts {
  host?: string;
  port?: string;
  user?: string;
  database?: string;
  sslmode?: string;
}

const noPassword = 'a password has no place in a plan: it is asked for, and kept with the target';

/** libpq's environment variables, by what they say. */
const variables: Readonly<Record<string, keyof ServerParts>> = {
  PGHOST: 'host',
  PGHOSTADDR: 'host',
  PGPORT: 'port',
  PGUSER: 'user',
  PGDATABASE: 'database',
  PGSSLMODE: 'sslmode',
};
const keywords: Readonly<Record<string, keyof ServerParts>> = {
  host: 'host',
  hostaddr: 'host',
  port: 'port',
  user: 'user',
  dbname: 'database',
  sslmode: 'sslmode',
};

export function partsOfEnvironment(
  environment: ReadonlyMap<string, string>,
  leftOut: LeftOut[],
): ServerParts {
  const parts: ServerParts = {};
  for (const [name, value] of environment) {
    const key = entryOf(variables, name);
    // People put a whole URL there, and its password must not become a database's name.
    if (key === 'database') Object.assign(parts, partsOfName(value, leftOut));
    else if (key !== undefined) parts[key] = value;
    else if (name === 'PGPASSWORD' || name === 'PGPASSFILE')
      leftOut.push({ option: name, reason: noPassword });
    else if (name !== 'PGBENCH_RANDOM_SEED')
      leftOut.push({ option: name, reason: 'nothing is taken from this variable' });
  }
  return parts;
}

/** The database's name as pgbench takes it: a name, `host=… dbname=…`, or a URL. */
export function partsOfName(name: string, leftOut: LeftOut[]): ServerParts {
  if (/^postgres(ql)?:\/\//.test(name)) return partsOfUrl(name, leftOut);
  if (!name.includes('=')) return { database: name };
  const parts: ServerParts = {};
  for (const [, keyword = '', quoted, plain = ''] of name.matchAll(
    /(\w+)\s*=\s*(?:'((?:\\.|[^'\\])*)'|((?:\\.|[^\s\\])*))/gs,
  )) {
    const key = entryOf(keywords, keyword);
    const value = (quoted ?? plain).replace(/\\(.)/gs, '$1');
    if (key !== undefined) parts[key] = value;
    else if (isPassword(keyword)) leftOut.push({ option: `${keyword}=…`, reason: noPassword });
    else
      leftOut.push({ option: `${keyword}=${value}`, reason: 'this part of a connection is not taken over' });
  }
  return parts;
}

/** `password`, `sslpassword`. */
const isPassword = (keyword: string) => keyword.endsWith('password');

function partsOfUrl(text: string, leftOut: LeftOut[]): ServerParts {
  if (!URL.canParse(text))
    throw new AppError({
      code: 'bad-input',
      message: 'The connection URL cannot be read',
      hint: 'It looks like postgresql://user@host:5432/database.',
    });
  const url = new URL(text);
  if (url.password !== '') leftOut.push({ option: 'the password in the URL', reason: noPassword });
  const parts: ServerParts = {
    ...(url.hostname && { host: decodeURIComponent(url.hostname).replace(/^\[(.*)\]$/, '$1') }),
    ...(url.port && { port: url.port }),
    ...(url.username && { user: decodeURIComponent(url.username) }),
    ...(url.pathname.length > 1 && { database: decodeURIComponent(url.pathname.slice(1)) }),
  };
  for (const [keyword, value] of url.searchParams) {
    const key = entryOf(keywords, keyword);
    if (key !== undefined) parts[key] = value;
    else if (isPassword(keyword)) leftOut.push({ option: `${keyword}=…`, reason: noPassword });
    else
      leftOut.push({ option: `${keyword}=${value}`, reason: 'this part of a connection is not taken over' });
  }
  return parts;
}

/**
 * A target's URL; null where nothing but the database is named.
 * @param admin the database to connect to at first: that of the benchmark is the step's
 */
export function targetOf({ host, port, user, sslmode }: ServerParts, admin = 'postgres'): string | null {
  if (host === undefined && port === undefined && user === undefined) return null;
  const isSocket = host?.startsWith('/') ?? false;
  const address = host === undefined || isSocket ? 'localhost' : host.includes(':') ? `[${host}]` : host;
  const name = user === undefined ? '' : `${encodeURIComponent(user)}@`;
  const more = new URLSearchParams({
    ...(isSocket && host !== undefined && { host }),
    ...(sslmode !== undefined && { sslmode }),
  });
  const url = `postgresql://${name}${address}:${port ?? '5432'}/${encodeURIComponent(admin)}`;
  return more.size > 0 ? `${url}?${more}` : url;
}
