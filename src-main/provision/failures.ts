import { AppError, type ErrorCode } from '../../src-shared/errors.ts';

/** Causes that a person can do something about, as the programs of a host name them; the first that fits is told. */
const causes: readonly { words: RegExp; code: ErrorCode; what: string; hint: string }[] = [
  {
    words: /No space left on device|enough free space|Disk quota exceeded|disk full/i,
    code: 'disk-full',
    what: 'there is no room left on the host',
    hint: 'Make room on that disk (for packages: sudo apt-get clean), or plan again with a folder on another one. Apply again: it goes on here.',
  },
  {
    words: /Not live until|not valid yet|is not yet valid|not yet activated/i,
    code: 'server-error',
    what: 'the clock of the host is wrong, so that it trusts no archive',
    hint: 'Set it on the host: sudo timedatectl set-ntp true. Then apply again: it goes on here.',
  },
  {
    words:
      /Temporary failure resolving|Could not resolve|Could not connect|Unable to connect|Network is unreachable|Connection timed out|Failed to fetch|dial tcp|no such host|i\/o timeout|TLS handshake timeout/i,
    code: 'server-error',
    what: 'the host cannot fetch what it needs',
    hint: 'Look at its network, its name server and the address of the archive. When it answers, apply again: it goes on here.',
  },
  {
    words: /Address already in use|port is already allocated|could not bind/i,
    code: 'server-error',
    what: 'another program has the port',
    hint: 'Stop that program and apply again: it goes on here. Or plan again with another port.',
  },
  {
    words: /Could not get lock|Unable to acquire the dpkg|is another process using it/i,
    code: 'server-error',
    what: 'another program works with packages',
    hint: 'Wait until it is done, then apply again: it goes on here.',
  },
];

/**
 * A script of a step that ended with an error.
 * @param output what it printed this time; its end is enough
 */
export function failedScript(title: string, code: number, output: string): AppError {
  const cause = causes.find(({ words }) => words.test(output));
  const lines = output.trimEnd().split('\n');
  const named = cause === undefined ? -1 : lines.findLastIndex((line) => cause.words.test(line));
  // The line that names the cause may stand long before the end.
  const shown = [
    ...(named >= 0 && named < lines.length - 5 ? lines.slice(named, named + 1) : []),
    ...lines.slice(-5),
  ];
  return new AppError({
    code: cause?.code ?? 'server-error',
    message: `${title}: ${cause?.what ?? 'the host could not do it'}`,
    detail: shown.join('\n') || `exit code ${code}`,
    hint:
      cause?.hint ??
      'The log of the step has the whole story. Apply again when the cause is gone: it goes on here.',
  });
}

/** A script that ended well, and yet the host is not as it should be. */
export function notSo(title: string, evidence: string): AppError {
  return new AppError({
    code: 'server-error',
    message: `${title}: it ran, but the host is not as it should be`,
    detail: evidence,
    hint: 'The log of the step has the whole story.',
  });
}

/** The same error, with the host it happened on. */
export function onHost(error: AppError, host: string): AppError {
  if (error.place?.host !== undefined) return error;
  const data = error.toData();
  return new AppError({ ...data, place: { ...data.place, host } }, { cause: error });
}
