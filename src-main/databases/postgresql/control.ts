import pg from 'pg';
import type { z } from 'zod';
import { AppError, cancelled } from '../../../src-shared/errors.ts';
import type { Dialled } from './connection.ts';
import { placeOf } from './dial.ts';
import { connectionLost, serverError } from './errors.ts';
import { cancelStatement, type Login, login } from './login.ts';

/** How long a cancelled statement may take to end before its connection is cut, ms. */
export const cancelPatienceMs = 2000;

/** A connection for statements other than the measured ones: DDL, catalogue look-ups, counts. */
export class Control {
  readonly target: Dialled;
  readonly database: string;
  readonly login: Login;

  private constructor(target: Dialled, database: string, opened: Login) {
    this.target = target;
    this.database = database;
    this.login = opened;
  }

  /** @param application name that the server shows the session by */
  static async open(
    target: Dialled,
    database: string,
    signal: AbortSignal,
    application?: string,
  ): Promise<Control> {
    return new Control(target, database, await login(target, database, signal, application));
  }

  /**
   * Rows of a statement, each parsed by `schema`. On abort the statement is cancelled on the server.
   * @param name keeps the statement prepared under it, for one that is run again and again
   */
  async rows<T>(
    schema: z.ZodType<T>,
    text: string,
    values: unknown[],
    signal: AbortSignal,
    name?: string,
  ): Promise<T[]> {
    const result = await this.#run(text, values, signal, name);
    return result.rows.map((row) => schema.parse(row));
  }

  /** The only row of a statement. */
  async one<T>(
    schema: z.ZodType<T>,
    text: string,
    values: unknown[],
    signal: AbortSignal,
    name?: string,
  ): Promise<T> {
    const [row] = await this.rows(schema, text, values, signal, name);
    if (row === undefined) throw new Error(`no row from: ${text}`);
    return row;
  }

  async execute(text: string, signal: AbortSignal): Promise<void> {
    await this.#run(text, [], signal);
  }

  async close(): Promise<void> {
    const timer = setTimeout(() => this.login.socket.destroy(), cancelPatienceMs);
    await this.login.client.end().catch(() => undefined); // already gone is closed as well
    clearTimeout(timer);
    this.login.socket.destroy();
  }

  async #run(text: string, values: unknown[], signal: AbortSignal, name?: string): Promise<pg.QueryResult> {
    if (signal.aborted) throw cancelled();
    const place = { ...placeOf(this.target, this.database), statement: text };
    let cut: NodeJS.Timeout | undefined;
    const abort = () => {
      cut = setTimeout(() => this.login.socket.destroy(), cancelPatienceMs);
      // a request that cannot be delivered leaves the timer to end it
      cancelStatement(this.target, this.login.key).catch(() => undefined);
    };
    signal.addEventListener('abort', abort, { once: true });
    try {
      if (name !== undefined) return await this.login.client.query({ name, text, values });
      return values.length > 0
        ? await this.login.client.query(text, values)
        : await this.login.client.query(text);
    } catch (error) {
      if (signal.aborted) throw cancelled();
      if (error instanceof pg.DatabaseError) throw serverError(error, place);
      if (error instanceof AppError) throw error;
      throw connectionLost(place, error instanceof Error ? error.message : String(error));
    } finally {
      clearTimeout(cut);
      signal.removeEventListener('abort', abort);
    }
  }
}
