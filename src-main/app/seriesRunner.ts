import { durationMs } from '../../src-shared/duration.ts';
import { AppError } from '../../src-shared/errors.ts';
import type { RunHead } from '../../src-shared/model/run.ts';
import type {
  MemberFigures,
  RunSeries,
  SeriesMember,
  SeriesOutcome,
  SeriesProgress,
} from '../../src-shared/model/runSeries.ts';
import { memberFigures } from '../../src-shared/stats/memberFigures.ts';
import { readTemperature } from '../hosts/health/index.ts';
import { pause } from '../hosts/pause.ts';
import type { Remote } from '../hosts/remote.ts';
import { currentOwner, isAlive } from '../runs/owner.ts';
import type { RunHealth, RunRequest } from '../runs/runner.ts';
import type { RunRepository, Store } from '../store/repositories.ts';
import type { AppContext } from './context.ts';
import type { RunRequests } from './runRequests.ts';
import { type Settled, settle } from './settle.ts';

/** A run that a series is to make. */
export interface Turn {
  /** Of its member in the series. */
  place: number;
  targetId: string;
  request: RunRequest;
}

/** The one series that this core may have on. */
export interface SeriesRunner {
  /** Begins the first turn now; from then on it is kept. @throws AppError `run-active` */
  start(series: RunSeries, turns: readonly Turn[]): void;
  /** Resolves when it has ended; nothing where it is not on here. */
  stop(id: string): Promise<void>;
  /** @throws AppError `bad-input` where nothing is waited for */
  skipWait(id: string): void;
  progress(): SeriesProgress | null;
}

/** How soon another process's wish is heard, ms. */
const askedEveryMs = 1000;

interface Current {
  progress: SeriesProgress;
  /** Why it ends before its last turn. */
  reason: SeriesOutcome | null;
  skip: AbortController | null;
  listening: NodeJS.Timeout | undefined;
}

