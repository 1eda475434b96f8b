import type { AppError, ErrorCode } from '../../src-shared/errors.ts';
import type { App } from '../app/createApp.ts';
import type { Terminal } from './terminal.ts';

/** What the commands need of the process around them. */
export interface Cli {
  terminal: Terminal;
  env: Readonly<Record<string, string | undefined>>;
  /** Folder of the store and the managed servers. */
  dataFolder: string;
  /** Opens the core on the user's data folder; whoever opens it closes it. */
  openApp(): Promise<App>;
  /** Calls the listener at each Ctrl-C or request to end; returns its own un-subscribe. */
  onInterrupt(listener: () => void): () => void;
  /** Ends the process at once. */
  exitNow(code: number): void;
}

/** Documented interface: scripts branch on these. */
export const exitCodes = { ok: 0, notValid: 1, badInput: 2, cancelled: 130 } as const;

const inputCodes: readonly ErrorCode[] = [
  'bad-input',
  'yaml-syntax',
  'unknown-key',
  'not-found',
  'host-not-ready',
];

/** The exit code that an error stands for. */
export function exitCodeOf(error: AppError): number {
  if (error.code === 'cancelled') return exitCodes.cancelled;
  return inputCodes.includes(error.code) ? exitCodes.badInput : exitCodes.notValid;
}

/** Opens the app, does the work, and closes the app whatever happens. */
export async function withApp<T>(cli: Cli, work: (app: App) => Promise<T>): Promise<T> {
  const app = await cli.openApp();
  try {
    return await work(app);
  } finally {
    await app.close();
  }
}

/** JSON as printed by every `--json`. */
export function jsonText(value: unknown): string {
  return JSON.stringify(value, null, 2);
}
