import { setTimeout as sleep } from 'node:timers/promises';
import { type AppError, toAppError } from '../../src-shared/errors.ts';
import type { ServerSample, ServerWatch } from '../../src-shared/model/telemetry.ts';
import {
  addedStatements,
  longestStatements,
  type StatementCounts,
  sumStatements,
} from '../../src-shared/stats/statements.ts';
import type { Driver, Endpoint } from '../databases/driver.ts';
import type { Telemetry } from '../databases/telemetry.ts';
import { nowNs } from '../load/clock.ts';
import type { ActiveRun } from './activeRun.ts';

/** The database server behind a run, looked at while something is measured. */
export interface ServerWatcher {
  /**
   * Looks at this database from now on; nothing where it is looked at already. A server that does not let itself be looked
   * at is a note of the run.
   */
  begin(database: string): void;
  /** Ends the connection: what comes next may drop the database. */
  end(): Promise<void>;
}

const againMs = 1000;
/** For the statements at the end. */
const endMs = 5000;
const shownStatements = 10;
/** Its own statements are among them and fall out. */
const askedStatements = 30;

/**
 * Samples what the server does beside the run. Whatever goes wrong with that is a note of the run and a gap in the
 * samples, never its end.
 * @param wanted false: the plan says that the server is left alone
 */
export function watchServer(
  run: ActiveRun,
  driver: Driver,
  endpoint: Endpoint,
  wanted: boolean,
): ServerWatcher {
  const open = wanted ? driver.openTelemetry : undefined;
  if (open === undefined) return { begin: () => undefined, end: async () => undefined };
  let watch: ServerWatch = { limits: [], statements: [], noStatements: null };
  let told = false;
  let counted: ReadonlyMap<string, StatementCounts> = new Map();
  /** Texts of statements, by id. */
  const texts = new Map<string, string>();
  /** Checkpoints are numbered within a connection; in a run they go on. */
  let checkpoints = 0;
  let current: { stop: AbortController; over: Promise<void> } | null = null;
  let failure: AppError | null = null;

  function keep(sample: ServerSample, from: number): void {
    const numbered = sample.checkpoints.map((each) => ({ ...each, id: each.id + from }));
    checkpoints = numbered.reduce((most, { id }) => Math.max(most, id + 1), checkpoints);
    try {
      run.server({ ...sample, checkpoints: numbered });
    } catch (error) {
      failure ??= toAppError(error);
      throw error;
    }
  }

  function tellLimits({ limits, noStatements }: Telemetry): void {
    if (told) return;
    told = true;
    watch = { ...watch, limits, noStatements };
    for (const { what, role } of limits)
      run.event('note', `Not seen of the server: ${what}. Grant ${role} to the target's user to see it.`);
    run.keepServerWatch(watch);
  }

  async function count(telemetry: Telemetry, before: ReadonlyMap<string, StatementCounts>): Promise<void> {
    const signal = AbortSignal.timeout(endMs);
    counted = sumStatements(counted, addedStatements(before, await telemetry.statements(signal)));
    const longest = longestStatements(counted, askedStatements);
    const unknown = longest.map(([id]) => id).filter((id) => !texts.has(id));
    for (const [id, text] of await telemetry.statementTexts(unknown, signal)) texts.set(id, text);
    const statements = longest.flatMap(([id, counts]) => {
      const text = texts.get(id);
      return text === undefined ? [] : [{ id, text, ...counts }];
    });
    watch = { ...watch, statements: statements.slice(0, shownStatements) };
    run.keepServerWatch(watch);
  }

  /** Until it is stopped; opens the connection again whenever it is lost. */
  async function keepWatching(database: string, stop: AbortSignal): Promise<void> {
    let lost = false;
    let before: ReadonlyMap<string, StatementCounts> | null = null;
    while (!stop.aborted && failure === null) {
      try {
        const telemetry = await open?.(endpoint, database, stop);
        if (!telemetry) return;
        try {
          tellLimits(telemetry);
          before ??= await telemetry.statements(stop);
          if (lost) run.event('note', 'The server is watched again');
          lost = false;
          const from = checkpoints;
          await telemetry.watch(
            () => run.atMs(nowNs()),
            (sample) => keep(sample, from),
            stop,
          );
          await count(telemetry, before);
        } finally {
          await telemetry.close();
        }
      } catch (thrown) {
        if (stop.aborted || failure !== null) return;
        const error = toAppError(thrown);
        if (error.code === 'unsupported') {
          run.event('note', `The server is not watched. ${why(error)}`);
          return;
        }
        if (!lost) run.event('note', `The server is not watched until it answers again. ${why(error)}`);
        lost = true;
        await sleep(againMs, undefined, { signal: stop }).catch(() => undefined);
      }
    }
  }

  async function end(): Promise<void> {
    if (current === null) return;
    const { stop, over } = current;
    current = null;
    stop.abort();
    await over;
    if (failure !== null) run.event('note', `What the server did could not be kept. ${why(failure)}`);
  }

  return {
    begin(database) {
      if (current !== null) return;
      const stop = new AbortController();
      current = { stop, over: keepWatching(database, stop.signal) };
    },
    end,
  };
}

/** One line: it stands in the list of events. */
function why({ message, detail }: AppError): string {
  return detail === undefined ? message : `${message}: ${detail}`;
}
