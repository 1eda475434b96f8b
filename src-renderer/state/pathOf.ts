import type { ErrorData } from '../../src-shared/errors.ts';

/** Where a file lies that was chosen or dropped: the desktop app can tell, a browser never does. */
export function pathOf(file: File): { path: string; error: null } | { path: null; error: ErrorData } {
  const path = window.benchberry?.pathOf(file) ?? '';
  if (path !== '') return { path, error: null };
  return {
    path: null,
    error: {
      code: 'unsupported',
      message: `A browser does not tell where ${file.name} lies`,
      hint: 'Type its whole path, as it is on the machine that Benchberry runs on.',
    },
  };
}
