import { randomUUID } from 'node:crypto';
import { AppError, cancelled, toAppError } from '../../src-shared/errors.ts';
import { isActive, type RunHead, runHeadSchema } from '../../src-shared/model/run.ts';
import type { Endpoint } from '../databases/driver.ts';
import { findWorkload } from '../workloads/registry.ts';
import { openQueries } from '../workloads/sources.ts';
import type { Workload } from '../workloads/workload.ts';
import { ActiveRun } from './activeRun.ts';
import { type Control, openControl, refuseRestart } from './control.ts';
import { runInitializePhase } from './initializePhase.ts';
import { runLoadPhase } from './loadPhase.ts';
import { runQueriesPhase } from './queriesPhase.ts';
import type { Runner, RunnerDependencies, RunRequest } from './runner.ts';
import { onThisMachine } from './sameMachine.ts';
import { runTransactionsPhase } from './transactionsPhase.ts';
import { type HostWatch, watchHost } from './watchHost.ts';
import { watchServer } from './watchServer.ts';

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

/** Runs that were started together; nothing else starts before they are over. */
interface Batch {
  name: string;
  group: string | null;
  /** How many lanes are not through. */
  lanes: number;
  /** Aborted when it is stopped. */
  stop: AbortController;
  /** What goes on between two runs. */
  between: Promise<void>;
  onEnd(): void;
}

/** Requests that are run one after the other, each with its repeats. */
interface Lane {
  batch: Batch;
  requests: readonly RunRequest[];
  /** Targets of the lanes beside it: their runs share this machine. */
  beside: readonly string[];
  onBegin(request: RunRequest, head: RunHead): void;
  onRefused(request: RunRequest, error: AppError): void;
  onEnded(request: RunRequest, head: RunHead): void;
  before(request: RunRequest, signal: AbortSignal): Promise<boolean> | true;
}

interface Place {
  request: RunRequest;
  /** Of the plan's repeats, from 1 on. */
  round: number;
}

