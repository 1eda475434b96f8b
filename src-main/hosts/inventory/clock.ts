import type { Remote } from '../remote.ts';
import { parseDate } from './system.ts';
import { type Fact, fact } from './text.ts';

/**
 * Seconds the host's clock is ahead of this machine's: of three askings the quickest, taken to have been read at half
 * its way. Its error is at most half the quickest asking, which `raw` tells.
 */
export async function readClock(remote: Remote, signal: AbortSignal): Promise<Fact<number>> {
  let best: { took: number; middle: number; answer: string } | null = null;
  for (let i = 0; i < 3; i++) {
    const before = Date.now();
    const start = performance.now();
    const { stdout } = await remote.run(['date', '+%s.%N'], { signal });
    const took = performance.now() - start;
    if (best === null || took < best.took) best = { took, middle: before + took / 2, answer: stdout };
  }
  const seconds = best === null ? null : parseDate(best.answer);
  if (best === null || seconds === null) return fact<number>(null, best?.answer ?? '');
  const here = best.middle / 1000;
  const raw = `host ${seconds.toFixed(3)} s, workbench ${here.toFixed(3)} s, asking took ${best.took.toFixed(1)} ms`;
  return fact(Math.round((seconds - here) * 1000) / 1000, raw);
}
