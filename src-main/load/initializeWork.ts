import { AppError } from '../../src-shared/errors.ts';
import type { SqlClient } from '../databases/sqlClient.ts';
import { openInitialization } from '../workloads/sources.ts';
import { nowNs } from './clock.ts';
import type { InitializeWork } from './job.ts';
import { OperationRecorder } from './recorder.ts';
import { closeAll, openAll, runLoops, type ThreadContext, type ThreadWork } from './threadWork.ts';

/** One step of making tables: its parts are shared out among the connections. */
export async function openInitializeWork(work: InitializeWork, context: ThreadContext): Promise<ThreadWork> {
  const step = openInitialization(context.findWorkload, work.initialization).steps[work.step];
  if (step === undefined) throw new Error(`there is no step ${work.step}`);
  const { tasks } = step;
  const recorder = new OperationRecorder(false);
  const { openClient } = context.findDriver(context.endpoint.engine);
  if (openClient === undefined)
    throw new AppError({ code: 'unsupported', message: `${context.endpoint.label} has no SQL tables` });
  const clients = await openAll(context.workers, () =>
    openClient(context.endpoint, work.database, context.abort),
  );

  async function loop(client: SqlClient): Promise<void> {
    for (;;) {
      const task = Atomics.add(context.counter, 0, 1);
      if (task >= tasks || context.stopping.aborted) return;
      const startNs = nowNs();
      recorder.started(false);
      try {
        await step?.run(task, client, (rows) => recorder.wrote(rows));
      } catch (error) {
        recorder.failed();
        throw error;
      }
      recorder.completed(startNs, startNs, nowNs(), 0, 0, 0);
    }
  }

  return {
    queries: null,
    recorders: [recorder],
    firstNs: null,
    run: () =>
      runLoops(
        context,
        clients.map((client) => () => loop(client)),
      ),
    close: () => closeAll(clients),
  };
}
