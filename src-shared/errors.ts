/** Errors as they cross every border of the app: plain data, a code from a closed set, words for people. */

export const errorCodes = [
  'bad-input', // a value out of range, a wrong type
  'yaml-syntax', // the file is not YAML
  'unknown-key', // a key that no schema knows; `hint` has the nearest one
  'not-found', // no such run, plan, target, file
  'host-not-found',
  'connection-refused',
  'connection-timeout',
  'connection-lost', // an established connection ended: server restarted, cable out
  'wrong-password',
  'password-needed', // no secret is kept for this target: ask
  'host-key-unknown', // SSH: nobody has vouched for this host's key yet; `detail` is its fingerprint
  'host-key-changed', // SSH: not the key that was pinned or that known_hosts has; a hard stop
  'sign-in-refused', // SSH: the host takes none of the keys offered
  'no-database',
  'no-permission',
  'tls-required',
  'tls-unavailable', // TLS was asked for, the server has none
  'tls-untrusted',
  'not-postgresql', // something else answers on that port
  'server-error', // the server refused a statement; `detail` is its message
  'disk-full',
  'database-not-ours', // exists and has no mark of Benchberry's: never dropped
  'unsupported', // engine, version or edition cannot do what the plan asks
  'sandbox-failed', // the embedded server did not start
  'store-locked',
  'store-damaged',
  'store-newer',
  'run-active', // the target or the app is busy with a run
  'host-not-ready', // the gate before a run: lines of it failed, or did not pass in time; `detail` has them
  'worker-died',
  'cancelled',
  'internal',
] as const;
export type ErrorCode = (typeof errorCodes)[number];

/** What a password is for: signing in to a host (or the passphrase of the key), sudo there, a database, a recipe's own field. */
export const secretKinds = ['login', 'sudo', 'database', 'recipe'] as const;
export type SecretKind = (typeof secretKinds)[number];

/** Where it happened; each part is shown when present. */
export interface ErrorPlace {
  host?: string | undefined;
  port?: number | undefined;
  database?: string | undefined;
  target?: string | undefined;
  /** Dotted path of the field in a plan or form, e.g. `steps[0].tsbs.load.scale`. */
  field?: string | undefined;
  file?: string | undefined;
  /** 1-based. */
  line?: number | undefined;
  /** 1-based. */
  column?: number | undefined;
  statement?: string | undefined;
}

export interface ErrorData {
  code: ErrorCode;
  /** What failed, one plain sentence. */
  message: string;
  place?: ErrorPlace | undefined;
  /** The cause as the server or system gave it. */
  detail?: string | undefined;
  /** The next step, one plain sentence. */
  hint?: string | undefined;
  /** Of `password-needed` and `wrong-password`: which one. Who asks for it decides by this, never by the words. */
  secret?: SecretKind | undefined;
}

/** The one error class of the project. Anything else that is thrown is a defect and becomes `internal`. */
export class AppError extends Error {
  readonly code: ErrorCode;
  readonly place: ErrorPlace | undefined;
  readonly detail: string | undefined;
  readonly hint: string | undefined;
  readonly secret: SecretKind | undefined;

  constructor(data: ErrorData, options?: { cause?: unknown }) {
    super(data.message, options);
    this.name = 'AppError';
    this.code = data.code;
    this.place = data.place;
    this.detail = data.detail;
    this.hint = data.hint;
    this.secret = data.secret;
  }

  toData(): ErrorData {
    const { code, message, place, detail, hint, secret } = this;
    return { code, message, place, detail, hint, secret };
  }
}

export function cancelled(what = 'Cancelled'): AppError {
  return new AppError({ code: 'cancelled', message: what });
}

/** Any thrown value as an AppError; an abort becomes `cancelled`, an unknown error `internal` with its message as detail. */
export function toAppError(error: unknown): AppError {
  if (error instanceof AppError) return error;
  if (error instanceof Error && error.name === 'AbortError') return cancelled();
  const detail = error instanceof Error ? error.message : String(error);
  return new AppError(
    { code: 'internal', message: 'Something went wrong inside Benchberry', detail },
    { cause: error },
  );
}

/** One line of text: message, place in brackets, detail, hint. For logs and the terminal. */
export function describeError(error: ErrorData): string {
  const p = error.place ?? {};
  const place = [
    p.target && `target ${p.target}`,
    p.host && (p.port ? `${p.host}:${p.port}` : p.host),
    p.database && `database ${p.database}`,
    p.file && [p.file, p.line, p.column].filter((x) => x !== undefined).join(':'),
    !p.file &&
      p.line !== undefined &&
      `line ${p.line}${p.column === undefined ? '' : `, column ${p.column}`}`,
    p.field && `field ${p.field}`,
    p.statement && `statement ${p.statement}`,
  ].filter(Boolean);
  return [
    error.message + (place.length > 0 ? ` (${place.join(', ')})` : ''),
    error.detail && `  cause: ${error.detail}`,
    error.hint && `  next: ${error.hint}`,
  ]
    .filter(Boolean)
    .join('\n');
}
