import type { z } from 'zod';
import { AppError } from '../../src-shared/errors.ts';
import { type Target, targetSchema } from '../../src-shared/model/target.ts';

/**
 * A connection as its engine's schema has it: defaults filled in, unknown keys left out.
 * @throws AppError `bad-input` naming the field
 */
export function connectionOf(schema: z.ZodObject, connection: unknown): Target['connection'] {
  const parsed = schema.pipe(targetSchema.shape.connection).safeParse(connection);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  throw new AppError({
    code: 'bad-input',
    message: issue?.message ?? 'The connection has the wrong shape',
    place: { field: issue?.path.join('.') || 'connection' },
  });
}
