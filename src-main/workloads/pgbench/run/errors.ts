import { AppError, toAppError } from '../../../../src-shared/errors.ts';
import type { Operation, Program } from './program.ts';

/** An error that ends a client, with the command that it happened in. */
export function locatedError(program: Program, operation: Operation, error: unknown): AppError {
  const { code, message, place, detail, hint } = toAppError(error);
  return new AppError(
    {
      code,
      message: `${program.name}, line ${operation.line}: ${message}`,
      place: { ...place, statement: operation.firstLine },
      detail,
      hint,
    },
    { cause: error },
  );
}

export function commandError(program: Program, operation: Operation, message: string): AppError {
  return locatedError(program, operation, new AppError({ code: 'bad-input', message }));
}

export function scriptError(program: Program, message: string): AppError {
  return new AppError({ code: 'bad-input', message: `${program.name}: ${message}` });
}
