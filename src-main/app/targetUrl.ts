import { AppError } from '../../src-shared/errors.ts';
import type { Target } from '../../src-shared/model/target.ts';
import { nearest } from '../../src-shared/nearest.ts';
import type { Driver } from '../databases/driver.ts';
import { drivers } from '../databases/registry.ts';
import { connectionOf } from './connection.ts';
import { redacted } from './redact.ts';

function isUrl(text: string): boolean {
  return /^\s*[a-z][a-z0-9+.-]*:\/\//i.test(text);
}

/**
 * A connection URL as an engine, its connection and the password in it.
 * @throws AppError `not-found` where the text is no URL (with the nearest of the names), `bad-input` for a scheme or a part
 * that no engine knows; the message never holds the password
 */
export function parseTargetUrl(
  text: string,
  names: readonly string[],
): { driver: Driver; connection: Target['connection']; secret: string | null } {
  if (!isUrl(text)) {
    const near = nearest(text, names);
    throw new AppError({
      code: 'not-found',
      // A URL with a slash too few is told as a name, and may hold a password.
      message: `There is no target named ${JSON.stringify(text.replace(/:[^:]*@/s, `:${redacted}@`))}`,
      hint: near === null ? `Targets: ${names.join(', ')}; or a connection URL.` : `Did you mean ${near}?`,
    });
  }
  for (const driver of drivers) {
    const parsed = driver.parseUrl(text.trim());
    if (parsed) {
      return {
        driver,
        connection: connectionOf(driver.connection, parsed.connection),
        secret: parsed.secret,
      };
    }
  }
  throw new AppError({
    code: 'bad-input',
    message: `No database engine reads URLs that begin with ${text.trim().slice(0, text.trim().indexOf('://'))}://`,
    place: { field: 'target' },
    hint: 'PostgreSQL and TimescaleDB: postgresql://user@host:5432/postgres; QuestDB: questdb://admin@host:9000; MariaDB and MySQL: mysql://user@host:3306; InfluxDB: influxdb://host:8086; VictoriaMetrics: victoriametrics://host:8428; HBase: hbase://host:8080; OpenTSDB: opentsdb://host:4242',
  });
}

/** The URL without its password and parameters, as a target's name: `postgresql://bench@db.local:5432/postgres`. */
export function nameOfUrl(text: string): string {
  return withoutPassword(text)
    .replace(/[?#].*$/s, '')
    .slice(0, 80);
}

const secretParameter = /(?<=[?&])[^=&#]*(?:passw|pwd|secret|token)[^=&#]*=[^&#]*&?/gi;

/**
 * The text as it may be stored: a URL without its password, anything else as it is. A password may hold blanks and, as long
 * as they are not yet percent-encoded, the marks that end the host's part: a URL that cannot be read loses everything
 * from the first colon after the user to the last @.
 */
export function withoutPassword(text: string): string {
  if (!isUrl(text)) return text;
  const url = text.trim();
  const user = /^([a-z][a-z0-9+.-]*:\/\/[^:@/?#]*)/i;
  const password = new RegExp(`${user.source}:${URL.canParse(url) ? '[^/?#]*' : '.*'}@`, 'is');
  return url
    .replace(password, '$1@')
    .replace(secretParameter, '')
    .replace(/[?&]+(?=#|$)/, '');
}
