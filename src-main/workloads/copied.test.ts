import { expect, it } from 'vitest';
import type { SqlOutcome } from '../databases/sqlClient.ts';
import { checkCopied } from './copied.ts';

const outcome = (affected: number): SqlOutcome => ({
  ...{ error: null, skipped: false, command: 'other', rows: 0, results: [] },
  affected,
});

it('passes what was stored whole, and names both figures where it was not', () => {
  expect(() => checkCopied(outcome(100_000), 100_000, 'COPY t FROM STDIN')).not.toThrow();
  expect(() => checkCopied(outcome(99_999), 100_000, 'COPY t FROM STDIN')).toThrow(
    expect.objectContaining({
      code: 'server-error',
      message: 'The server stored 99999 of the 100000 rows that were sent',
      place: { statement: 'COPY t FROM STDIN' },
    }),
  );
});
