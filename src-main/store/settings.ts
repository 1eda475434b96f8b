import { type Settings, settingsSchema } from '../../src-shared/contract/commands.ts';
import type { Connection } from './database.ts';
import { firstIssue, jsonColumn, type Report } from './json.ts';
import type { Store } from './repositories.ts';

const column = jsonColumn(settingsSchema);

/** Preferences, one JSON value; the defaults where nothing was saved or what was saved cannot be read. */
export function settingsRepository(db: Connection, report: Report): Store['settings'] {
  return {
    get(): Settings {
      const text = db.column(`SELECT value FROM setting WHERE name = 'settings'`)[0];
      if (text === undefined) return settingsSchema.parse({});
      const parsed = column.safeParse(text);
      if (parsed.success) return parsed.data;
      report(
        `The saved settings cannot be read (${firstIssue(parsed.error)}). The defaults are used until they are saved again.`,
      );
      return settingsSchema.parse({});
    },
    save(settings) {
      db.run(`INSERT OR REPLACE INTO setting VALUES ('settings', ?)`, JSON.stringify(settings));
    },
  };
}
