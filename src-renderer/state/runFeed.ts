import type { Api } from '../../src-shared/contract/api.ts';
import { type AppError, toAppError } from '../../src-shared/errors.ts';
import type { HealthSample } from '../../src-shared/model/host.ts';
import type { RunEvent } from '../../src-shared/model/run.ts';
import type { ServerSample, ServerWatch } from '../../src-shared/model/telemetry.ts';
import type { Tick } from '../../src-shared/model/tick.ts';
import { createHealthline, type Healthline } from './healthline.ts';
import { createServerline, type Serverline } from './serverline.ts';
import { createTimeline, type Timeline } from './timeline.ts';

/** What a screen sees of a run's time axis. A new object with every publication; the timeline inside is the same. */
export interface FeedSnapshot {
  status: 'loading' | 'ready' | 'error';
  error: AppError | null;
  timeline: Timeline;
  /** Of the run's host; empty without one. */
  health: Healthline;
  /** Of the database server; empty where it was not watched. */
  server: Serverline;
  /** null where it was not watched. */
  serverWatch: ServerWatch | null;
  events: readonly RunEvent[];
  /** Grows with each publication. */
  version: number;
}

export interface RunFeed {
  get(): FeedSnapshot;
  subscribe(listener: () => void): () => void;
  /** Fetches everything again, e.g. after the connection was lost. */
  reload(): void;
  close(): void;
}

/** Runs `publish` once, later: at most four times a second. Injected so that tests need no clock. */
export type Schedule = (publish: () => void) => void;

const frameMs = 250;
const everyFrame: Schedule = (publish) => void setTimeout(publish, frameMs);

/**
 * History first, then what is new: listens at once, fetches `runs.series`, and lets through what came meanwhile by its
 * sequence number, so that no tick is missing and none counts twice. A hole in the numbers fetches everything again.
 * What arrives goes into the timeline at once; listeners are told at a fixed rate.
 */
export function createRunFeed(api: Api, runId: string, schedule: Schedule = everyFrame): RunFeed {
  const listeners = new Set<() => void>();
  let timeline = createTimeline();
  let health = createHealthline();
  let server = createServerline();
  let snapshot: FeedSnapshot = {
    status: 'loading',
    error: null,
    timeline,
    health,
    server,
    serverWatch: null,
    events: [],
    version: 0,
  };
  let events = new Map<string, RunEvent>();
  let waiting: Tick[] = [];
  let waitingHealth: HealthSample[] = [];
  let waitingServer: ServerSample[] = [];
  let lastSeq = -1;
  let loading = true;
  let scheduled = false;
  /** A hole that a fetch did not fill is one that nobody can fill: it is shown as a gap. */
  let toleratedHole = Number.NaN;
  let closed = new AbortController();

  function publish(patch: Partial<FeedSnapshot> = {}): void {
    snapshot = {
      ...snapshot,
      ...patch,
      // The same list while nothing happened, so that nobody draws it again.
      events: snapshot.events.length === events.size ? snapshot.events : sorted(events),
      version: snapshot.version + 1,
    };
    for (const listener of listeners) listener();
  }

  function publishSoon(): void {
    if (scheduled) return;
    scheduled = true;
    schedule(() => {
      scheduled = false;
      publish();
    });
  }

  function accept(tick: Tick): void {
    if (tick.seq <= lastSeq) return;
    if (tick.seq > lastSeq + 1 && toleratedHole !== lastSeq) {
      toleratedHole = lastSeq;
      waiting.push(tick);
      void load();
      return;
    }
    lastSeq = tick.seq;
    timeline.append(tick);
  }

  async function load(): Promise<void> {
    loading = true;
    closed.abort();
    const mine = new AbortController();
    closed = mine;
    try {
      const history = await api.call('runs.series', { id: runId }, mine.signal);
      if (mine.signal.aborted) return;
      timeline = createTimeline();
      lastSeq = -1;
      health = createHealthline();
      for (const sample of [...history.health, ...waitingHealth]) health.append(sample);
      waitingHealth = [];
      server = createServerline();
      for (const sample of [...history.server, ...waitingServer]) server.append(sample);
      waitingServer = [];
      const { serverWatch } = history;
      for (const tick of history.ticks) {
        lastSeq = tick.seq;
        timeline.append(tick);
      }
      events = new Map([...history.events, ...events.values()].map((event) => [eventKey(event), event]));
      loading = false;
      const late = waiting.sort((a, b) => a.seq - b.seq);
      waiting = [];
      for (const tick of late) {
        if (loading) waiting.push(tick);
        else accept(tick);
      }
      publish({ status: 'ready', error: null, timeline, health, server, serverWatch });
    } catch (error) {
      if (mine.signal.aborted) return;
      loading = false;
      publish({ status: 'error', error: toAppError(error) });
    }
  }

  const off = [
    api.on('run.tick', (tick) => {
      if (tick.runId !== runId) return;
      if (loading) waiting.push(tick);
      else accept(tick);
      publishSoon();
    }),
    api.on('run.health', ({ runId: of, sample }) => {
      if (of !== runId) return;
      if (loading) waitingHealth.push(sample);
      else health.append(sample);
      publishSoon();
    }),
    api.on('run.server', ({ runId: of, sample }) => {
      if (of !== runId) return;
      if (loading) waitingServer.push(sample);
      else server.append(sample);
      publishSoon();
    }),
    api.on('run.serverWatch', ({ runId: of, watch }) => {
      if (of === runId) publish({ serverWatch: watch });
    }),
    api.on('run.event', (event) => {
      if (event.runId !== runId) return;
      events.set(eventKey(event), event);
      publishSoon();
    }),
    api.on('run.changed', ({ head, final }) => {
      if (head.id === runId && final) void load();
    }),
  ];
  void load();

  return {
    get: () => snapshot,
    subscribe(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    reload: () => void load(),
    close() {
      closed.abort();
      for (const stop of off) stop();
      listeners.clear();
    },
  };
}

function sorted(events: ReadonlyMap<string, RunEvent>): RunEvent[] {
  return [...events.values()].sort((a, b) => a.atMs - b.atMs);
}

/** Events carry no number; the same text at the same millisecond is the same event. */
function eventKey(event: RunEvent): string {
  return `${event.atMs} ${event.kind} ${event.text}`;
}
