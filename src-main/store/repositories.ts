import type { Settings } from '../../src-shared/contract/commands.ts';
import type { FilterTerm } from '../../src-shared/filter/runFilter.ts';
import type { Baseline } from '../../src-shared/model/baseline.ts';
import type { DatedChecks, HealthSample, Host, Inventory } from '../../src-shared/model/host.ts';
import type { Plan, SavedPlan } from '../../src-shared/model/plan.ts';
import type { Provisioning } from '../../src-shared/model/provision.ts';
import type { RackRun } from '../../src-shared/model/rack.ts';
import type { Run, RunEvent, RunFacet, RunHead } from '../../src-shared/model/run.ts';
import type { RunSeries } from '../../src-shared/model/runSeries.ts';
import type { ServerDescription } from '../../src-shared/model/server.ts';
import type { Target } from '../../src-shared/model/target.ts';
import type { ServerSample, ServerWatch } from '../../src-shared/model/telemetry.ts';
import type { Tick } from '../../src-shared/model/tick.ts';

/** The one SQLite file of the app, shared by every process that has the data folder open (WAL mode). */
export interface Store {
  readonly runs: RunRepository;
  readonly targets: TargetRepository;
  readonly plans: PlanRepository;
  readonly hosts: HostRepository;
  readonly provisionings: ProvisioningRepository;
  readonly racks: RackRepository;
  readonly baselines: BaselineRepository;
  readonly series: RunSeriesRepository;
  readonly settings: { get(): Settings; save(settings: Settings): void };
  /** What was found in words for the user, e.g. that a damaged file was set aside and where. Grows when a stored row cannot be read. */
  readonly notices: readonly string[];
  /** Deletes for good what was removed before that moment. Returns ids, so that secrets of targets and hosts can go too. */
  purge(removedBefore: Date): { runs: string[]; targets: string[]; plans: string[]; hosts: string[] };
  /** Bytes of the file. */
  size(): number;
  /** Gives what is free in the file back to the disk. Takes a while, and as much room again meanwhile. */
  compact(): void;
  /** Whether another connection, of this or another process, has written since this was last asked. */
  changedElsewhere(): boolean;
  close(): void;
}

/** The process that executes a run: told apart from another process that got the same pid by its start time. */
export interface RunOwner {
  pid: number;
  /** Start of the process, as the system gives it (ticks since boot), or its start in ms where it gives none. */
  startedAt: number;
}

/** Compressed HDR histograms of one tick, V2 base64 as public HdrHistogram tools read them; µs. */
export interface TickHistograms {
  operation: string;
  latency: string | null;
  service: string | null;
}

export interface RunRepository {
  /**
   * With `isAlive` only where no other living process has a run that is on: two at once disturb each other's figures.
   * @throws AppError `run-active`
   */
  create(run: Run, owner: RunOwner, isAlive?: (owner: RunOwner) => boolean): void;
  /**
   * Keeps a run that has ended, with all that lies on its time axis. `there`: a run with that id is listed already, and stays as
   * it is; `restored`: it had been removed, and is back as it was.
   */
  adopt(kept: {
    run: Run;
    series: ReturnType<RunRepository['series']>;
    histograms: readonly (TickHistograms & { phase: number; seq: number })[];
  }): 'new' | 'there' | 'restored';
  /** Writes the given parts; the head's figures (rowsPerSecond, rows, p99Us, serverLabel) are made anew from them. */
  update(
    id: string,
    patch: Partial<
      Pick<
        Run,
        'status' | 'verdicts' | 'server' | 'host' | 'phases' | 'error' | 'endedAt' | 'name' | 'tags' | 'notes'
      >
    >,
  ): RunHead;
  /** Committed when it returns: a killed app loses at most the current second. */
  appendTick(tick: Tick, histograms: readonly TickHistograms[]): void;
  appendEvent(event: RunEvent): void;
  /** In the order of time. */
  appendHealth(id: string, sample: HealthSample): void;
  /** In the order of time. */
  appendServer(id: string, sample: ServerSample): void;
  keepServerWatch(id: string, watch: ServerWatch): void;
  get(id: string): Run | null;
  /** Newest first: those that all terms hold for. Archived ones only where a term asks for them. */
  list(filter: { terms: readonly FilterTerm[]; limit: number }): RunHead[];
  /** How many `list` would give without a limit. */
  count(terms: readonly FilterTerm[]): number;
  /** What runs that are not archived have, and how many: what a filter can be put together from. */
  facets(): RunFacet[];
  /** Takes runs out of lists that do not ask for archived ones, or puts them back. Returns those that this changed. */
  archive(ids: readonly string[], archived: boolean): string[];
  /** Leaves a run out of what its group comes to, with the reason; null takes it in again. Returns whether there is such a run. */
  leaveOut(id: string, reason: string | null): boolean;
  series(id: string): {
    ticks: Tick[];
    events: RunEvent[];
    health: HealthSample[];
    server: ServerSample[];
    serverWatch: ServerWatch | null;
  };
  /** The health samples alone. */
  health(id: string): HealthSample[];
  histograms(
    id: string,
    phase: number,
  ): { seq: number; operation: string; latency: string | null; service: string | null }[];
  /** Writes an ended run's ticks and histograms anew, all or none, and marks it as thinned. */
  replaceSeconds(id: string, seconds: readonly { tick: Tick; histograms: readonly TickHistograms[] }[]): void;
  /** Ended runs from before that moment that are not thinned yet, the oldest first, and the bytes of their ticks and histograms. */
  thinnable(startedBefore: string): { id: string; ticks: number; bytes: number }[];
  /** Hides runs from every list until restored or purged. */
  remove(ids: readonly string[]): void;
  restore(ids: readonly string[]): void;
  /** Ids of active runs whose owner is gone and that can be read. `app` ends them as `interrupted`: totals are made where histograms are understood. */
  orphans(isAlive: (owner: RunOwner) => boolean): string[];
}

