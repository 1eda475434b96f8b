/** One line of a server's configuration, with why it is there. */
export interface Setting {
  /** As PostgreSQL writes it: lower case. */
  name: string;
  /** As it stands in a configuration file, without quotes: `223094kB`, `on`, `1.1`. */
  value: string;
  /** Plain words. */
  reason: string;
}

/**
 * As a line of a configuration file, whose quoted strings know backslashes as C does (src/backend/utils/misc/guc-file.l,
 * DeescapeQuotedString); `E` before the first quote makes the same of it in SQL.
 */
export function settingLine({ name, value }: Pick<Setting, 'name' | 'value'>): string {
  const escaped = value
    .replaceAll('\\', '\\\\')
    .replaceAll("'", "''")
    .replaceAll('\n', '\\n')
    .replaceAll('\r', '\\r');
  return `${name} = '${escaped}'`;
}

/** What stands between the quotes of such a line, as the server reads it. */
export function unescaped(quoted: string): string {
  return quoted.replaceAll(/''|\\([0-7]{1,3}|.)/gs, (_, after: string | undefined) => {
    if (after === undefined) return "'";
    if (/^[0-7]/.test(after)) return String.fromCharCode(Number.parseInt(after, 8) & 0xff);
    return letters[after] ?? after;
  });
}
const letters: Readonly<Record<string, string>> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' };

/** The later list wins; a name keeps the place where it came first. */
export function mergeSettings(...lists: readonly (readonly Setting[])[]): Setting[] {
  const merged = new Map<string, Setting>();
  for (const setting of lists.flat()) merged.set(setting.name, setting);
  return [...merged.values()];
}
