import { z } from 'zod';
import type { AppError, ErrorCode } from '../../../src-shared/errors.ts';
import { BackOff } from './backOff.ts';
import type { Reply } from './http.ts';

/** The load option of all engines over HTTP, one field for all of them. */
export const resendFor = z
  .string()
  .regex(/^(?=\d)(\d+h)?(\d+m)?(\d+s)?$/, 'A duration such as 30s, 5m or 1h')
  .default('1m')
  .meta({
    title: 'Send again for',
    description:
      'How long a batch over HTTP is sent again, with growing pauses, while the server is overloaded or away. 0s: not at all.',
    kind: 'duration',
    group: 'HTTP',
    advanced: true,
  });

/** Why a try came to nothing. `later`: the same may be tried again after a pause. */
export interface Failure {
  error: AppError;
  later: boolean;
  /** The pause that the server has asked for. */
  afterMs: number | null;
}

/** Overloaded: a server, or a proxy before it, says so before it looks at the rows. */
const untaken = new Set([429, 503]);
/** A failed write, or a proxy that has lost the server behind it: the rows may be stored or not. */
const uncertain = new Set([500, 502, 504]);
/** Nothing was sent. */
const unreached: readonly ErrorCode[] = ['connection-refused', 'connection-timeout', 'host-not-found'];

/**
 * What a refusal means for its rows: `untaken`, the server has none of them; `unknown`, it may have some; `refused`, it
 * never takes them.
 */
export type Fate = 'untaken' | 'unknown' | 'refused';

export function fateOf({ status }: Reply, error: AppError): Fate {
  if (untaken.has(status)) return 'untaken';
  return uncertain.has(status) && error.code === 'server-error' ? 'unknown' : 'refused';
}

/** The same of a try that ended without an answer. */
export function fateOfError({ code }: AppError): Fate {
  if (unreached.includes(code)) return 'untaken';
  return code === 'connection-lost' ? 'unknown' : 'refused';
}

/** Tries again what may be taken later, and remembers what to tell of it. */
export class Resending {
  readonly #forMs: number;
  readonly #what: string;
  #again = 0;
  #remarks: string[] = [];

  /** @param what is sent again, as its sentence begins: `Batches` */
  constructor(forMs: number, what: string) {
    this.#forMs = forMs;
    this.#what = what;
  }

  takeRemarks(): string[] {
    const taken = this.#remarks;
    this.#remarks = [];
    return taken;
  }

  /**
   * Tries until it has worked.
   * @param attempt resolves with null when it has
   * @throws AppError of the last try
   */
  async until(attempt: () => Promise<Failure | null>, signal: AbortSignal): Promise<void> {
    const backOff = new BackOff(this.#forMs);
    for (let tries = 1; ; tries += 1) {
      const failure = await attempt();
      if (failure === null) return;
      if (!failure.later || backOff.over) throw failure.error;
      if (tries === 1) this.#remark(failure.error);
      await backOff.pause(failure.afterMs, signal);
    }
  }

  /** Told the first, second, fourth, eighth … time. */
  #remark({ message, detail }: AppError): void {
    this.#again += 1;
    if ((this.#again & (this.#again - 1)) !== 0) return;
    const what = this.#again === 1 ? this.#what : `${this.#what}, ${this.#again} so far,`;
    this.#remarks.push(`${what} are sent again: ${[message, detail].filter(Boolean).join(': ')}`);
  }
}