/** See `Runner`. A plan with `repeat` makes runs one after the other that share a group; the first that does not finish is the last of its request. */
export function createRunner(dependencies: RunnerDependencies, options: RunnerOptions = {}): Runner {
  const find = options.findWorkload ?? findWorkload;
  const active = new Map<string, { run: ActiveRun; ended: Promise<RunHead> }>();
  let batch: Batch | null = null;

  function begin(lane: Lane, place: Place): RunHead {
    const { request, round } = place;
    const { name, repeat } = request.plan;
    const run = new ActiveRun(
      request,
      request.name ?? (repeat > 1 ? `${name} (${round} of ${repeat})` : name),
      lane.batch.group,
      lane.beside,
      dependencies,
    );
    const ended = execute(run, request).then((outcome) => {
      // Before the final event is told: who hears it may ask for the progress, or start the next run, at once.
      active.delete(run.id);
      const next = nextPlace(lane, place, outcome.error === null);
      const over = next === null && leave(lane);
      run.end(outcome.error, outcome);
      lane.onEnded(request, run.head);
      if (over) lane.batch.onEnd();
      if (next !== null) pass(lane, next);
      return run.head;
    });
    active.set(run.id, { run, ended });
    lane.onBegin(request, run.head);
    return run.head;
  }

  function nextPlace({ batch: own, requests }: Lane, at: Place, finished: boolean): Place | null {
    if (own.stop.signal.aborted) return null;
    if (finished && at.round < at.request.plan.repeat) return { ...at, round: at.round + 1 };
    const request = requests[requests.indexOf(at.request) + 1];
    return request === undefined ? null : { request, round: 1 };
  }

  /** The lane is through. @returns whether it was the last one */
  function leave({ batch: own }: Lane): boolean {
    own.lanes -= 1;
    if (own.lanes > 0) return false;
    batch = null;
    return true;
  }

  /** On to the next place, at once where nothing is waited for. */
  function pass(lane: Lane, place: Place): void {
    const { stop } = lane.batch;
    const ready = lane.before(place.request, stop.signal);
    if (ready === true) goOn(lane, place);
    else lane.batch.between = ready.then((go) => goOn(lane, go && !stop.signal.aborted ? place : null));
  }

  /** Begins a run, or ends the lane. What cannot even be recorded is told, and the next one's turn has come. */
  function goOn(lane: Lane, place: Place | null): void {
    if (place !== null && !lane.batch.stop.signal.aborted) {
      try {
        begin(lane, place);
      } catch (error) {
        lane.onRefused(place.request, toAppError(error));
        const next = nextPlace(lane, place, false);
        if (next === null) goOn(lane, null);
        else pass(lane, next);
      }
    } else if (leave(lane)) lane.batch.onEnd();
  }

  function refuseSecond(): void {
    if (batch === null) return;
    throw new AppError({
      code: 'run-active',
      message: `${batch.name} is running: a second run would disturb its figures`,
      hint: 'Stop it, or wait until it has ended.',
    });
  }

  /** From connecting to the last phase. Never throws. */
  async function execute(run: ActiveRun, request: RunRequest): Promise<Outcome> {
    const { driver, phases } = request;
    const generatedOnly = phases.every((phase) => phase.kind === 'load' && !phase.doLoad);
    let sameMachine = driver.builtIn;
    let error: AppError | null = null;
    let host: HostWatch | null = null;
    try {
      run.tellSharing();
      if (request.health) host = await watchHost(run, request.health);
      run.progress.doing(driver.managed?.doing ?? 'Connecting');
      const endpoint = await request.resolve(run.signal);
      sameMachine ||= onThisMachine(endpoint.label);
      const control = await openControl(run, request, endpoint);
      try {
        const server = await control.session.describe(run.signal);
        run.describe({ ...server, loaderBeside: sameMachine });
        refuseUnaskable(phases, server.dialect);
        refuseRestart(request);
        await runPhases(run, request, endpoint, control);
      } finally {
        await control.close();
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
      for (const { queries } of phase.jobs) openQueries(find, queries, dialect);
    }
  }

  async function runPhases(
    run: ActiveRun,
    request: RunRequest,
    endpoint: Endpoint,
    control: Control,
  ): Promise<void> {
    const names = phaseNames(request.steps.map((step) => step.id));
    const server = watchServer(run, request.driver, endpoint, request.plan.telemetry !== false);
    for (const [index, phase] of request.phases.entries()) {
      run.signal.throwIfAborted();
      const context = {
        run,
        driver: request.driver,
        endpoint,
        session: control.session,
        restartServer: control.restart,
        findWorkload: find,
        dataFolder: dependencies.dataFolder,
        entry: options.entry,
        index,
        name: names[index] ?? phase.kind,
        watchServer: () => server.begin(phase.database),
      };
      try {
        if (phase.kind === 'load') await runLoadPhase(phase, context);
        else if (phase.kind === 'queries') await runQueriesPhase(phase, context);
        else if (phase.kind === 'initialize') await runInitializePhase(phase, context);
        else await runTransactionsPhase(phase, context);
      } finally {
        await server.end();
      }
    }
  }

  async function stopActive({ run, ended }: { run: ActiveRun; ended: Promise<RunHead> }): Promise<void> {
    if (!run.signal.aborted) run.event('stop', 'Stop was asked for');
    run.abort.abort();
    run.progress.doing('Stopping');
    await ended;
  }

  async function stopAll(): Promise<void> {
    const own = batch;
    own?.stop.abort();
    await Promise.all([...active.values()].map(stopActive));
    await own?.between;
  }

  async function ended(id: string): Promise<RunHead> {
    const running = active.get(id);
    if (running) return running.ended;
    const run = dependencies.runs.get(id);
    if (run === null) throw noSuchRun(id);
    if (isActive(run.status))
      throw new AppError({ code: 'run-active', message: 'That run is executed by another process' });
    return runHeadSchema.parse(run);
  }

  return {
    start(request) {
      refuseSecond();
      const { name, repeat } = request.plan;
      const own: Batch = {
        name,
        group: request.group ?? (repeat > 1 ? randomUUID() : null),
        lanes: 1,
        stop: new AbortController(),
        between: Promise.resolve(),
        onEnd: () => undefined,
      };
      const lane: Lane = {
        batch: own,
        requests: [request],
        beside: [],
        onBegin: () => undefined,
        onRefused: (_, error) => {
          const text = `A run of ${name} could not be started`;
          dependencies.publish('notice', { level: 'error', text, error: error.toData() });
        },
        onEnded: () => undefined,
        before: () => true,
      };
      const head = begin(lane, { request, round: 1 });
      batch = own;
      return head;
    },
    startGroup({ group, requests, atOnce, onBegin, onRefused, onEnded, before, onEnd }) {
      refuseSecond();
      const [first] = requests;
      if (first === undefined)
        throw new AppError({ code: 'bad-input', message: 'There is no target to run on' });
      const parts = atOnce ? requests.map((request) => [request]) : [requests];
      const own: Batch = {
        name: first.plan.name,
        group,
        lanes: parts.length,
        stop: new AbortController(),
        between: Promise.resolve(),
        onEnd,
      };
      batch = own;
      for (const part of parts) {
        const others = atOnce ? requests.filter((other) => !part.includes(other)) : [];
        const lane: Lane = {
          batch: own,
          requests: part,
          beside: others.map(({ targetName }) => targetName),
          onBegin: (request, head) => onBegin(requests.indexOf(request), head),
          onRefused: (request, error) => onRefused(requests.indexOf(request), error),
          onEnded: (request, head) => onEnded?.(requests.indexOf(request), head),
          before: (request, signal) => before?.(requests.indexOf(request), signal) ?? true,
        };
        const [request] = part;
        if (request !== undefined) goOn(lane, { request, round: 1 });
      }
    },
    async stop(id) {
      const running = active.get(id);
      if (running) await stopActive(running);
      else if (dependencies.runs.get(id) === null) throw noSuchRun(id);
    },
    async stopGroup(group) {
      if (batch?.group === group) await stopAll();
    },
    progress: () => [...active.values()].map(({ run }) => run.progress.current()),
    ended,
    close: stopAll,
  };
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
