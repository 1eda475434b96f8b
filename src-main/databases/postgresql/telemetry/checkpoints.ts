import type { Checkpoint } from '../../../../src-shared/model/telemetry.ts';
import type { CheckpointerCounters } from './replies.ts';

/**
 * Finds checkpoints in what can be read from outside; all times are the server's clock, ms.
 *
 * - **End**: the control file names another checkpoint, which is read ten times a second. After that the checkpointer
 *   removes old log files and only then writes `checkpoint complete`: where its wait event can be seen, the end is when
 *   it is idle again.
 * - **Start**: the control file then tells it in whole seconds. Where the checkpointer can be seen, the moment in that
 *   second in which it began to work; else what is left of the end when the times of its phases are taken off, within that
 *   second. So it is never off by more than a second.
 * - **While it is on**: the checkpointer has been busy for a second, or the count of checkpoints begun has risen and pages
 *   are being written. What turns out to have had nothing to write is `skipped`.
 * - **Reason, pages, times**: differences of the counters, which the checkpointer publishes when it has ended.
 */
export interface CheckpointWatch {
  /** Ten times a second. `busy`: see `checkpointerBusy`. */
  look(look: { at: number; checkpoint: string; started: number }, busy: boolean | null): void;
  /** Once a second. */
  counters(at: number, counters: CheckpointerCounters): void;
  /** Those that are on and those of which something became known since the last call. */
  take(): Checkpoint[];
}

/** A busy checkpointer may only be tidying up; after this time it is taken for a checkpoint. */
const surelyBusyMs = 1000;
/** Counters of what ended are waited for so long; up to 14 they come with half a second's delay or more. */
const countersMs = 3000;

