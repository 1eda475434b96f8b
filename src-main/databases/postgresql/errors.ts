import { entryOf } from '../../../src-shared/entryOf.ts';
import { AppError, type ErrorData, type ErrorPlace } from '../../../src-shared/errors.ts';

/** The parts of a server's ErrorResponse that are shown. */
export interface ServerErrorFields {
  message: string;
  code?: string | undefined;
  detail?: string | undefined;
  hint?: string | undefined;
  where?: string | undefined;
}

const byState: Record<string, Pick<ErrorData, 'code' | 'message' | 'hint' | 'secret'>> = {
  '28P01': {
    code: 'wrong-password',
    message: 'The server refused the password',
    hint: 'Enter the password of this user again.',
    secret: 'database',
  },
  '28000': {
    code: 'no-permission',
    message: 'The server does not let this user in from here',
    hint: 'Check the user name, and add a line for this user and this computer to the server’s pg_hba.conf.',
  },
  '3D000': {
    code: 'no-database',
    message: 'There is no database of that name',
    hint: 'Check the database name, or let the plan create it (doCreateDb: true).',
  },
  '42501': {
    code: 'no-permission',
    message: 'The user may not do this',
    hint: 'Grant the right, for a plan that creates its database: ALTER ROLE … CREATEDB.',
  },
  '53100': {
    code: 'disk-full',
    message: 'The server’s disk is full',
    hint: 'Free space on the server; removing an earlier benchmark database frees what it took.',
  },
  '53300': {
    code: 'server-error',
    message: 'The server has no free connection',
    hint: 'Close other programs’ connections, use fewer workers, or raise max_connections.',
  },
  '57P03': {
    code: 'server-error',
    message: 'The server is starting up or shutting down',
    hint: 'Wait a moment and try again.',
  },
  '55006': {
    code: 'server-error',
    message: 'The database is in use',
    hint: 'Close the other programs that are connected to it and try again.',
  },
  '25006': {
    code: 'server-error',
    message: 'The server only lets itself be read: it is a standby, or read-only is on',
    hint: 'Choose the primary server.',
  },
};
const lost = new Set(['57P01', '57P02', '57P05', '08006', '08003']);

/** Of a field that is kept with a run and shown: what a server says may be of any length. */
const mostCharacters = 4000;

export function shortened(text: string): string {
  return text.length > mostCharacters ? `${text.slice(0, mostCharacters)}…` : text;
}

/** What the server said, as an AppError. */
export function serverError(fields: ServerErrorFields, place: ErrorPlace): AppError {
  const state = fields.code ?? '';
  const detail = [
    fields.message,
    fields.detail && `detail: ${fields.detail}`,
    fields.hint && `hint: ${fields.hint}`,
    fields.where && `where: ${fields.where}`,
    state && `SQLSTATE ${state}`,
  ]
    .flatMap((part) => (part ? shortened(part) : []))
    .join('; ');
  if (lost.has(state)) return connectionLost(place, detail);
  const known = entryOf(byState, state);
  if (known) return new AppError({ ...known, place, detail });
  return new AppError({
    code: 'server-error',
    message: 'The server refused the statement',
    place,
    detail,
    hint: 'The cause is the server’s own message; its log may say more.',
  });
}

export function connectionLost(place: ErrorPlace, detail: string): AppError {
  return new AppError({
    code: 'connection-lost',
    message: 'The connection to the server ended',
    place,
    detail,
    hint: 'Check that the server is running and the network is up; whether the batch on its way was stored is unknown.',
  });
}

export function notPostgresql(place: ErrorPlace, detail: string): AppError {
  return new AppError({
    code: 'not-postgresql',
    message: 'What answers there is not PostgreSQL',
    place,
    detail,
    hint: 'Check host and port; PostgreSQL’s own port is 5432.',
  });
}

/** Socket errors while a connection is being made. */
export function dialError(error: Error & { code?: unknown }, place: ErrorPlace): AppError {
  const detail = error.message || String(error.code);
  switch (error.code) {
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
    case 'EAI_NODATA':
    case 'EAI_NONAME':
      return new AppError({
        code: 'host-not-found',
        message: `There is no host ${place.host}`,
        place,
        detail,
        hint: 'Check the spelling; a Raspberry Pi on the same network is usually NAME.local.',
      });
    case 'ECONNREFUSED':
    case 'ENOENT':
      return new AppError({
        code: 'connection-refused',
        message: 'Nothing listens on that port',
        place,
        detail,
        hint: 'Check the port, that the server is running, and that listen_addresses in postgresql.conf lets other computers in.',
      });
    case 'EACCES':
    case 'EPERM':
      return new AppError({
        code: 'no-permission',
        message: 'This user may not open the connection',
        place,
        detail,
        hint: 'Check the permissions of the socket or the firewall of this computer.',
      });
    case 'ETIMEDOUT':
    case 'EHOSTUNREACH':
    case 'ENETUNREACH':
    case 'EHOSTDOWN':
      return connectionTimeout(place, detail);
    default:
      return connectionLost(place, detail);
  }
}

export function connectionTimeout(place: ErrorPlace, detail: string): AppError {
  return new AppError({
    code: 'connection-timeout',
    message: 'The host does not answer',
    place,
    detail,
    hint: 'Check that it is switched on, in the same network, and that no firewall drops the connection.',
  });
}

const certificateProblem =
  /^(CERT_|ERR_TLS_CERT_|DEPTH_ZERO_|SELF_SIGNED|UNABLE_TO_|HOSTNAME_MISMATCH|CRL_|INVALID_CA|PATH_LENGTH|INVALID_PURPOSE)/;

/** Errors of the TLS handshake. */
export function tlsError(error: Error & { code?: unknown }, place: ErrorPlace): AppError {
  if (error.code === 'ERR_TLS_CERT_ALTNAME_INVALID' || error.code === 'HOSTNAME_MISMATCH') {
    return new AppError({
      code: 'tls-untrusted',
      message: `The server’s certificate is for another name than ${place.host}`,
      place,
      detail: `${error.message} (${error.code})`,
      hint: 'Connect by a name that the certificate has, or choose “Encrypted, certificate from a known authority”, which leaves the name unchecked.',
    });
  }
  if (typeof error.code === 'string' && certificateProblem.test(error.code)) {
    return new AppError({
      code: 'tls-untrusted',
      message: 'The server’s certificate is not trusted',
      place,
      detail: `${error.message} (${error.code})`,
      hint: 'Give the CA certificate that signed it, or choose “Encrypted, any certificate” for a network you trust.',
    });
  }
  return new AppError({
    code: 'tls-unavailable',
    message: 'No encrypted connection came about',
    place,
    detail: error.message,
    hint: 'Check the server’s ssl settings, or switch TLS off for a network you trust.',
  });
}
