import { AppError, describeError, toAppError } from '../../src-shared/errors.ts';
import type { Endpoint, Session } from '../databases/driver.ts';
import type { ActiveRun } from './activeRun.ts';
import type { RunRequest } from './runner.ts';

/** The control connection of a run, and the one after it where its server was restarted. */
export interface Control {
  readonly session: Session;
  /** @throws AppError `unsupported` where Benchberry does not run the server */
  restart(): Promise<void>;
  close(): Promise<void>;
}

export async function openControl(run: ActiveRun, request: RunRequest, endpoint: Endpoint): Promise<Control> {
  const { driver, restart } = request;
  let session = await driver.openSession(endpoint, run.signal);
  return {
    get session() {
      return session;
    },
    async restart() {
      if (restart === undefined) throw noRestart(driver.label);
      await close(run, session);
      await restart(run.signal);
      session = await driver.openSession(endpoint, run.signal);
      run.event('note', 'The server was restarted: what it kept in memory is gone');
    },
    close: () => close(run, session),
  };
}

/** A plan that wants what cannot be is refused before rows are loaded for it. @throws AppError `unsupported` */
export function refuseRestart({ driver, restart, phases }: RunRequest): void {
  const wanted = phases.some(
    (phase) => phase.kind === 'queries' && phase.jobs.some(({ fetch }) => fetch?.restart),
  );
  if (wanted && restart === undefined) throw noRestart(driver.label);
}

function noRestart(label: string): AppError {
  return new AppError({
    code: 'unsupported',
    message: `The plan wants the server restarted before cold fetches, and a ${label} server is not Benchberry’s to restart`,
    hint: 'Set cold: never-read, which fetches rows that nobody has read since they were inserted.',
  });
}

/** The figures stand whatever becomes of the control connection, but what became of it is told. */
async function close(run: ActiveRun, session: Session): Promise<void> {
  try {
    await session.close();
  } catch (error) {
    run.event('note', `The control connection did not close cleanly: ${describeError(toAppError(error))}`);
  }
}
