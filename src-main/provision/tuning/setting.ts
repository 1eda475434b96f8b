/** One line of a server's configuration, with why it is there. */
export interface Setting {
  /** As PostgreSQL writes it: lower case. */
  name: string;
  /** As it stands in a configuration file, without quotes: `223094kB`, `on`, `1.1`. */
  value: string;
  /** Plain words. */
  reason: string;
}

/** As a line of a configuration file. */
export function settingLine({ name, value }: Pick<Setting, 'name' | 'value'>): string {
  return `${name} = '${value.replaceAll("'", "''")}'`;
}

/** The later list wins; a name keeps the place where it came first. */
export function mergeSettings(...lists: readonly (readonly Setting[])[]): Setting[] {
  const merged = new Map<string, Setting>();
  for (const setting of lists.flat()) merged.set(setting.name, setting);
  return [...merged.values()];
}
