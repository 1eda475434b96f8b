import { type AppError, type ErrorCode, toAppError } from '../../src-shared/errors.ts';
import type { Inventory } from '../../src-shared/model/host.ts';
import { watchHealth } from '../hosts/health/index.ts';
import { readInventory } from '../hosts/inventory/readInventory.ts';
import { pause } from '../hosts/pause.ts';
import { nowNs } from '../load/clock.ts';
import type { ActiveRun } from './activeRun.ts';
import type { QuietHost, RunHealth } from './runner.ts';

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
/** A host that goes down says so within this time by being silent: its database goes first, and takes its time to write. */
const goingDownMs = 20_000;
const silentMs = 3_000;
/** The sample of the run's last moments is waited for this long: without it a run of a second would have none at all. */
const lastSampleMs = 3_000;
const stepMs = 500;

/**
 * Reads the host's inventory, then samples its health beside the run. Whatever goes wrong with that is a note of the run
 * and a gap in the samples, never its end.
 * @throws what the store throws
 */
export async function watchHost(run: ActiveRun, health: RunHealth): Promise<HostWatch> {
  const { hostName, open } = health;
  const note = (text: string) => run.event('note', `${hostName}: ${text}`);
  async function read(when: string): Promise<Inventory | null> {
    if (run.signal.aborted) return null;
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

  await askGate(run, health);
  const place = (await health.place?.(run.signal)) ?? null;
  run.describeHost({ place });
  const calm = await keepQuiet(run, health);
  let before: Inventory | null;
  try {
    if (calm) tellQuiet(run, health, calm);
    before = await read('before');
    run.describeHost({ before });
  } catch (error) {
    await endQuiet(run, health, calm);
    throw error;
  }
  const stop = new AbortController();
  const seen = { at: Number.NEGATIVE_INFINITY, bootId: '', restarts: 0 };
  let lost = false;
  let failure: AppError | null = null;
  let told = Promise.withResolvers<void>();
  const watching = watchHealth(
    {
      open,
      ...(place && { path: place.folder }),
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
        told.resolve();
        told = Promise.withResolvers();
      },
      onLost(error) {
        lost = true;
        told.resolve();
        note(`its health is not sampled until it answers again. ${why(error)}`);
      },
    },
    stop.signal,
  ).catch((error) => {
    if (!lost) failure = toAppError(error);
    told.resolve();
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
      try {
        if (error !== null && serverGone.includes(error.code) && seen.bootId !== '') await hearOfRestart();
        if (!lost && !failure && !run.signal.aborted)
          await Promise.race([told.promise, pause(lastSampleMs, run.signal)]);
        stop.abort();
        await watching;
        if (run.signal.aborted) return;
        if (failure) note(`its health could not be kept. ${why(failure)}`);
        if (seen.bootId !== '' && !lost) run.describeHost({ after: await read('after') });
      } finally {
        await endQuiet(run, health, calm);
      }
    },
  };
}

/** @throws AppError `host-not-ready`, which ends the run before anything is measured */
async function askGate(run: ActiveRun, { hostName, gate }: RunHealth): Promise<void> {
  if (!gate) return;
  run.progress.doing(`Waiting until ${hostName} is ready`);
  const passed = await gate(run.signal, (text) => run.progress.doing(text));
  run.describeHost({ gate: passed });
  if (passed.override !== null)
    run.event(
      'note',
      `${hostName}: not everything of the gate had passed. Begun all the same: ${passed.override}`,
    );
}

/** A plan that wants a quiet host is not measured on another one. @throws AppError why it could not be made quiet */
async function keepQuiet(run: ActiveRun, { hostName, quiet }: RunHealth): Promise<QuietHost | null> {
  if (!quiet) return null;
  run.progress.doing(`Stopping what disturbs on ${hostName}`);
  return quiet(run.signal);
}

function tellQuiet(run: ActiveRun, { hostName }: RunHealth, { stopped }: QuietHost): void {
  const names = [...stopped];
  run.describeHost({ quieted: names });
  run.event(
    'note',
    names.length === 0
      ? `${hostName}: nothing that disturbs was on`
      : `${hostName}: stopped for the length of the run: ${names.join(', ')}`,
  );
}

async function endQuiet(run: ActiveRun, { hostName }: RunHealth, calm: QuietHost | null): Promise<void> {
  if (calm === null) return;
  if (calm.stopped.length > 0) run.progress.doing(`Starting on ${hostName} again what was stopped`);
  try {
    await calm.restore();
  } catch (thrown) {
    run.event(
      'error',
      `${hostName}: what was stopped could not be started again; it comes back by itself within two minutes. ${why(toAppError(thrown))}`,
    );
  }
}

/** One line: it stands in the list of events. */
function why({ message, detail }: AppError): string {
  return detail === undefined ? message : `${message}: ${detail}`;
}
