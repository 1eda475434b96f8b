import { AppError, toAppError } from '../../src-shared/errors.ts';
import type { SqlClient } from '../databases/sqlClient.ts';
import { openTransactions } from '../workloads/sources.ts';
import type { TransactionClient } from '../workloads/transactions.ts';
import { Arrivals } from './arrivals.ts';
import { ClientTransaction, type TransactionRules } from './clientTransaction.ts';
import { lateNs, nowNs, nsPerMs, nsPerSecond } from './clock.ts';
import type { TransactionsWork } from './job.ts';
import { closeAll, openAll, runLoops, type ThreadContext, type ThreadWork } from './threadWork.ts';
import { TransactionLogFile } from './transactionLogFile.ts';
import { TransactionRecorder } from './transactionRecorder.ts';
import { Turns } from './turns.ts';

/** One client of this thread. */
interface Client {
  number: number;
  transactions: TransactionClient;
  transaction: ClientTransaction;
  /** null between two transactions where each has a connection of its own. */
  connection: SqlClient | null;
  /** What it has done: for how evenly the work was shared. */
  count: number;
  ns: number;
  close(): Promise<void>;
}

/** The clients of a thread: one connection each, one transaction at a time. */
export async function openTransactionsWork(
  work: TransactionsWork,
  context: ThreadContext,
): Promise<ThreadWork> {
  const source = openTransactions(context.findWorkload, work.transactions);
  const openLoop = work.ratePerSecond > 0;
  const recorder = new TransactionRecorder(source, { ...work, openLoop });
  const rules: TransactionRules = {
    endNs: Number.POSITIVE_INFINITY,
    latencyLimitNs: (work.latencyLimitMs ?? Number.POSITIVE_INFINITY) * nsPerMs,
    stopping: context.stopping,
    until: (atNs) => context.pacer.until(atNs),
  };
  const connectingFromNs = nowNs();
  const clients = await openAll(context.workers, async (number) => {
    const client: Client = {
      number,
      transactions: source.openClient(number),
      transaction: new ClientTransaction(rules, recorder),
      connection: null,
      count: 0,
      ns: 0,
      close: async () => client.connection?.close(),
    };
    if (!work.reconnect) await connect(client);
    return client;
  });
  const connectingNs = { from: connectingFromNs, to: nowNs() };
  let clientError: AppError | null = null;
  let running = 0;
  let busy = 0;
  let arrivals: Arrivals | null = null;
  let log: TransactionLogFile | null = null;
  const turns = work.inTurn ? new Turns() : null;

  async function connect(client: Client): Promise<void> {
    const { openClient } = context.findDriver(context.endpoint.engine);
    if (openClient === undefined)
      throw new AppError({
        code: 'unsupported',
        message: `${context.endpoint.label} has no SQL transactions`,
      });
    client.connection = await openClient(context.endpoint, work.database, context.abort);
    await client.transactions.connected(client.connection);
  }

  /** A client's whole run. @param startNs end of the warm-up */
  async function loop(client: Client, startNs: number): Promise<void> {
    const perClient = work.transactionsPerClient ?? Number.POSITIVE_INFINITY;
    const inAll = work.transactionsInAll ?? Number.POSITIVE_INFINITY;
    for (let turn = 0; turn < perClient; turn += 1) {
      if (context.stopping.aborted || nowNs() >= rules.endNs) return;
      const script = client.transactions.draw?.() ?? 0;
      const dueNs = arrivals?.next() ?? null;
      if (dueNs !== null) {
        if (dueNs > rules.endNs) return;
        if (nowNs() - dueNs > rules.latencyLimitNs) {
          if (dueNs >= startNs) {
            recorder.skipped(script);
            log?.skipped(client.number, script);
          }
          continue;
        }
        if (!(await context.pacer.until(dueNs))) return;
      }
      if (Atomics.add(context.counter, 0, 1) >= inAll) return;
      if (turns !== null && dueNs === null) await turns.next();
      busy += 1;
      try {
        await transact(client, script, dueNs, startNs);
      } finally {
        busy -= 1;
      }
    }
  }

  async function transact(
    client: Client,
    script: number,
    dueNs: number | null,
    startNs: number,
  ): Promise<void> {
    const { transaction } = client;
    const before = work.reconnect ? nowNs() : 0;
    if (work.reconnect) await connect(client);
    const { connection } = client;
    const beginNs = nowNs();
    const scheduledNs = dueNs ?? beginNs;
    const counts = scheduledNs >= startNs;
    const bytesBefore = connection?.receivedBytes ?? 0;
    transaction.begin(scheduledNs, script, counts);
    await client.transactions.transact(transaction);
    const endNs = nowNs();
    context.pacer.look(endNs);
    const bytes = (connection?.receivedBytes ?? 0) - bytesBefore;
    if (work.reconnect) {
      await connection?.close();
      client.connection = null;
      if (counts) recorder.reconnected(beginNs - before + (nowNs() - endNs));
    }
    if (!counts) return;
    // What fails because the time is over would have been tried again.
    if (transaction.failure !== null && (endNs >= rules.endNs || context.stopping.aborted)) return;
    recorder.began(transaction.script, dueNs !== null && beginNs - dueNs > lateNs);
    recorder.statementsDone(transaction.reads, transaction.writes, transaction.others);
    if (transaction.retries > 0) recorder.retried(transaction.script, transaction.retries);
    log?.ended(client.number, transaction, beginNs, endNs);
    if (transaction.failure !== null) {
      recorder.failed(transaction.script, transaction.failure);
      return;
    }
    recorder.done(transaction.script, scheduledNs, beginNs, endNs, bytes);
    client.count += 1;
    client.ns += endNs - scheduledNs;
  }

  /** The thread's own, where there is one. */
  function openLog(startNs: number): TransactionLogFile | null {
    const { logFile } = work;
    const [thread = 0] = context.workers;
    if (logFile === undefined || source.openLog === undefined) return null;
    const file = thread === 0 ? logFile : `${logFile}.${thread}`;
    const open = source.openLog.bind(source, thread);
    return new TransactionLogFile(file, startNs, open, context.logBatch);
  }

  /** The client's run; its own error ends only it, where the work says so. */
  async function run(client: Client, startNs: number): Promise<void> {
    try {
      await loop(client, startNs);
    } catch (error) {
      const failure = toAppError(error);
      if (failure.code === 'cancelled') throw failure;
      recorder.clientEnded();
      context.failure(`client ${client.number}: ${failure.detail ?? failure.message}`);
      if (work.onError === 'end-run') throw failure;
      clientError ??= failure;
    } finally {
      running -= 1;
    }
  }

  return {
    queries: null,
    connectingNs,
    recorders: recorder.operations,
    firstNs: null,
    transactions() {
      log?.flush();
      const waiting = arrivals?.waiting(nowNs()) ?? 0;
      return { tally: recorder.take(), clients: running, busy, waiting };
    },
    clients: () => clients.map(({ count, ns }) => ({ count, seconds: ns / nsPerSecond })),
    get clientError() {
      return clientError;
    },
    run(startNs) {
      const seconds = work.seconds ?? Number.POSITIVE_INFINITY;
      rules.endNs = startNs + seconds * nsPerSecond;
      running = clients.length;
      log = openLog(startNs);
      if (openLoop) {
        const [thread = 0] = context.workers;
        const share = (work.ratePerSecond * clients.length) / work.workers;
        arrivals = new Arrivals(share, nowNs(), work.seed, thread);
      }
      return runLoops(
        context,
        clients.map((client) => () => run(client, startNs)),
      );
    },
    finish: async () => log?.close(),
    close: () => closeAll(clients),
  };
}
