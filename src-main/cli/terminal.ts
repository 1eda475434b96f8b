import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';
import { cancelled } from '../../src-shared/errors.ts';

/** The only writer of the CLI: results to standard output, everything about them to standard error. */
export interface Terminal {
  readonly stdout: Writable;
  /** One or more lines on standard output. */
  out(text: string): void;
  /** One or more lines on standard error. */
  err(text: string): void;
  /** A line at the foot of a terminal, replaced by the next; nothing where standard error is no terminal. */
  status(text: string): void;
  /** Asks without echo; null where nobody is there to answer. */
  secret(question: string): Promise<string | null>;
  /** Asks for a line; null where nobody is there to answer. */
  ask(question: string): Promise<string | null>;
}

interface Streams {
  stdin: NodeJS.ReadStream;
  stdout: Writable;
  stderr: Writable & { isTTY?: boolean; columns?: number };
}

const clearLine = '\r\u001b[2K';

/**
 * Names, server messages and files come from others: a control character among them could clear the screen, set the
 * window's title or forge a verdict, and one that turns the direction of writing could show a text that is not there. They
 * are shown as JSON writes them, so that JSON stays JSON. Line feeds and tabs stay.
 */
function printable(text: string): string {
  return text.replace(
    /(?![\n\t])[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/gu,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** @param streams the process's own, or others in tests */
export function createTerminal({ stdin, stdout, stderr }: Streams): Terminal {
  let shown = false;
  // A reader that went away (`| head`) ends the printing, not the run.
  for (const stream of [stdout, stderr]) stream.on('error', ignoreClosedPipe);

  function clear(): void {
    if (shown) stderr.write(clearLine);
    shown = false;
  }
  return {
    stdout,
    out(text) {
      clear();
      stdout.write(`${printable(text)}\n`);
    },
    err(text) {
      clear();
      stderr.write(`${printable(text)}\n`);
    },
    status(text) {
      if (!stderr.isTTY) return;
      stderr.write(
        clearLine + [...printable(text).replaceAll('\n', ' ')].slice(0, (stderr.columns || 80) - 1).join(''),
      );
      shown = true;
    },
    async secret(question) {
      if (!stdin.isTTY || !stderr.isTTY) return null;
      clear();
      stderr.write(printable(question));
      try {
        return await readHidden(stdin);
      } finally {
        stderr.write('\n');
      }
    },
    async ask(question) {
      if (!stdin.isTTY || !stderr.isTTY) return null;
      clear();
      return readLine(stdin, stderr, printable(question));
    },
  };
}

function isClosedPipe(error: unknown): boolean {
  return (
    error instanceof Error &&
    'code' in error &&
    (error.code === 'EPIPE' || error.code === 'ERR_STREAM_DESTROYED')
  );
}

function ignoreClosedPipe(error: Error): void {
  if (!isClosedPipe(error)) throw error;
}

/** readline edits the line; its echo goes nowhere. */
function readHidden(input: NodeJS.ReadStream): Promise<string> {
  return readLine(input, new Writable({ write: (_chunk, _encoding, done) => done() }), '');
}

function readLine(input: NodeJS.ReadStream, output: Writable, question: string): Promise<string> {
  const lines = createInterface({ input, output, terminal: true });
  return new Promise<string>((resolve, reject) => {
    lines.on('SIGINT', () => reject(cancelled()));
    lines.on('close', () => reject(cancelled()));
    lines.question(question, resolve);
  }).finally(() => lines.close());
}
