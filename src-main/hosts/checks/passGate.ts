import { AppError, cancelled } from '../../../src-shared/errors.ts';
import type { MachineCheck } from '../../../src-shared/model/host.ts';
import { pause as pauseFor } from '../pause.ts';

export interface GatePass {
  /** For messages. */
  hostName: string;
  /** Asks once: see `gate`. */
  ask(signal: AbortSignal): Promise<MachineCheck[]>;
  /** Why a run may begin whatever the gate says; null where it may not. */
  override: string | null;
  /** Told each answer. */
  onAnswer(checks: MachineCheck[], waitedMs: number): void;
  /** Of their own for tests. `pause` resolves early when the signal is aborted. */
  now?: () => number;
  pause?: (ms: number, signal: AbortSignal) => Promise<void>;
}

export interface Passed {
  checks: MachineCheck[];
  waitedMs: number;
  /** null where nothing was in the way. */
  override: string | null;
}

/** A board cools down, and a load average falls, in a few minutes; what takes longer does not pass by itself. */
const mostWaitMs = 10 * 60_000;
const againMs = 5_000;

/** Lines that keep a run from beginning: `warn` and `unknown` do not. */
const inTheWay = ({ result }: MachineCheck): boolean => result === 'fail' || result === 'wait';

/**
 * Asks the gate until nothing is in the way. Lines that say `wait` are waited for, ten minutes at most; with an override
 * nothing is.
 * @throws AppError `host-not-ready` with those lines, `cancelled`, what `ask` throws
 */
export async function passGate(pass: GatePass, signal: AbortSignal): Promise<Passed> {
  const { override, now = () => performance.now(), pause = pauseFor } = pass;
  const start = now();
  for (;;) {
    const checks = await pass.ask(signal);
    if (signal.aborted) throw cancelled();
    const waitedMs = Math.max(0, now() - start);
    pass.onAnswer(checks, waitedMs);
    const blocking = checks.filter(inTheWay);
    if (blocking.length === 0) return { checks, waitedMs, override: null };
    if (override !== null) return { checks, waitedMs, override };
    if (blocking.some(({ result }) => result === 'fail') || waitedMs >= mostWaitMs)
      throw notReady(pass.hostName, blocking, waitedMs);
    await pause(againMs, signal);
    if (signal.aborted) throw cancelled();
  }
}

function notReady(hostName: string, blocking: readonly MachineCheck[], waitedMs: number): AppError {
  const lines = blocking.map(({ title, detail, advice }) => [`${title}: ${detail}`, advice]);
  const waited = waitedMs >= mostWaitMs ? ` after ${Math.round(waitedMs / 60_000)} minutes` : '';
  return new AppError({
    code: 'host-not-ready',
    message: `${hostName} is not ready for a run${waited}`,
    place: { host: hostName },
    detail: lines.map((line) => line.filter((text) => text !== '').join('. ')).join('\n'),
    hint: 'Mend that and start again, or begin all the same and say why: the note is kept with the run.',
  });
}
