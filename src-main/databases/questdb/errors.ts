import { AppError } from '../../../src-shared/errors.ts';

/** QuestDB refuses a password on PostgreSQL's protocol without the SQLSTATE for it. */
export function signInError(thrown: unknown): unknown {
  if (!(thrown instanceof AppError) || !/invalid username\/password/i.test(thrown.detail ?? ''))
    return thrown;
  return new AppError({
    ...{ code: 'wrong-password', message: 'The server refused the password', secret: 'database' },
    ...{ place: thrown.place, detail: thrown.detail },
    hint: 'Enter the password of this user for PostgreSQL’s protocol (pg.password in server.conf).',
  });
}
