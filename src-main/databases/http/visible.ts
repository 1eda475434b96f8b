import { performance } from 'node:perf_hooks';
import { setTimeout as pause } from 'node:timers/promises';
import { cancelled } from '../../../src-shared/errors.ts';
import { formatCounted } from '../../../src-shared/units.ts';

/** So long no further row may come to be seen. */
const patienceMs = 30_000;

/**
 * Counts until all rows can be queried, for `Session.awaitVisible`.
 * @param count rows that can be queried, table by table
 * @param pauseMs until the next count, of how long the last one took
 */
export async function awaitRows(
  rows: number,
  count: () => Promise<Record<string, number>>,
  pauseMs: (tookMs: number) => number,
  tell: (share: number) => void,
  signal: AbortSignal,
): Promise<{ missing: string | null }> {
  let [seen, moved] = [-1, performance.now()];
  for (;;) {
    const start = performance.now();
    const now = Object.values(await count()).reduce((sum, n) => sum + n, 0);
    const end = performance.now();
    tell(rows === 0 ? 1 : Math.min(1, now / rows));
    if (now >= rows) return { missing: null };
    if (now > seen) [seen, moved] = [now, end];
    else if (end - moved > patienceMs)
      return {
        missing: `${formatCounted(rows - now, 'row')} could not be queried within ${patienceMs / 1000} s without any progress`,
      };
    await pause(pauseMs(end - start), undefined, { signal }).catch(() => {
      throw cancelled();
    });
  }
}
