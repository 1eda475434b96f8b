import { cancelled } from '../../src-shared/errors.ts';
import { type Cli, exitCodes } from './cli.ts';

/**
 * Work that Ctrl-C can end: the first one aborts it, or calls what the work has given to `onStop` by then; the second ends
 * the process at once.
 */
export async function withInterrupts<T>(
  cli: Cli,
  work: (signal: AbortSignal, onStop: (stop: () => void) => void) => Promise<T>,
): Promise<T> {
  const controller = new AbortController();
  let stop = () => controller.abort(cancelled());
  let times = 0;
  const off = cli.onInterrupt(() => {
    times += 1;
    if (times > 1) cli.exitNow(exitCodes.cancelled);
    else stop();
  });
  try {
    return await work(controller.signal, (next) => {
      stop = next;
      if (times > 0) next();
    });
  } finally {
    off();
  }
}
