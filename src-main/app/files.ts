import path from 'node:path';
import { AppError } from '../../src-shared/errors.ts';
import { inspectFile } from '../workloads/tsbs/reading/survey.ts';
import type { HandlersOf } from './context.ts';

export function fileHandlers(): HandlersOf<'files'> {
  return {
    async 'files.inspect'({ path: file }, signal) {
      if (path.isAbsolute(file)) return inspectFile(file, signal);
      throw new AppError({
        code: 'bad-input',
        message: 'It is not the whole path of a file',
        place: { file },
      });
    },
  };
}
