/**
 * What a table has under a name that comes from outside. A plain look-up would also find what every object inherits, such as
 * `constructor`, and take it for an entry.
 */
export function entryOf<T>(table: Readonly<Record<string, T>>, name: string): T | undefined {
  return Object.hasOwn(table, name) ? table[name] : undefined;
}
