import type { Api } from '../../src-shared/contract/api.ts';
import { describeError } from '../../src-shared/errors.ts';
import type { RunHead } from '../../src-shared/model/run.ts';
import { createProgressPrinter, type ProgressPrinter } from './progress.ts';
import type { Terminal } from './terminal.ts';

/** Runs one after the other: a run alone, or those of a series. */
export interface FollowedRuns {
  /** The first one has started. */
  begin(head: Pick<RunHead, 'id'>): Promise<void>;
  /** Asks the one that is on to stop, and those that would come after it. */
  stop(): void;
  /** The end of the next one. Rejects with what went wrong in following them. */
  ended(): Promise<RunHead>;
  close(): void;
}

/**
 * Prints what the core tells of its runs and hands out each one's end.
 * @param line prints a line of progress; null for none, nor a status line
 */
export function followRuns(
  api: Api,
  terminal: Terminal,
  line: ((text: string) => void) | null,
): FollowedRuns {
  const ends: Promise<RunHead>[] = [];
  let wake: () => void = () => undefined;
  let current: string | null = null;
  let printer: ProgressPrinter | null = null;
  let stopping = false;
  let doing: string | null = null;
  let printing: Promise<void> = Promise.resolve();

  function give(end: Promise<RunHead>): void {
    end.catch(() => undefined); // whoever takes it sees the error
    ends.push(end);
    wake();
  }
  async function begin(head: Pick<RunHead, 'id'>): Promise<void> {
    current = head.id;
    printer = createProgressPrinter(await api.call('runs.get', { id: head.id }));
    if (stopping) await api.call('runs.stop', { id: head.id });
  }

  async function phaseEnd(id: string): Promise<void> {
    const run = await api.call('runs.get', { id });
    for (const text of printer?.phaseEnd(run) ?? []) line?.(text);
  }

  const off = [
    api.on('run.changed', ({ head, final }) => {
      if (final) give(Promise.resolve(head));
      // The next one of a series.
      else if (current !== null && head.id !== current)
        begin(head).catch((error) => give(Promise.reject(error)));
    }),
    api.on('notice', ({ text, error }) => terminal.err(error ? `${text}: ${describeError(error)}` : text)),
    ...(line === null
      ? []
      : [
          api.on('run.tick', (tick) => {
            for (const text of printer?.tick(tick) ?? []) line(text);
          }),
          api.on('run.progress', (progress) => {
            // Before anything is measured there are no other lines, and it may take a while.
            if (progress.status === 'preparing' && progress.doing !== doing) terminal.err(progress.doing);
            doing = progress.doing;
            if (printer) terminal.status(printer.status(progress));
          }),
          api.on('run.event', (event) => {
            terminal.err(event.text);
            if (event.kind === 'phase-end')
              printing = printing
                .then(() => phaseEnd(event.runId))
                .catch((error) => give(Promise.reject(error)));
          }),
        ]),
  ];
  return {
    begin,
    stop() {
      stopping = true;
      if (current !== null)
        api.call('runs.stop', { id: current }).catch((error) => give(Promise.reject(error)));
    },
    async ended() {
      for (;;) {
        const end = ends.shift();
        if (end !== undefined) {
          await printing;
          return end;
        }
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
    },
    close() {
      for (const unsubscribe of off) unsubscribe();
    },
  };
}
