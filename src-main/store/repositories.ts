import type { Settings } from '../../src-shared/contract/commands.ts';
import type { Plan, SavedPlan } from '../../src-shared/model/plan.ts';
import type { Run, RunEvent, RunHead } from '../../src-shared/model/run.ts';
import type { ServerDescription } from '../../src-shared/model/server.ts';
import type { Target } from '../../src-shared/model/target.ts';
import type { Tick } from '../../src-shared/model/tick.ts';

/** The one SQLite file of the app, shared by every process that has the data folder open (WAL mode). */
export interface Store {
  readonly runs: RunRepository;
  readonly targets: TargetRepository;
  readonly plans: PlanRepository;
  readonly settings: { get(): Settings; save(settings: Settings): void };
  /** What was found in words for the user, e.g. that a damaged file was set aside and where. Grows when a stored row cannot be read. */
  readonly notices: readonly string[];
  /** Deletes for good what was removed before that moment. Returns ids, so that secrets of targets can go too. */
  purge(removedBefore: Date): { runs: string[]; targets: string[]; plans: string[] };
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
  create(run: Run, owner: RunOwner): void;
  /** Writes the given parts; the head's figures (rowsPerSecond, rows, p99Us, serverLabel) are made anew from them. */
  update(
    id: string,
    patch: Partial<
      Pick<Run, 'status' | 'verdicts' | 'server' | 'phases' | 'error' | 'endedAt' | 'name' | 'tags' | 'notes'>
    >,
  ): RunHead;
  /** Committed when it returns: a killed app loses at most the current second. */
  appendTick(tick: Tick, histograms: readonly TickHistograms[]): void;
  appendEvent(event: RunEvent): void;
  get(id: string): Run | null;
  list(filter: { search: string; tag: string | null; limit: number }): RunHead[];
  series(id: string): { ticks: Tick[]; events: RunEvent[] };
  histograms(
    id: string,
    phase: number,
  ): { seq: number; operation: string; latency: string | null; service: string | null }[];
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
