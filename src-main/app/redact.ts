const secretKey = /passw|secret|passphrase|token|authorization|credential/i;
/** `password=…`, `PGPASSWORD='…'`, `--pgsql-password=…` inside any text. */
const keyPassword = /((?:password|passwd|pwd|secret|token)=)(?:"[^"]*"|'[^']*'|[^\s&;'"]+)/gi;
/** The header in which a password goes with a request, as a proxy may give it back in its answer. */
const headerPassword = /(authorization\\?"?[:=] ?\\?"?(?:basic|bearer|token) )[\w+/=.~-]+/gi;
export const redacted = '[redacted]';

/** The text without passwords in URLs, `password=` pairs and headers. Takes time in proportion to the text, whatever is in it. */
export function redactText(text: string): string {
  return text
    .replace(/\S+/g, withoutUrlPassword)
    .replace(keyPassword, `$1${redacted}`)
    .replace(headerPassword, `$1${redacted}`);
}

/** `scheme://user:password@` in a word: a password may have each of these signs in it, so that its last @ ends it. */
function withoutUrlPassword(word: string): string {
  const end = word.lastIndexOf('@');
  if (end < 0) return word;
  const start = /\w:\/\/[^:/@]*:(?=.)/.exec(word.slice(0, end));
  return start === null
    ? word
    : `${word.slice(0, start.index + start[0].length)}${redacted}${word.slice(end)}`;
}

/** A copy for a log: texts redacted, values under secret-sounding keys replaced, errors as data, cycles cut. */
export function redact(value: unknown, seen: readonly object[] = []): unknown {
  if (typeof value === 'string') return redactText(value);
  if (!(value instanceof Object)) return typeof value === 'bigint' ? String(value) : value;
  if (seen.includes(value)) return '[circular]';
  const path = [...seen, value];
  if (Array.isArray(value)) return value.map((item) => redact(item, path));
  const own = value instanceof Error ? errorParts(value) : Object.entries(value);
  return Object.fromEntries(
    own.map(([key, item]) => [
      key,
      secretKey.test(key) && item !== null && typeof item !== 'boolean' ? redacted : redact(item, path),
    ]),
  );
}

function errorParts(error: Error): [string, unknown][] {
  return [
    ...Object.entries({ name: error.name, message: error.message, stack: error.stack, cause: error.cause }),
    ...Object.entries(error),
  ].filter(([, item]) => item !== undefined);
}
