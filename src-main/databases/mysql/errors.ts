import { AppError, type ErrorData, type ErrorPlace } from '../../../src-shared/errors.ts';
import { connectionLost, dialError, shortened, tlsError } from '../postgresql/errors.ts';

/** An error as mysql2 gives it: the server's, or one of the way to it. */
export interface MysqlError extends Error {
  code?: unknown;
  errno?: unknown;
  sqlState?: unknown;
}

type Known = Pick<ErrorData, 'code' | 'message' | 'hint' | 'secret'>;

const fullDisk: Known = {
  code: 'disk-full',
  message: 'The server’s disk is full',
  hint: 'Free space on the server; dropping an earlier benchmark’s database frees what it took.',
};
const forbidden: Known = {
  code: 'no-permission',
  message: 'The server does not let this user do that',
  hint: 'Grant the user the right, or connect as another one.',
};
const noLocalFiles: Known = {
  code: 'unsupported',
  message: 'The server takes no LOAD DATA LOCAL',
  hint: 'SET GLOBAL local_infile = 1 on the server, or set mysqlWriteMode to insert.',
};

/** By the server's error number. */
const known: Readonly<Record<number, Known>> = {
  1021: fullDisk,
  1044: forbidden,
  1049: {
    code: 'no-database',
    message: 'There is no such database',
    hint: 'Check the name, or load into it first.',
  },
  1114: fullDisk,
  1142: forbidden,
  1148: noLocalFiles,
  1227: forbidden,
  3948: noLocalFiles,
  4166: noLocalFiles,
};

/** What was refused, with the server's words, its number and state. */
export function serverError(error: MysqlError, place: ErrorPlace): AppError {
  const number = typeof error.errno === 'number' ? error.errno : 0;
  const codes = [error.errno, error.sqlState].filter((code) => typeof code !== 'undefined').join(', ');
  const detail = `${shortened(error.message)} (${codes})`;
  const entry = known[number] ?? {
    code: 'server-error' as const,
    message: 'The server refused the statement',
    hint: 'The cause is the server’s own message.',
  };
  return new AppError({ ...entry, place, detail });
}

/** Whether the server has said it, rather than the way to it. */
function isFromServer(error: MysqlError): boolean {
  return (
    typeof error.sqlState === 'string' || (typeof error.code === 'string' && error.code.startsWith('ER_'))
  );
}

/** While a connection is being made. @param password whether one was given */
export function openError(error: MysqlError, place: ErrorPlace, password: boolean): AppError {
  if (isFromServer(error)) return refused(error, place, password);
  if (error.code === 'HANDSHAKE_NO_SSL_SUPPORT') {
    return new AppError({
      code: 'tls-unavailable',
      message: 'TLS was asked for and the server has none',
      place,
      detail: error.message,
      hint: 'Switch TLS off for a network you trust, or give the server a certificate.',
    });
  }
  if (
    typeof error.code === 'string' &&
    /^(CERT_|ERR_TLS|ERR_SSL|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO|HANDSHAKE_SSL)/.test(error.code)
  )
    return tlsError(error, place);
  const failed = dialError(error, place);
  if (failed.code !== 'connection-refused' && failed.code !== 'connection-lost') return failed;
  return new AppError({
    ...failed.toData(),
    hint:
      failed.code === 'connection-lost'
        ? 'Check host and port, and that a MariaDB or MySQL server answers there.'
        : 'Check the port, that the server is running, and that bind-address in its configuration lets other computers in.',
  });
}

function refused(error: MysqlError, place: ErrorPlace, password: boolean): AppError {
  if (error.errno !== 1045 && error.errno !== 1698) return serverError(error, place);
  const detail = shortened(error.message);
  if (password) {
    return new AppError({
      code: 'wrong-password',
      message: 'The server refused the user or the password',
      place,
      detail,
      hint: 'Enter the password again; an account holds only for the hosts it was made for.',
      secret: 'database',
    });
  }
  return new AppError({
    code: 'password-needed',
    message: 'The server asks for a password and none is known',
    place,
    detail,
    hint: 'Enter the password of this user.',
    secret: 'database',
  });
}

/** While statements go over it. */
export function linkError(error: MysqlError, place: ErrorPlace): AppError {
  return isFromServer(error) ? serverError(error, place) : connectionLost(place, error.message);
}
