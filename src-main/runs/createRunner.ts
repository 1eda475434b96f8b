import { randomUUID } from 'node:crypto';
import { AppError, cancelled, describeError, toAppError } from '../../src-shared/errors.ts';
import { isActive, type RunHead, runHeadSchema } from '../../src-shared/model/run.ts';
import type { Endpoint, Session } from '../databases/driver.ts';
import { findWorkload } from '../workloads/registry.ts';
import type { Workload } from '../workloads/workload.ts';
import { ActiveRun } from './activeRun.ts';
import { runLoadPhase } from './loadPhase.ts';
import { runQueriesPhase } from './queriesPhase.ts';
import type { Runner, RunnerDependencies, RunRequest } from './runner.ts';
import { onThisMachine } from './sameMachine.ts';
import { type HostWatch, watchHost } from './watchHost.ts';

export interface RunnerOptions {
  findWorkload?: (id: string) => Workload;
  /** Entry of the worker threads, for tests. */
  entry?: URL;
}

interface Outcome {
  error: AppError | null;
  generatedOnly: boolean;
  sameMachine: boolean;
}

/** See `Runner`. A plan with `repeat` makes runs one after the other that share a group; the first that does not finish is the last. */
export function createRunner(dependencies: RunnerDependencies, options: RunnerOptions = {}): Runner {
  const find = options.findWorkload ?? findWorkload;
  let active: { run: ActiveRun; ended: Promise<RunHead> } | null = null;
  let closed = false;

  function begin(request: RunRequest, round: number, group: string | null): RunHead {
    const { name, repeat } = request.plan;
    const run = new ActiveRun(
      request,
      repeat > 1 ? `${name} (${round} of ${repeat})` : name,
      group,
      dependencies,
    );
    const ended = execute(run, request).then((outcome) => {
      // Before the final event is told: who hears it may ask for the progress, or start the next run, at once.
      active = null;
      run.end(outcome.error, outcome);
      if (run.head.status === 'finished' && round < repeat && !closed) beginNext(request, round + 1, group);
      return run.head;
    });
    active = { run, ended };
    return run.head;
  }

  function beginNext(request: RunRequest, round: number, group: string | null): void {
    try {
      begin(request, round, group);
    } catch (error) {
      const text = `Run ${round} of ${request.plan.repeat} of ${request.plan.name} could not be started`;
      dependencies.publish('notice', { level: 'error', text, error: toAppError(error).toData() });
    }
  }

  /** From connecting to the last phase. Never throws. */
  async function execute(run: ActiveRun, request: RunRequest): Promise<Outcome> {
    const { driver, phases } = request;
    const generatedOnly = phases.every((phase) => phase.kind === 'load' && !phase.doLoad);
    let sameMachine = driver.builtIn;
    let error: AppError | null = null;
    let host: HostWatch | null = null;
    try {
      if (request.health) host = await watchHost(run, request.health);
      const endpoint = await request.resolve(run.signal);
      sameMachine ||= onThisMachine(endpoint.label);
      const session = await driver.openSession(endpoint, run.signal);
      try {
        const server = await session.describe(run.signal);
        run.describe(server);
        refuseUnaskable(phases, server.dialect);
        await runPhases(run, request, endpoint, session);
      } finally {
        await close(run, session);
      }
    } catch (thrown) {
      error = run.signal.aborted ? cancelled('Stopped') : toAppError(thrown);
    }
    try {
      await host?.end(error);
    } catch (thrown) {
      error ??= toAppError(thrown);
    }
    return { error, generatedOnly, sameMachine };
  }

  /** Queries that no form exists of for this server end the run before rows are loaded for them. @throws AppError `unsupported` */
  function refuseUnaskable(phases: RunRequest['phases'], dialect: string): void {
    for (const phase of phases) {
      if (phase.kind !== 'queries') continue;
      for (const { queries } of phase.jobs) find(queries.workload).openQueries(queries, dialect);
    }
  }

  async function runPhases(
    run: ActiveRun,
    request: RunRequest,
    endpoint: Endpoint,
    session: Session,
  ): Promise<void> {
    const names = phaseNames(request.steps.map((step) => step.id));
    for (const [index, phase] of request.phases.entries()) {
      run.signal.throwIfAborted();
      const context = {
        run,
        driver: request.driver,
        endpoint,
        session,
        findWorkload: find,
        entry: options.entry,
        index,
        name: names[index] ?? phase.kind,
      };
      if (phase.kind === 'load') await runLoadPhase(phase, context);
      else await runQueriesPhase(phase, context);
    }
  }

  async function stop(id: string): Promise<void> {
    if (active?.run.id === id) {
      const { run, ended } = active;
      if (!run.signal.aborted) run.event('stop', 'Stop was asked for');
      run.abort.abort();
      run.progress.doing('Stopping');
      await ended;
      return;
    }
    if (dependencies.runs.get(id) === null) throw noSuchRun(id);
  }

  async function ended(id: string): Promise<RunHead> {
    if (active?.run.id === id) return active.ended;
    const run = dependencies.runs.get(id);
    if (run === null) throw noSuchRun(id);
    if (isActive(run.status))
      throw new AppError({ code: 'run-active', message: 'That run is executed by another process' });
    return runHeadSchema.parse(run);
  }

  return {
    start(request) {
      if (active) {
        throw new AppError({
          code: 'run-active',
          message: `${active.run.head.name} is running: a second run would disturb its figures`,
          hint: 'Stop it, or wait until it has ended.',
        });
      }
      return begin(request, 1, request.group ?? (request.plan.repeat > 1 ? randomUUID() : null));
    },
    stop,
    progress: () => active?.run.progress.current() ?? null,
    ended,
    async close() {
      closed = true;
      if (active) await stop(active.run.id);
    },
  };
}

/** The figures stand whatever becomes of the control connection, but what became of it is told. */
async function close(run: ActiveRun, session: Session): Promise<void> {
  try {
    await session.close();
  } catch (error) {
    run.event('note', `The control connection did not close cleanly: ${describeError(toAppError(error))}`);
  }
}

/** The steps' ids; one that a plan has several times gets a number from its second time on. */
export function phaseNames(ids: readonly string[]): string[] {
  return ids.map((id, index) => {
    const times = ids.slice(0, index + 1).filter((other) => other === id).length;
    return times === 1 ? id : `${id} ${times}`;
  });
}

function noSuchRun(id: string): AppError {
  return new AppError({ code: 'not-found', message: `There is no run ${id}` });
}
