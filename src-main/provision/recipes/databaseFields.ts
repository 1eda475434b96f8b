import { z } from 'zod';
import type { FieldMeta } from '../../../src-shared/model/form.ts';
import type { RecipeTarget } from '../step.ts';

/** Fields that every recipe of a database has, whichever way it comes onto the host. */
export const databaseField = (meta: FieldMeta) => ({ group: 'Database', ...meta });

export function portField(preset: number, words: FieldMeta) {
  return z
    .int('A port is a whole number')
    .min(1024, 'A port is 1024 to 65535')
    .max(65_535, 'A port is 1024 to 65535')
    .default(preset)
    .meta(databaseField(words));
}

/** A colon would end the path where Docker reads it. */
export const dataFolderField = z
  .string()
  .trim()
  .regex(/^$|^\/[^\n\r:]*[^/\n\r:]$/, 'An absolute path such as /mnt/ssd/bench, without a colon')
  .default('')
  .meta(
    databaseField({
      title: 'Data folder',
      description:
        'A new or empty folder on the disk that is to be measured, e.g. /mnt/ssd/bench. Empty: where it is put by itself, mostly on the root disk.',
    }),
  );

/** A database that is there keeps its password where none is given; for a new one a password is made then. */
export const passwordField = z
  .string()
  .refine((text) => !/[\n\r\0]/.test(text), 'A password cannot hold a line break')
  .default('')
  .meta(
    databaseField({
      title: 'Password',
      description:
        'Empty: a new database gets a strong one, shown when it is made; one that is there keeps its own. It is kept with the target, nowhere else.',
      kind: 'secret',
      generated: true,
    }),
  );

/** Without a password nothing was changed: the target that was made with it is still right. */
export function postgresTarget({
  password,
  ...connection
}: {
  port: number;
  user: string;
  password: string;
}): RecipeTarget | null {
  if (password === '') return null;
  return {
    engine: 'postgresql',
    connection: { ...connection, adminDatabase: 'postgres' },
    secret: password,
  };
}

/** As `postgresTarget`. */
export function questdbTarget({
  password,
  ...connection
}: {
  port: number;
  wirePort: number;
  ilpPort: number;
  user: string;
  password: string;
}): RecipeTarget | null {
  return password === '' ? null : { engine: 'questdb', connection, secret: password };
}
