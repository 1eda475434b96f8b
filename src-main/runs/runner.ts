import type { EventData, EventName } from '../../src-shared/contract/commands.ts';
import type { Plan } from '../../src-shared/model/plan.ts';
import type { ClientMachine, Progress, RunHead } from '../../src-shared/model/run.ts';
import type { Driver, Endpoint } from '../databases/driver.ts';
import type { Remote } from '../hosts/remote.ts';
import type { RunOwner, RunRepository } from '../store/repositories.ts';
import type { PhaseSpec, ResolvedStep } from '../workloads/workload.ts';

/** What a run needs, everything checked beforehand. */
export interface RunRequest {
  plan: Plan;
  steps: readonly ResolvedStep[];
  phases: readonly PhaseSpec[];
  targetName: string;
  driver: Driver;
  /** Dials up the target: starts the sandbox, reads the secret. */
  resolve(signal: AbortSignal): Promise<Endpoint>;
  group: string | null;
  /** The machine the target runs on, where it is one of the workbench's hosts: its health is kept with the run. */
  health?: RunHealth;
}

export interface RunHealth {
  hostName: string;
  /** Signs in; called several times, and again when the connection was lost. */
  open(signal: AbortSignal): Promise<Remote>;
}

export type Publish = <N extends EventName>(name: N, data: EventData<N>) => void;

export interface RunnerDependencies {
  runs: RunRepository;
  publish: Publish;
  client: ClientMachine;
  owner: RunOwner;
}

/** One run at a time: a second one would disturb the first one's figures (`run-active`). */
export interface Runner {
  /** Answers once the run is recorded as `preparing`; it then goes on by itself and ends in exactly one final event. */
  start(request: RunRequest): RunHead;
  /** Asks the active run to end as `cancelled`; what was measured is kept. Resolves when it has ended. */
  stop(id: string): Promise<void>;
  progress(): Progress | null;
  /** Resolves with the head when that run has ended. */
  ended(id: string): Promise<RunHead>;
  /** Cancels and waits; for quitting. */
  close(): Promise<void>;
}
