import { AppError, type ErrorPlace } from '../../src-shared/errors.ts';
import type { PrepareOptions } from './driver.ts';

/**
 * Holds whether a database exists against what the plan says of it.
 * @throws AppError `bad-input` (it exists and doAbortOnExist), `no-database` (it does not and doCreateDb is off)
 */
export function checkDatabaseOptions(
  exists: boolean,
  { database, doCreateDb, doAbortOnExist }: Omit<PrepareOptions, 'engine'>,
  place: ErrorPlace,
): void {
  if (exists && doAbortOnExist)
    throw new AppError({
      code: 'bad-input',
      message: `The database ${database} exists already`,
      place: { ...place, field: 'doAbortOnExist' },
      hint: 'Choose another database name, or set doAbortOnExist to false.',
    });
  if (!exists && !doCreateDb)
    throw new AppError({
      code: 'no-database',
      message: `There is no database ${database} and doCreateDb is off`,
      place,
      hint: 'Set doCreateDb to true, or create the database first.',
    });
}
