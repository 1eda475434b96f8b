import { AppError } from '../../src-shared/errors.ts';
import type { SqlOutcome } from '../databases/sqlClient.ts';

/**
 * Holds the rows that a COPY says it stored against those that were sent: a trigger or a rule may have left some out.
 * @param sent rows
 * @throws AppError `server-error` naming the statement and both figures
 */
export function checkCopied({ affected }: SqlOutcome, sent: number, statement: string): void {
  if (affected === sent) return;
  throw new AppError({
    code: 'server-error',
    message: `The server stored ${affected} of the ${sent} rows that were sent`,
    place: { statement },
    hint: 'Look for a trigger or a rule on this table, or have the tables made anew.',
  });
}
