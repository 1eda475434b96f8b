import type { PlanCheck } from '../../src-shared/contract/commands.ts';
import { AppError, cancelled, describeError, toAppError } from '../../src-shared/errors.ts';
import type { Plan } from '../../src-shared/model/plan.ts';
import type { Target } from '../../src-shared/model/target.ts';
import { formatCount, formatCounted, formatLatency } from '../../src-shared/units.ts';
import type { Dataset, Driver, Endpoint, Prepared, Session } from '../databases/driver.ts';
import { findDriver } from '../databases/registry.ts';
import { refuseForeign } from '../runs/initializePhase.ts';
import { findWorkload } from '../workloads/registry.ts';
import { resolvePlan } from '../workloads/resolve.ts';
import { openQueries, openRows, surveyRows } from '../workloads/sources.ts';
import type {
  InitializePhase,
  LoadPhase,
  PhaseSpec,
  QueriesPhase,
  RowSource,
  RowSurvey,
  TransactionsPhase,
} from '../workloads/workload.ts';
import type { TargetDirectory } from './targetDirectory.ts';

/** Database of ours that a check makes and removes. */
const scratchDatabase = 'benchberry_check';
const rowsWritten = 100;

type Item = PlanCheck['items'][number];
/** Does one thing and reports it; what failed is an item too, and null is the answer. */
type Attempt = <T>(title: string, work: () => Promise<{ detail: string; value: T }>) => Promise<T | null>;

/**
 * A plan tried in small against its target: connects, describes, writes a hundred rows into a scratch database, runs each
 * query type once, removes the scratch database; tables of transactions are only looked at. Everything is reported, nothing
 * thrown but `cancelled`.
 */
export async function checkPlan(
  plan: Plan,
  target: Target,
  directory: TargetDirectory,
  signal: AbortSignal,
): Promise<PlanCheck> {
  const items: Item[] = [];
  const attempt: Attempt = async (title, work) => {
    if (signal.aborted) throw cancelled();
    try {
      const { detail, value } = await work();
      items.push({ ok: true, title, detail });
      return value;
    } catch (error) {
      const failure = toAppError(error);
      if (failure.code === 'cancelled') throw failure;
      items.push({ ok: false, title, detail: describeError(failure.toData()) });
      return null;
    }
  };

  const { problems, phases, summary } = resolvePlan(plan);
  items.push({
    ok: problems.length === 0,
    title: 'Plan',
    detail: problems.map(({ path, message }) => `${path}: ${message}`).join('\n') || summary,
  });
  if (problems.length === 0) {
    const driver = findDriver(target.engine);
    const connected = await attempt(`Connect to ${target.name}`, async () => {
      const endpoint = await directory.dial(target, signal);
      const session = await driver.openSession(endpoint, signal);
      return { detail: endpoint.label, value: { endpoint, session } };
    });
    if (connected) {
      try {
        await checkConnected({ driver, ...connected, directory, target, phases, attempt, signal });
      } finally {
        await connected.session.close();
      }
    }
  }
  return { ok: items.every(({ ok }) => ok), items };
}

interface Checking {
  driver: Driver;
  endpoint: Endpoint;
  session: Session;
  directory: TargetDirectory;
  target: Target;
  phases: readonly PhaseSpec[];
  attempt: Attempt;
  signal: AbortSignal;
}

async function checkConnected(checking: Checking): Promise<void> {
  const { session, directory, target, phases, attempt, signal } = checking;
  await attempt('Describe the server', async () => {
    const server = await session.describe(signal);
    directory.seen(target.id, server);
    const name = `${server.product} ${server.version}, ${server.edition}`;
    return { detail: `${name}; round trip ${formatLatency(server.roundTripUs)}`, value: server };
  });
  for (const [index, phase] of phases.entries()) {
    if (phase.kind === 'initialize') await checkTables(checking, phase);
    else if (phase.kind === 'transactions') await checkClient(checking, phase, phases.slice(0, index));
  }
  const load = phases.find((phase) => phase.kind === 'load' && phase.doLoad);
  if (load?.kind !== 'load') {
    // Without a load of its own the plan queries what is in the database already.
    for (const phase of phases)
      if (phase.kind === 'queries') await checkQueries(checking, phase, phase.database);
    return;
  }
  const survey = await lookAtRows(checking, load);
  if (!survey) return;
  const there = (await session.tablesThere?.(survey.dataset, signal)) ?? [];
  if (there.length > 0) {
    await attempt(`Write ${rowsWritten} rows`, async () => ({
      detail: `not tried: a try would make these tables anew, in the only database that the server has: ${there.join(', ')}`,
      value: null,
    }));
    for (const phase of phases)
      if (phase.kind === 'queries') await checkQueries(checking, phase, phase.database);
    return;
  }
  const prepared = await makeScratch(checking, load, survey.dataset);
  if (!prepared) return;
  try {
    await writeRows(checking, prepared, openRows(findWorkload, survey.source));
    for (const phase of phases) {
      if (phase.kind === 'queries') await checkQueries(checking, phase, prepared.database);
    }
  } finally {
    await removeScratch(checking, prepared);
  }
}

