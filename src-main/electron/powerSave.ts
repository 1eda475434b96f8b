import { powerSaveBlocker } from 'electron';
import type { RunWatch } from './watchRuns.ts';

/** A machine that falls asleep would measure its sleep. The screen may go dark. */
export function stayAwakeDuringRuns(runs: RunWatch): void {
  let blocker: number | null = null;
  runs.onChange((on) => {
    if (on && blocker === null) blocker = powerSaveBlocker.start('prevent-app-suspension');
    if (!on && blocker !== null) {
      powerSaveBlocker.stop(blocker);
      blocker = null;
    }
  });
}
