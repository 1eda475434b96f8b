import { AppError, cancelled } from '../../../src-shared/errors.ts';
import { formatCounted } from '../../../src-shared/units.ts';
import type { Dataset, Writer } from '../driver.ts';
import type { HttpTarget } from '../http/connection.ts';
import { lost } from '../http/errors.ts';
import { connectSocket, endSocket, written } from '../http/socket.ts';
import { textsOf } from '../postgresql/batch.ts';
import { named } from './answers.ts';
import type { Layout } from './loadOptions.ts';
import { PointRows, telnetForm } from './points.ts';

/** A command whose answer, one line, shows that the server has read all lines before it. */
const barrier = Buffer.from('help\n');
const barrierAnswer = 'available commands:';

/** What a server has said to lines: nothing to one that it takes. */
export class Replies {
  /** Lines of which it has said that all before them are read. */
  barriers = 0;
  /** Lines that it did not take, by what their complaint begins with. */
  #complaints = new Map<string, { count: number; text: string }>();
  #rest = '';

  take(chunk: string): void {
    const lines = (this.#rest + chunk).split('\n');
    this.#rest = lines.pop() ?? '';
    for (const line of lines) {
      if (line.startsWith(barrierAnswer)) this.barriers += 1;
      else if (line.trim() !== '') this.#complain(line.trim());
    }
  }

  #complain(text: string): void {
    const kind = /^[^:]*:[^:]*/.exec(text)?.[0] ?? text;
    const known = this.#complaints.get(kind);
    if (known) known.count += 1;
    else if (this.#complaints.size < 20) this.#complaints.set(kind, { count: 1, text });
  }

  /** What it has complained of since the last call; null for nothing. */
  takeComplaints(): { points: number; detail: string } | null {
    if (this.#complaints.size === 0) return null;
    const all = [...this.#complaints.values()];
    this.#complaints = new Map();
    return {
      points: all.reduce((sum, { count }) => sum + count, 0),
      detail: all
        .map(({ count, text }) => `${text.slice(0, 300)}${count > 1 ? ` (${count} times)` : ''}`)
        .join('; '),
    };
  }
}

/**
 * Lines into a socket. A point that is taken is not answered; each batch waits until the server says that it has read all
 * of it, by when it has told which lines it does not take. What HBase makes of them comes later, or never.
 */
export async function openTelnetWriter(
  target: HttpTarget,
  database: string,
  { mostTags }: Layout,
  dataset: Dataset,
  signal: AbortSignal,
): Promise<Writer> {
  const place = { host: target.host, port: target.port };
  const rows = new PointRows(dataset, { database, mostTags }, telnetForm);
  const socket = await connectSocket(target, signal);
  const replies = new Replies();
  let asked = 0;
  let ended: string | null = null;
  let aborted = false;
  let heard: () => void = () => undefined;
  socket.setEncoding('latin1');
  socket.on('data', (chunk: string) => {
    replies.take(chunk);
    heard();
  });
  socket.on('error', (error) => {
    ended = error.message;
  });
  socket.on('close', () => {
    ended ??= 'the server closed it';
    heard();
  });

  /** Resolves once all that was written has been read. */
  async function allRead(): Promise<void> {
    asked += 1;
    await written(socket, [barrier]);
    while (replies.barriers < asked && ended === null) {
      await new Promise<void>((resolve) => {
        heard = resolve;
      });
    }
    if (replies.barriers < asked) throw new Error(ended ?? 'it is closed');
  }

  return {
    get pending() {
      return rows.batch.rows;
    },
    row(table, device, timeMs, nanos, values, missingTag) {
      rows.row(table, device, timeMs, nanos, values, missingTag);
    },
    async flush(flushSignal) {
      if (aborted) throw cancelled();
      if (ended !== null) throw lost(place, ended);
      const blocks = rows.batch.take();
      const texts = textsOf(blocks);
      const abort = () => {
        aborted = true;
        socket.destroy();
      };
      flushSignal.addEventListener('abort', abort, { once: true });
      if (flushSignal.aborted) abort();
      try {
        await written(socket, texts);
        if (texts.length > 0) await allRead();
      } catch (error) {
        if (aborted) throw cancelled();
        const said = replies.takeComplaints()?.detail;
        const why = ended ?? (error instanceof Error ? error.message : String(error));
        throw lost(place, [why, said].filter(Boolean).join('; the server said: '));
      } finally {
        flushSignal.removeEventListener('abort', abort);
      }
      rows.batch.recycle(blocks);
      const complaints = replies.takeComplaints();
      if (complaints === null) return texts.reduce((sum, text) => sum + text.length, 0);
      ended = 'it is closed';
      socket.destroy();
      throw named(
        new AppError({
          code: 'server-error',
          message: `The server did not take ${formatCounted(complaints.points, 'point')}`,
          place,
          detail: complaints.detail,
          hint: 'The cause is the server’s own message; other points of the batch may be stored.',
        }),
      );
    },
    close: () => endSocket(socket),
  };
}
