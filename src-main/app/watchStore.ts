import { type EventData, events } from '../../src-shared/contract/commands.ts';
import type { Store } from '../store/repositories.ts';
import type { Publish } from './events.ts';
import type { Log } from './log.ts';

const everyMs = 2000;
const lists: EventData<'lists.changed'>['what'][] = events['lists.changed'].shape.what.options;

/**
 * Tells when another process (a command line beside the window) has written to the store: every list may have changed.
 * @returns ends the watching
 */
export function watchStore(store: Store, publish: Publish, log: Log): () => void {
  const timer = setInterval(() => {
    try {
      if (!store.changedElsewhere()) return;
      for (const what of lists) publish('lists.changed', { what });
    } catch (error) {
      log.warn('The store could not be asked for changes', { error });
    }
  }, everyMs);
  timer.unref();
  return () => clearInterval(timer);
}
