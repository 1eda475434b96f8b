import { AppError, type ErrorCode, toAppError } from '../../../src-shared/errors.ts';
import type { HealthSample } from '../../../src-shared/model/host.ts';
import { pause } from '../pause.ts';
import type { Remote } from '../remote.ts';
import { type Axis, createAxis } from './axis.ts';
import { createMeter, type Meter } from './meter.ts';
import { parseLine } from './parse.ts';
import { samplerScript } from './script.ts';

interface HealthWatch {
  /** Signs in; called again after the connection was lost. */
  open(signal: AbortSignal): Promise<Remote>;
  /** Milliseconds on the time axis of the samples; since this call by default. */
  now?: () => number;
  /** What it throws ends the watch. */
  onSample(sample: HealthSample): void;
  /** The samples stop: told once, until they come again. */
  onLost?(error: AppError): void;
  /** A path on the disk to watch; `/` by default. */
  path?: string;
  /** Waits before the next try; of its own for tests. Resolves early when the signal is aborted. */
  pause?: (ms: number, signal: AbortSignal) => Promise<void>;
}

/** Before the next try, in ms; the last goes on. sshd turns away who signs in too often in vain. */
const pausesMs = [3_000, 5_000, 10_000, 15_000];
/** What only the user can mend is not tried again. */
const forGood: readonly ErrorCode[] = [
  'host-key-changed',
  'host-key-unknown',
  'wrong-password',
  'password-needed',
  'sign-in-refused',
];

/**
 * Samples a host's health once a second until `signal` is aborted, then resolves. A lost connection leaves a gap and is
 * opened again; what was in the gap is not made up. That the host was started anew shows in the samples' boot id.
 * @throws AppError for what only the user can mend: a changed host key, a refused sign-in; what `onSample` throws
 */
export async function watchHealth(watch: HealthWatch, signal: AbortSignal): Promise<void> {
  const start = performance.now();
  const axis = createAxis(watch.now ?? (() => performance.now() - start));
  const wait = watch.pause ?? pause;
  let failures = 0;
  // Thrown where lines arrive, an error would be nobody's.
  const broken = new AbortController();
  const onSample = (sample: HealthSample) => {
    if (broken.signal.aborted) return;
    failures = 0;
    try {
      watch.onSample(sample);
    } catch (error) {
      broken.abort(error);
    }
  };
  const ended = AbortSignal.any([signal, broken.signal]);
  while (!signal.aborted) {
    try {
      await sampleOnce(watch, axis, onSample, ended);
    } catch (thrown) {
      if (broken.signal.aborted) throw broken.signal.reason;
      if (signal.aborted) return;
      const error = toAppError(thrown);
      if (failures === 0) watch.onLost?.(error);
      if (forGood.includes(error.code)) throw error;
    }
    await wait(pausesMs[Math.min(failures, pausesMs.length - 1)] ?? 0, signal);
    failures += 1;
  }
}

/** One connection, one channel. Ends only by an error. */
async function sampleOnce(
  watch: HealthWatch,
  axis: Axis,
  onSample: (sample: HealthSample) => void,
  signal: AbortSignal,
): Promise<never> {
  const remote = await watch.open(signal);
  try {
    let meter: Meter | null = null;
    axis.restart();
    const onLine = (text: string) => {
      const line = parseLine(text);
      if (line?.kind === 'header') meter = createMeter(line);
      else if (line !== null && meter !== null) {
        const atMs = axis.place(line.uptime);
        const sample = meter.add(line);
        if (sample !== null) onSample({ atMs, ...sample });
      }
    };
    const command = ['sh', '-s', '--', watch.path ?? '/', '1'] as const;
    const { code } = await remote.stream(command, onLine, { input: samplerScript, signal });
    throw new AppError({
      code: 'server-error',
      message: 'The health sampler has ended on the host',
      place: { host: remote.address },
      detail: `exit code ${code}`,
    });
  } finally {
    await remote.close();
  }
}
