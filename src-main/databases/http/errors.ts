import { z } from 'zod';
import { AppError, type ErrorData, type ErrorPlace } from '../../../src-shared/errors.ts';
import { dialError, shortened, tlsError } from '../postgresql/errors.ts';

/** What QuestDB, and in part others, answer in place of a result or an acknowledgement. */
const saidSchema = z.object({
  /** Of a statement. */
  error: z.string().optional(),
  position: z.number().optional(),
  /** Of rows. */
  message: z.string().optional(),
  line: z.number().optional(),
  errorId: z.string().optional(),
});

/** The server's words of an answer that is no success: its message, the line of the rows, the id in its log. */
function saidIn(status: number, body: string): string {
  let json: unknown;
  try {
    json = JSON.parse(body);
  } catch {
    // A proxy, or the server before it knows what is asked, answers with text.
    return shortened([`HTTP ${status}`, body.trim()].filter(Boolean).join(': '));
  }
  const said = saidSchema.safeParse(json);
  const { error, position, message, line, errorId } = said.success ? said.data : {};
  return [
    shortened(error ?? message ?? body),
    position !== undefined && position > 0 && `at character ${position}`,
    line !== undefined && `line ${line} of the batch`,
    errorId && `error ${errorId} in the server’s log`,
    `HTTP ${status}`,
  ]
    .filter(Boolean)
    .join('; ');
}

const refusals: Record<string, Pick<ErrorData, 'code' | 'message' | 'hint' | 'secret'>> = {
  401: {
    code: 'wrong-password',
    message: 'The server refused the password',
    hint: 'Enter the password of this user again.',
    secret: 'database',
  },
  403: {
    code: 'no-permission',
    message: 'The server does not let this user do that',
    hint: 'Check the user name, and what it may do.',
  },
  421: {
    code: 'server-error',
    message: 'The server only lets itself be read',
    hint: 'Choose the primary server.',
  },
};

/** The error of an answer that is no success. @param signedIn whether a secret was sent */
export function refusal(status: number, body: string, place: ErrorPlace, signedIn = true): AppError {
  const detail = saidIn(status, body);
  if (status === 401 && !signedIn) {
    return new AppError({
      code: 'password-needed',
      message: 'The server asks for a password and none is known',
      place,
      detail,
      hint: 'Enter the password of this user.',
      secret: 'database',
    });
  }
  const known = refusals[status];
  if (known) return new AppError({ ...known, place, detail });
  if (/no space left|errno=28\b|\[28\]/i.test(detail)) {
    return new AppError({
      code: 'disk-full',
      message: 'The server’s disk is full',
      place,
      detail,
      hint: 'Free space on the server; removing an earlier benchmark’s tables frees what they took.',
    });
  }
  return new AppError({
    code: 'server-error',
    message:
      place.statement === undefined ? 'The server refused the rows' : 'The server refused the statement',
    place,
    detail,
    hint: 'The cause is the server’s own message; its log may say more.',
  });
}

export function lost(place: ErrorPlace, detail: string): AppError {
  return new AppError({
    code: 'connection-lost',
    message: 'The connection to the server ended',
    place,
    detail,
    hint: 'Check that the server is running and the network is up; whether the batch on its way was stored is unknown.',
  });
}

/**
 * What a server has answered, in the shape that its answers have.
 * @throws AppError `connection-lost` for another one: something else answers there
 */
export function answerIn<T>(place: ErrorPlace, schema: z.ZodType<T>, value: unknown): T {
  const answer = schema.safeParse(value);
  if (answer.success) return answer.data;
  const issue = answer.error.issues[0];
  const part = issue?.path.map(String).join('.');
  throw lost(
    place,
    `the answer is not what this server answers: ${[part, issue?.message].filter(Boolean).join(': ')}`,
  );
}

/** What a socket or a TLS handshake says, before anything was sent. */
export function connectError(
  error: Error & { code?: unknown },
  place: ErrorPlace,
  encrypted: boolean,
): AppError {
  const dialled = dialError(error, place);
  // What is none of the network's errors ended the handshake.
  const known = encrypted && dialled.code === 'connection-lost' ? tlsError(error, place) : dialled;
  if (known.code !== 'connection-refused') return known;
  return new AppError({
    ...known.toData(),
    hint: 'Check the port, and that the server is running and takes connections from other computers.',
  });
}