/** The first of them; only those that are read can have something to report. */
async function lookAtRows({ attempt, signal }: Checking, load: LoadPhase): Promise<RowSurvey | null> {
  const looking = surveyRows(findWorkload, load.rows, { signal, atMost: rowsWritten });
  const made = (await looking.catch(() => null))?.reading === null;
  if (made) return looking;
  return attempt('Look at the data file', async () => {
    const survey = await looking;
    if (survey.flaw !== null) throw survey.flaw;
    const rows = `${survey.estimated ? 'about ' : ''}${formatCounted(survey.totalRows, 'row')}`;
    return { detail: `${rows} in ${formatCounted(survey.dataset.tables.length, 'table')}`, value: survey };
  });
}

/** What a step that makes tables would find. */
async function checkTables({ session, attempt, signal }: Checking, phase: InitializePhase): Promise<void> {
  await attempt(`Look for tables in ${phase.database}`, async () => {
    const { tables } = session;
    if (tables === undefined)
      throw new AppError({ code: 'unsupported', message: 'This target has no SQL tables' });
    const { database } = await session.describe(signal, phase.database);
    if (database !== phase.database) {
      if (!phase.createDatabase) throw noDatabase(phase.database);
      return { detail: 'there is no such database yet: it will be made', value: null };
    }
    const existing = await tables.existing(phase.database, phase.tables, signal);
    if (!phase.replaceTables) refuseForeign(existing, phase.database);
    const detail =
      existing.length === 0
        ? 'none of them is there yet'
        : `${formatCounted(existing.length, 'table')} will be dropped: ${existing.map(({ name }) => name).join(', ')}`;
    return { detail, value: null };
  });
}

/** Whether transactions find their database, where no step before makes it. */
async function checkClient(
  { driver, endpoint, attempt, signal }: Checking,
  { database, clients }: TransactionsPhase,
  before: readonly PhaseSpec[],
): Promise<void> {
  if (before.some((phase) => phase.kind === 'initialize' && phase.database === database)) return;
  await attempt(`Open ${database} for transactions`, async () => {
    if (driver.openClient === undefined)
      throw new AppError({ code: 'unsupported', message: `${driver.label} has no SQL transactions` });
    const client = await driver.openClient(endpoint, database, signal);
    await client.close();
    return {
      detail: `one connection, as each of ${formatCounted(clients, 'client')} will have`,
      value: null,
    };
  });
}

function noDatabase(database: string): AppError {
  return new AppError({
    code: 'no-database',
    message: `There is no database ${database}`,
    place: { database },
  });
}

/** Also after a cancelled check, when nothing is reported any more: nothing is left behind. */
async function removeScratch({ session, attempt, signal }: Checking, prepared: Prepared): Promise<void> {
  const drop = () => session.drop(prepared, new AbortController().signal);
  if (signal.aborted) return drop();
  await attempt('Remove the scratch database', async () => {
    await drop();
    return { detail: prepared.database, value: null };
  });
}

function makeScratch(
  { session, attempt, signal }: Checking,
  phase: LoadPhase,
  dataset: Dataset,
): Promise<Prepared | null> {
  return attempt('Make a scratch database', async () => {
    const prepared = await session.prepare(
      dataset,
      { database: scratchDatabase, doCreateDb: true, doAbortOnExist: false, engine: phase.engineOptions },
      signal,
    );
    return { detail: [prepared.database, ...prepared.notes].join('; '), value: prepared };
  });
}

async function writeRows(
  { driver, endpoint, session, attempt, signal }: Checking,
  prepared: Prepared,
  rows: RowSource,
): Promise<void> {
  await attempt(`Write ${rowsWritten} rows`, async () => {
    await session.writeDevices(prepared, rows.dataset, signal);
    const writer = await driver.openWriter(endpoint, prepared, signal, rows.dataset);
    let written: number;
    try {
      await rows.read?.();
      written = rows.fill(writer, rowsWritten);
      await writer.flush(signal);
    } finally {
      rows.close?.();
      await writer.close();
    }
    const missing = (await session.awaitVisible?.(prepared, written, () => undefined, signal))?.missing;
    const counted = Object.values(await session.count(prepared, signal));
    if (counted.length === 0) {
      return {
        detail: `${formatCounted(written, 'row')} written; this target keeps none to count`,
        value: null,
      };
    }
    const found = counted.reduce((sum, n) => sum + n, 0);
    if (found !== written) {
      throw new AppError({
        code: 'server-error',
        message: `${formatCounted(written, 'row was', 'rows were')} written and ${formatCount(found)} are there`,
        ...(missing && { detail: missing }),
        hint: 'Look whether something else writes to or deletes from the database.',
      });
    }
    return { detail: `${formatCounted(found, 'row')} written and counted`, value: null };
  });
}

async function checkQueries(
  { driver, endpoint, session, attempt, signal }: Checking,
  phase: QueriesPhase,
  database: string,
): Promise<void> {
  const opened = await attempt(`Open ${database} for queries`, async () => {
    const { dialect } = await session.describe(signal, database);
    const reader = await driver.openReader(endpoint, database, signal);
    return { detail: `in the form for ${dialect}`, value: { dialect, reader } };
  });
  if (!opened) return;
  try {
    for (const { name, queries } of phase.jobs) {
      await attempt(`Query ${name}`, async () => {
        const source = openQueries(findWorkload, queries, opened.dialect);
        const { rows } = await opened.reader.run(source.at(0), signal);
        return { detail: formatCounted(rows, 'row'), value: null };
      });
    }
  } finally {
    await opened.reader.close();
  }
}
