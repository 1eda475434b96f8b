import { type AppError, type ErrorCode, toAppError } from '../../src-shared/errors.ts';
import type { Inventory } from '../../src-shared/model/host.ts';
import { watchHealth } from '../hosts/health/index.ts';
import { readInventory } from '../hosts/inventory/readInventory.ts';
import { nowNs } from '../load/clock.ts';
import type { ActiveRun } from './activeRun.ts';
import type { RunHealth } from './runner.ts';

/** The machine behind a run while it is watched. */
export interface HostWatch {
  /**
   * Ends the sampler and, where the host answers and the run was not stopped, reads the inventory again. A run that lost
   * its server first waits to hear whether the host was started anew.
   */
  end(error: AppError | null): Promise<void>;
}

/** A host that does not answer must not hold a run up for longer. */
const inventoryMs = 30_000;
/** What a run ends with when the machine of its server goes down. */
const serverGone: readonly ErrorCode[] = ['connection-lost', 'connection-refused', 'connection-timeout'];
/** A Pi 3 starts from its card in 40 to 90 s. */
const restartMs = 120_000;
/** A host that goes down says so within this time by being silent. */
const goingDownMs = 10_000;
const silentMs = 3_000;
const stepMs = 500;

/**
 * Reads the host's inventory, then samples its health beside the run. Whatever goes wrong with that is a note of the run
 * and a gap in the samples, never its end.
 * @throws what the store throws
 */
export async function watchHost(run: ActiveRun, { hostName, open }: RunHealth): Promise<HostWatch> {
  const note = (text: string) => run.event('note', `${hostName}: ${text}`);
  async function read(when: string): Promise<Inventory | null> {
    run.progress.doing(`Reading ${hostName}`);
    const signal = AbortSignal.any([run.signal, AbortSignal.timeout(inventoryMs)]);
    try {
      const remote = await open(signal);
      try {
        return await readInventory(remote, signal);
      } finally {
        await remote.close();
      }
    } catch (error) {
      if (!run.signal.aborted) note(`it could not be read ${when} the run. ${why(toAppError(error))}`);
      return null;
    }
  }

  const before = await read('before');
  run.describeHost({ name: hostName, before, after: null });
  const stop = new AbortController();
  const seen = { at: Number.NEGATIVE_INFINITY, bootId: '', restarts: 0 };
  let lost = false;
  let failure: AppError | null = null;
  const watching = watchHealth(
    {
      open,
      now: () => run.atMs(nowNs()),
      onSample(sample) {
        if (lost) note('its health is sampled again');
        lost = false;
        if (seen.bootId !== '' && seen.bootId !== sample.bootId) {
          seen.restarts += 1;
          note('it was started anew');
        }
        seen.bootId = sample.bootId;
        seen.at = performance.now();
        run.health(sample);
      },
      onLost(error) {
        lost = true;
        note(`its health is not sampled until it answers again. ${why(error)}`);
      },
    },
    stop.signal,
  ).catch((error) => {
    if (!lost) failure = toAppError(error);
  });

  /** Until the host is known to be up as before, or up anew, or has had its time. */
  async function hearOfRestart(): Promise<void> {
    run.progress.doing(`Waiting for ${hostName}`);
    const { restarts } = seen;
    const start = performance.now();
    const waited = () => performance.now() - start;
    while (seen.restarts === restarts && waited() < restartMs && !run.signal.aborted) {
      if (performance.now() - seen.at < silentMs && waited() > goingDownMs) return;
      await pause(stepMs, run.signal);
    }
  }

  return {
    async end(error) {
      if (error !== null && serverGone.includes(error.code) && seen.bootId !== '') await hearOfRestart();
      stop.abort();
      await watching;
      if (run.signal.aborted) return;
      if (failure) note(`its health could not be kept. ${why(failure)}`);
      if (seen.bootId !== '' && !lost)
        run.describeHost({ name: hostName, before, after: await read('after') });
    },
  };
}

/** One line: it stands in the list of events. */
function why({ message, detail }: AppError): string {
  return detail === undefined ? message : `${message}: ${detail}`;
}

/** Resolves early when the signal is aborted. */
function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener(
      'abort',
      () => {
        clearTimeout(timer);
        resolve();
      },
      { once: true },
    );
  });
}
