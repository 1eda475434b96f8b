const secretKey = /passw|secret|passphrase|token|authorization|credential/i;
/** `scheme://user:password@`, and `password=…`, `PGPASSWORD='…'`, `--pgsql-password=…` inside any text. */
const urlPassword = /(\b[a-z][\w+.-]*:\/\/[^\s:/@]*):\S+@/gi;
const keyPassword = /([\w-]*(?:password|passwd|pwd|secret|token))=(?:"[^"]*"|'[^']*'|[^\s&;'"]+)/gi;
export const redacted = '[redacted]';

/** The text without passwords in URLs and `password=` pairs. */
export function redactText(text: string): string {
  return text.replace(urlPassword, `$1:${redacted}@`).replace(keyPassword, `$1=${redacted}`);
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