/** A target as stored: whether a password is kept for it is the secret store's to say, on each machine and session anew. */
export type StoredTarget = Omit<Target, 'builtIn' | 'hasSecret'>;

/** Targets that the user added; built-in ones are not stored. Names are unique, whatever their case. */
export interface TargetRepository {
  list(): StoredTarget[];
  get(id: string): StoredTarget | null;
  /** @throws AppError `bad-input` where the name is taken */
  save(target: StoredTarget): void;
  seen(id: string, server: ServerDescription, at: string): void;
  remove(id: string): void;
  restore(id: string): StoredTarget | null;
}

export interface PlanRepository {
  list(): SavedPlan[];
  get(id: string): SavedPlan | null;
  save(id: string | null, plan: Plan): SavedPlan;
  remove(id: string): void;
  restore(id: string): SavedPlan | null;
}

/** A host as stored: whether a secret is kept for it is the secret store's to say, on each machine and session anew. */
export type StoredHost = Omit<Host, 'hasSecret'>;

/** Hosts that the user added. Names are unique, whatever their case. */
export interface HostRepository {
  list(): StoredHost[];
  get(id: string): StoredHost | null;
  /** @throws AppError `bad-input` where the name is taken */
  save(host: StoredHost): void;
  seen(id: string, inventory: Inventory): void;
  /** What the gate said, or what was measured. */
  checked(id: string, which: 'gate' | 'measured', checks: DatedChecks): void;
  remove(id: string): void;
  restore(id: string): StoredHost | null;
}

/** Benchmarks of racks. One whose runs were all deleted for good is purged with them. */
export interface RackRepository {
  /** Newest first; of one rack, or of all (null). Those without a run that is there are left out once they have ended. */
  list(rack: string | null): RackRun[];
  get(id: string): RackRun | null;
  save(run: RackRun): void;
  /** Changes one as it stands now: whoever else has changed it since it was read is not overwritten. */
  change(id: string, change: (run: RackRun) => RackRun): RackRun | null;
  /** Ends those of which no run is active any more. */
  endOrphans(at: string): void;
}

/** Repeats and sweeps. One whose runs were all deleted for good is purged with them. */
export interface RunSeriesRepository {
  /** Newest first. Those without a run that is there are left out once they have ended. */
  list(): RunSeries[];
  get(id: string): RunSeries | null;
  /** With the process that is at it. */
  save(series: RunSeries, owner: RunOwner): void;
  /** Changes one as it stands now. Once it has ended no process is at it. */
  change(id: string, change: (series: RunSeries) => RunSeries): RunSeries | null;
  /** Asks the process that is at it to stop it; it looks once a second. */
  askStop(id: string): void;
  /** Whether that was asked since it was begun, or taken up again. */
  stopAsked(id: string): boolean;
  /** Ids of those that are on and whose process is gone. */
  orphans(isAlive: (owner: RunOwner) => boolean): string[];
}

/** What the runs of a plan are held against, one for each plan, by its name. What it names may have been deleted. */
export interface BaselineRepository {
  list(): Baseline[];
  get(plan: string): Baseline | null;
  /** In place of the one before. */
  set(plan: string, side: string): Baseline;
  clear(plan: string): void;
}

/** What was found at a step before it was made, and how it is taken back. */
export interface SavedStep {
  state: Record<string, unknown>;
  /** Shell text; null where there is no way back. */
  undo: string | null;
  needsRoot: boolean;
  /** Boot in which it was made, to know whether the restart it waits for has happened. */
  bootId: string;
  /** It ran to its end in that boot. */
  applied?: boolean | undefined;
}

/** A provisioning with what the renderer never needs: the way back, by the step's id. */
export interface StoredProvisioning {
  provisioning: Provisioning;
  saved: Readonly<Record<string, SavedStep>>;
  /** The host as it was when the plan was made: its steps are made from this, however often it is resumed. */
  host: Inventory;
  /** The process that is at it; null when none is. */
  owner: RunOwner | null;
}

export interface ProvisioningRepository {
  /** Of a host, the newest first. */
  list(hostId: string): StoredProvisioning[];
  get(id: string): StoredProvisioning | null;
  /** Committed when it returns: a killed app knows what it had changed. */
  save(stored: StoredProvisioning): void;
  /** Those whose process ended in the middle. */
  orphans(isAlive: (owner: RunOwner) => boolean): StoredProvisioning[];
}
