import { existsSync, mkdirSync, renameSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { pino } from 'pino';
import { redact, redactText } from './redact.ts';

export interface Log {
  debug(text: string, data?: Record<string, unknown>): void;
  info(text: string, data?: Record<string, unknown>): void;
  warn(text: string, data?: Record<string, unknown>): void;
  error(text: string, data?: Record<string, unknown>): void;
}

const levels = ['debug', 'info', 'warn', 'error', 'silent'] as const;
const largestBytes = 5 * 1024 * 1024;

/**
 * Lines of JSON in `benchberry.log` of the data folder; from 5 MiB up the file becomes `benchberry.log.1` at the next start.
 * `BENCHBERRY_LOG` is the least level kept: debug, info (default), warn, error or silent. Secrets are redacted.
 */
export function openLog(
  folder: string,
  env: Readonly<Record<string, string | undefined>> = process.env,
): { log: Log; close(): void } {
  mkdirSync(folder, { recursive: true });
  const file = join(folder, 'benchberry.log');
  if (existsSync(file) && statSync(file).size > largestBytes) renameSync(file, `${file}.1`);
  const level = levels.find((name) => name === env.BENCHBERRY_LOG) ?? 'info';
  // Synchronous: a few lines a minute, and the last ones before a crash are the ones that are wanted.
  const destination = pino.destination({ dest: file, sync: true, mode: 0o600 });
  const out = pino({ level, base: { pid: process.pid } }, destination);
  // A log that cannot be written (disk full) must not end a run; the store says the same where it is heard.
  let open = true;
  const stop = () => {
    open = false;
  };
  destination.on('error', stop);
  const write = (name: 'debug' | 'info' | 'warn' | 'error') => (text: string, data?: object) => {
    if (open) out[name](redact(data ?? {}), redactText(text));
  };
  return {
    log: { debug: write('debug'), info: write('info'), warn: write('warn'), error: write('error') },
    close() {
      if (open) destination.end();
      stop();
    },
  };
}
