import { type AppError, toAppError } from '../../src-shared/errors.ts';
import type { Inventory } from '../../src-shared/model/host.ts';
import { watchHealth } from '../hosts/health/index.ts';
import { readInventory } from '../hosts/inventory/readInventory.ts';
import { nowNs } from '../load/clock.ts';
import type { ActiveRun } from './activeRun.ts';
import type { RunHealth } from './runner.ts';

/** The machine behind a run while it is watched. */
export interface HostWatch {
  /** Ends the sampler and, where the host answers and the run was not stopped, reads the inventory again. */
  end(): Promise<void>;
}

/** A host that does not answer must not hold a run up for longer. */
const inventoryMs = 30_000;

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
  let sampled = false;
  let lost = false;
  let failure: AppError | null = null;
  const watching = watchHealth(
    {
      open,
      now: () => run.atMs(nowNs()),
      onSample(sample) {
        if (lost) note('its health is sampled again');
        lost = false;
        sampled = true;
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

  return {
    async end() {
      stop.abort();
      await watching;
      if (run.signal.aborted) return;
      if (failure) note(`its health could not be kept. ${why(failure)}`);
      if (sampled && !lost) run.describeHost({ name: hostName, before, after: await read('after') });
    },
  };
}

/** One line: it stands in the list of events. */
function why({ message, detail }: AppError): string {
  return detail === undefined ? message : `${message}: ${detail}`;
}