export function seriesRunner(context: AppContext, requests: RunRequests): SeriesRunner {
  const { store, runner, publish, now, log } = context;
  let current: Current | null = null;

  function change(id: string, patch: (series: RunSeries) => RunSeries): void {
    const changed = store.series.change(id, patch);
    if (changed !== null) publish('series.changed', changed);
  }

  const changeMember = (id: string, place: number, patch: (member: SeriesMember) => SeriesMember) =>
    change(id, (series) => ({
      ...series,
      members: series.members.map((member, i) => (i === place ? patch(member) : member)),
    }));

  function tell(own: Current, progress: SeriesProgress): void {
    own.progress = progress;
    publish('series.progress', progress);
  }

  function start(series: RunSeries, turns: readonly Turn[]): void {
    const { id, plan } = series;
    const startedMs = performance.now();
    const budgetMs = plan.budget === undefined ? Number.POSITIVE_INFINITY : durationMs(plan.budget);
    const waited = new Map<number, Settled>();
    const own: Current = {
      progress: { id, member: turns[0]?.place ?? 0, settling: null },
      reason: null,
      skip: null,
      listening: undefined,
    };
    let recorded = false;
    let refused: AppError | null = null;

    /** Only once the runner has taken it: what is refused leaves nothing behind. */
    function record(): void {
      if (recorded) return;
      store.series.save(series, currentOwner());
      recorded = true;
      current = own;
      own.listening = setInterval(() => {
        try {
          if (store.series.stopAsked(id)) void stop(id);
        } catch (error) {
          log.warn('Whether a series is to be stopped could not be read', { error });
        }
      }, askedEveryMs);
    }
    const placeOf = (index: number) => turns[index]?.place ?? 0;

    function outOfTime(): boolean {
      if (performance.now() - startedMs < budgetMs) return false;
      own.reason ??= 'out-of-time';
      return true;
    }

    async function before(index: number, signal: AbortSignal): Promise<boolean> {
      if (outOfTime()) return false;
      const { settle: rule } = plan;
      if (rule === undefined) return true;
      const member = placeOf(index);
      const thermometer = rule.below === undefined ? null : hostThermometer(turns[index]?.request.health);
      own.skip = new AbortController();
      const settled = await settle(
        {
          rule,
          temperature: thermometer?.read ?? null,
          tell: (settling) => tell(own, { id, member, settling }),
          now: () => performance.now(),
          pause,
        },
        AbortSignal.any([signal, own.skip.signal]),
      );
      own.skip = null;
      waited.set(index, settled);
      await thermometer?.close().catch((error: unknown) => log.error('The wait of a series', { error }));
      return !outOfTime();
    }

    runner.startGroup({
      group: id,
      requests: turns.map(({ request }) => request),
      atOnce: false,
      before,
      onBegin(index, head) {
        record();
        changeMember(id, placeOf(index), (member) => ({
          ...member,
          runIds: [...member.runIds, head.id],
          error: null,
          figures: null,
          settled: waited.get(index) ?? null,
        }));
        tell(own, { id, member: placeOf(index), settling: null });
        requests.follow(head, turns[index]?.targetId ?? '');
      },
      onRefused(index, error) {
        if (error.code === 'run-active') {
          // Another process measures: whatever came next would be refused as well.
          own.reason = 'interrupted';
          refused = error;
          void runner.stopGroup(id);
          if (!recorded) return;
        }
        record();
        changeMember(id, placeOf(index), (member) => ({ ...member, error: error.toData() }));
      },
      onEnded(index, head) {
        try {
          const figures = figuresOf(store.runs, head);
          changeMember(id, placeOf(index), (member) => ({ ...member, figures }));
        } catch (error) {
          log.error('What a run of a series came to could not be stored', { error });
        }
      },
      onEnd() {
        if (!recorded) return;
        clearInterval(own.listening);
        current = null;
        try {
          change(id, (ended) => ({
            ...ended,
            endedAt: now().toISOString(),
            outcome: own.reason ?? (hadTheirTurn(ended) ? 'finished' : 'stopped'),
          }));
        } catch (error) {
          log.error('The end of a series could not be stored', { error });
        }
      },
    });
    if (refused !== null && !recorded) throw refused;
  }

  async function stop(id: string): Promise<void> {
    if (current?.progress.id !== id) return;
    current.reason = 'stopped';
    await runner.stopGroup(id);
  }

  return {
    start,
    stop,
    skipWait(id) {
      if (current?.progress.id !== id || current.skip === null) {
        throw new AppError({ code: 'bad-input', message: 'Nothing is waited for: the next run has begun' });
      }
      current.skip.abort();
    },
    progress: () => current?.progress ?? null,
  };
}

/** Whether each member was run, or could not be. */
function hadTheirTurn({ members }: RunSeries): boolean {
  return members.every(({ runIds, error }) => runIds.length > 0 || error !== null);
}

/** null while its end is not known. */
function figuresOf(runs: RunRepository, head: Pick<RunHead, 'id'>): MemberFigures | null {
  const run = runs.get(head.id);
  return run === null || run.endedAt === null ? null : memberFigures(run, runs.series(run.id).ticks);
}

/** Ends the series whose process is gone as `interrupted`, with what their runs came to. After the runs themselves were. */
export function interruptSeries({ series, runs }: Pick<Store, 'series' | 'runs'>, at: string): void {
  for (const id of series.orphans(isAlive)) {
    series.change(id, (orphan) => ({
      ...orphan,
      members: orphan.members.map((member) => {
        const last = member.runIds.at(-1);
        return last === undefined || member.figures !== null
          ? member
          : { ...member, figures: figuresOf(runs, { id: last }) };
      }),
      endedAt: at,
      outcome: 'interrupted',
    }));
  }
}

/** Signs in at the first reading, and again after one that failed. */
function hostThermometer(health: RunHealth | undefined) {
  if (health === undefined) return null;
  let remote: Remote | null = null;
  async function close(): Promise<void> {
    const open = remote;
    remote = null;
    await open?.close();
  }
  return {
    async read(signal: AbortSignal): Promise<number | null> {
      try {
        remote ??= await health.open(signal);
        return await readTemperature(remote, signal);
      } catch (error) {
        await close();
        throw error;
      }
    },
    close,
  };
}
