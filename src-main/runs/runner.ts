import type { EventData, EventName } from '../../src-shared/contract/commands.ts';
import type { AppError } from '../../src-shared/errors.ts';
import type { Plan } from '../../src-shared/model/plan.ts';
import type {
  ClientMachine,
  DataPlace,
  Progress,
  Run,
  RunGate,
  RunHead,
} from '../../src-shared/model/run.ts';
import type { ThresholdResult } from '../../src-shared/thresholds/judge.ts';
import type { Driver, Endpoint } from '../databases/driver.ts';
import type { Remote } from '../hosts/remote.ts';
import type { RunOwner, RunRepository } from '../store/repositories.ts';
import type { PhaseSpec, ResolvedStep } from '../workloads/workload.ts';

/** What a run needs, everything checked beforehand. */
export interface RunRequest {
  plan: Plan;
  /** What the run is called; else as its plan is, with its repeat. */
  name?: string;
  steps: readonly ResolvedStep[];
  phases: readonly PhaseSpec[];
  targetName: string;
  driver: Driver;
  /** Dials up the target: starts the sandbox, reads the secret. */
  resolve(signal: AbortSignal): Promise<Endpoint>;
  /** Restarts the server, as `ManagedServer` does; only where Benchberry runs it. */
  restart?(signal: AbortSignal): Promise<void>;
  group: string | null;
  /** Holds a run that has come to its end against the thresholds of its plan. */
  thresholds?: (run: Run) => ThresholdResult[];
  /** The machine the target runs on, where it is one of the workbench's hosts: its health is kept with the run. */
  health?: RunHealth;
}

export interface RunHealth {
  hostName: string;
  /** Signs in; called several times, and again when the connection was lost. */
  open(signal: AbortSignal): Promise<Remote>;
  /** Where the database's data lies on it; where that is not known the disk under `/` is watched. Never throws. */
  place?(signal: AbortSignal): Promise<DataPlace | null>;
  /**
   * Whether it is ready for a run: asked before each one of a repeat. `doing` is told what is waited for.
   * @throws AppError `host-not-ready`
   */
  gate?(signal: AbortSignal, doing: (text: string) => void): Promise<RunGate>;
  /** Stops what disturbs, for the length of a run; only where the plan wants it. @throws AppError of `Remote` */
  quiet?: ((signal: AbortSignal) => Promise<QuietHost>) | undefined;
}

/** A host whose disturbing timers and services are stopped. */
export interface QuietHost {
  readonly stopped: readonly string[];
  /** Starts them again; a host that is away does it by itself. */
  restore(): Promise<void>;
}

export type Publish = <N extends EventName>(name: N, data: EventData<N>) => void;

export interface RunnerDependencies {
  runs: RunRepository;
  publish: Publish;
  client: ClientMachine;
  owner: RunOwner;
  /** Where runs keep files of their own. */
  dataFolder: string;
}

/** Runs that belong together: the hosts of a rack, the repeats and cells of a series. */
export interface GroupRequest {
  /** Shared by all runs that come of it. */
  group: string;
  requests: readonly RunRequest[];
  /** All side by side, sharing this machine; else one after the other in their order. */
  atOnce: boolean;
  /** The request of that place has a run now; told for each of its repeats. */
  onBegin(index: number, head: RunHead): void;
  /** Its run could not be recorded; the others go on. */
  onRefused(index: number, error: AppError): void;
  /** A run of it is over: after its final event, before whatever comes next. */
  onEnded?(index: number, head: RunHead): void;
  /**
   * In turn only: awaited before each request but the first. false: nothing more begins. The signal is that of a stop. Must
   * not throw.
   */
  before?(index: number, signal: AbortSignal): Promise<boolean>;
  /** All are through, or it was stopped; after the last final event. */
  onEnd(): void;
}

/**
 * One run at a time: a second one would disturb the first one's figures (`run-active`). Only runs that were started
 * together may be active together; while a group has runs to come, nothing else may start.
 */
export interface Runner {
  /** Answers once the run is recorded as `preparing`; it then goes on by itself and ends in exactly one final event. */
  start(request: RunRequest): RunHead;
  /** Begins what may begin now; a run that fails or is stopped does not keep the others from running. */
  startGroup(request: GroupRequest): void;
  /** Asks an active run to end as `cancelled`; what was measured is kept. Resolves when it has ended. */
  stop(id: string): Promise<void>;
  /** Stops every run of a group, and those that would come; nothing where the group is over. Resolves after its `onEnd`. */
  stopGroup(group: string): Promise<void>;
  /** Of each active run; empty without one. */
  progress(): Progress[];
  /** Resolves with the head when that run has ended. */
  ended(id: string): Promise<RunHead>;
  /** Cancels and waits; for quitting. */
  close(): Promise<void>;
}
