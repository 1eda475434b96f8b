import { AppError } from '../../../../src-shared/errors.ts';
import { formatCount } from '../../../../src-shared/units.ts';

/** Why a file's rows end before the file does. The rows before it are good. */
export class Flaw extends Error {
  /** 1-based. */
  readonly line: number;
  readonly hint: string | undefined;

  constructor(line: number, message: string, hint?: string) {
    super(message);
    this.line = line;
    this.hint = hint;
  }

  /** @param rows how many good rows come before it */
  toAppError(file: string, rows: number): AppError {
    return new AppError(
      {
        code: 'bad-input',
        message: `Line ${formatCount(this.line)}: ${this.message}`,
        place: { file, line: this.line },
        detail: rows === 0 ? 'No row comes before it.' : `The ${formatCount(rows)} rows before it are good.`,
        hint: this.hint,
      },
      { cause: this },
    );
  }
}