export function createCheckpointWatch(): CheckpointWatch {
  let previous: { at: number; checkpoint: string; busy: boolean | null } | null = null;
  let busySince: number | null = null;
  /** What the checkpointer is at began before it was first seen. */
  let alreadyOn = false;
  let idleSince: number | null = null;
  let lastBusyFrom: number | null = null;
  let read: { at: number; counters: CheckpointerCounters } | null = null;
  /** Counters when the last checkpoint was told whole. */
  let base: CheckpointerCounters | null = null;
  let nextId = 0;
  let open: Checkpoint | null = null;
  /** A start that was not seen, with the whole second it lies in. */
  let unseen: { id: number; started: number } | null = null;
  /** `open` is complete, but the checkpointer is still at work. */
  let completed = false;
  /** Ended, its counters not known yet. */
  let ended: Checkpoint | null = null;
  const changed = new Map<number, Checkpoint>();

  /** Takes the checkpointer for one at a checkpoint. */
  function beginBusy(since: number): Checkpoint {
    const checkpoint = begin(since);
    if (alreadyOn) checkpoint.alreadyOn = true;
    return checkpoint;
  }

  function begin(startMs: number): Checkpoint {
    const checkpoint: Checkpoint = {
      id: nextId,
      state: 'running',
      startMs,
      endMs: null,
      reason: null,
      buffers: null,
      writeMs: null,
      syncMs: null,
    };
    nextId += 1;
    changed.set(checkpoint.id, checkpoint);
    return checkpoint;
  }

  function skip(checkpoint: Checkpoint, endMs: number): void {
    checkpoint.state = 'skipped';
    checkpoint.endMs = Math.max(checkpoint.startMs, endMs);
    changed.set(checkpoint.id, checkpoint);
  }

  function finish(checkpoint: Checkpoint, endMs: number): void {
    checkpoint.state = 'done';
    checkpoint.endMs = Math.max(checkpoint.startMs, endMs);
    changed.set(checkpoint.id, checkpoint);
    ended = checkpoint;
    open = null;
  }

  /** The control file names a new one: it is complete, and when it began is known to the second. */
  function complete(at: number, before: number, started: number, busy: boolean | null): void {
    // One after the other without a pause in between: the next one's start is the first one's end.
    if (open !== null && completed) finish(open, started);
    const began = busySince ?? lastBusyFrom;
    const sawStart = began !== null && began >= started - 250 && began <= started + 1250;
    const middle = (started + Math.min(started + 1000, at)) / 2;
    const startMs = withinSecond(sawStart ? began : middle, started);
    if (open !== null && open.startMs < started - surelyBusyMs && busySince !== open.startMs) {
      skip(open, open.startMs);
      open = null;
    }
    open ??= begin(startMs);
    open.startMs = startMs;
    delete open.alreadyOn;
    unseen = sawStart ? null : { id: open.id, started };
    changed.set(open.id, open);
    completed = true;
    // Idle since before the last look: it was too short to be seen.
    if (busy !== true) finish(open, idleSince !== null && idleSince > before ? idleSince : (before + at) / 2);
  }

  return {
    look({ at, checkpoint, started }, busy) {
      const before = previous?.at ?? at;
      if (busy === true) {
        if (busySince === null) alreadyOn = (previous?.busy ?? null) === null;
        busySince ??= previous === null ? at : (before + at) / 2;
        lastBusyFrom = busySince;
        idleSince = null;
      } else if (busy === false) {
        idleSince ??= (before + at) / 2;
        busySince = null;
      }
      if (previous !== null && previous.checkpoint !== checkpoint) complete(at, before, started, busy);
      else if (open !== null && completed && busy !== true) finish(open, idleSince ?? at);
      else if (open === null && busySince !== null && at - busySince >= surelyBusyMs && !completed)
        open = beginBusy(busySince);
      if (busy !== true) completed = false;
      previous = { at, checkpoint, busy };
    },
    counters(at, counters) {
      base ??= counters;
      if (counters.writeMs < base.writeMs || startsOf(counters) < startsOf(base)) base = counters;
      if (ended !== null && (isPublished(counters, base) || at - (ended.endMs ?? at) > countersMs)) {
        detail(ended, counters, base);
        if (
          unseen?.id === ended.id &&
          ended.endMs !== null &&
          ended.writeMs !== null &&
          ended.syncMs !== null
        )
          ended.startMs = withinSecond(ended.endMs - ended.writeMs - ended.syncMs, unseen.started);
        changed.set(ended.id, ended);
        ended = null;
        base = counters;
      } else if (ended === null && read !== null) {
        const rose = startsOf(counters) > startsOf(base);
        const writes = counters.buffers > read.counters.buffers;
        if (open === null && rose && !completed && (busySince !== null || writes))
          open = busySince === null ? begin((read.at + at) / 2) : beginBusy(busySince);
        else if (open !== null && !completed && idleSince !== null && at - idleSince > surelyBusyMs) {
          skip(open, idleSince);
          open = null;
          base = counters;
        } else if (open === null && rose && !writes && idleSince !== null && at - idleSince > countersMs)
          base = counters; // counted and then skipped, too short to be seen
        if (open !== null && base !== counters) {
          open.reason = reasonOf(counters, base);
          open.buffers = counters.buffers - base.buffers;
        }
      }
      read = { at, counters };
    },
    take() {
      if (open !== null) changed.set(open.id, open);
      const all = [...changed.values()].map((checkpoint) => ({ ...checkpoint }));
      changed.clear();
      return all;
    },
  };
}

/** The control file has whole seconds. */
function withinSecond(ms: number, second: number): number {
  return Math.min(second + 1000, Math.max(second, ms));
}

const startsOf = ({ timed, requested }: CheckpointerCounters) => timed + requested;

/** Whether the checkpointer has told what its checkpoint took. */
function isPublished(now: CheckpointerCounters, base: CheckpointerCounters): boolean {
  return (
    now.writeMs + now.syncMs > base.writeMs + base.syncMs ||
    (now.done !== null && base.done !== null && now.done > base.done)
  );
}

function reasonOf(now: CheckpointerCounters, base: CheckpointerCounters): Checkpoint['reason'] {
  // Both in one interval: a request came while the clock's was due; the request is what made it.
  if (now.requested > base.requested) return 'requested';
  return now.timed > base.timed ? 'timed' : null;
}

function detail(checkpoint: Checkpoint, now: CheckpointerCounters, base: CheckpointerCounters): void {
  checkpoint.reason = reasonOf(now, base) ?? checkpoint.reason;
  checkpoint.buffers = now.buffers - base.buffers;
  checkpoint.writeMs = now.writeMs - base.writeMs;
  checkpoint.syncMs = now.syncMs - base.syncMs;
}
