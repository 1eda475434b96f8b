import { AppError } from '../../src-shared/errors.ts';
import { drivers } from '../databases/registry.ts';
import type { AppContext, HandlersOf } from './context.ts';

/** The servers that Benchberry runs itself. */
export function sandboxHandlers({ dataFolder, runner }: AppContext): HandlersOf<'sandbox'> {
  return {
    async 'sandbox.reset'(_, signal) {
      // Whatever target the run is on: starting and deleting a server beside it would disturb its figures.
      if (runner.progress().length > 0) {
        throw new AppError({
          code: 'run-active',
          message: 'The built-in server cannot be reset while a run is on',
          hint: 'Stop the run, or wait until it has ended.',
        });
      }
      for (const driver of drivers) await driver.managed?.reset({ dataFolder, signal });
      return null;
    },
  };
}

/** For quitting. */
export async function stopManagedServers(): Promise<void> {
  await Promise.all(drivers.map((driver) => driver.managed?.stop()));
}
