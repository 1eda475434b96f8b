import { AppError } from '../../src-shared/errors.ts';
import { thinRun } from '../runs/thinRun.ts';
import type { AppContext, HandlersOf } from './context.ts';

const dayMs = 86_400_000;

export function storageHandlers({ store, runner, now }: AppContext): HandlersOf<'storage'> {
  /** Both take the disk and the processor of the machine that may be measuring. */
  function refuseBesideRun(): void {
    if (runner.progress().length === 0) return;
    throw new AppError({
      code: 'run-active',
      message: 'A benchmark is on: this would disturb its figures',
      hint: 'Wait until it has ended.',
    });
  }

  return {
    async 'storage.get'({ olderThanDays }) {
      const before = new Date(now().getTime() - olderThanDays * dayMs);
      const thinnable = store.runs.thinnable(before.toISOString());
      return {
        fileBytes: store.size(),
        runs: store.runs.count([{ kind: 'is', value: 'any', not: false }]),
        thinnable: {
          ids: thinnable.map(({ id }) => id),
          seconds: thinnable.reduce((sum, { ticks }) => sum + ticks, 0),
          bytes: thinnable.reduce((sum, { bytes }) => sum + bytes, 0),
        },
      };
    },
    async 'storage.thin'({ id }) {
      refuseBesideRun();
      const run = store.runs.get(id);
      if (run === null) throw new AppError({ code: 'not-found', message: `There is no run ${id}` });
      return thinRun(store.runs, run);
    },
    async 'storage.compact'() {
      refuseBesideRun();
      store.compact();
      return store.size();
    },
  };
}
