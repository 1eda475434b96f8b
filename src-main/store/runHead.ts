import { z } from 'zod';
import { knownPhases } from '../../src-shared/model/printed.ts';
import { type Run, type RunHead, runHeadSchema, runStatuses } from '../../src-shared/model/run.ts';
import type { ServerDescription } from '../../src-shared/model/server.ts';
import { wholeOperation } from '../../src-shared/model/wholeOperation.ts';
import type { Row } from './database.ts';
import { firstIssue, jsonColumn, type Report } from './json.ts';

export const headColumns =
  'id, name, status, target_name, engine, server_label, started_at, ended_at, notes, tps, rows_per_second, rows, p99_us, run_group, tags, verdicts, archived_at, left_out, thinned';

const rowSchema = z
  .object({
    id: z.string(),
    name: z.string(),
    status: z.enum(runStatuses),
    target_name: z.string(),
    engine: z.string(),
    server_label: z.string().nullable(),
    started_at: z.iso.datetime(),
    ended_at: z.iso.datetime().nullable(),
    notes: z.string(),
    tps: z.number().nullable(),
    rows_per_second: z.number().nullable(),
    rows: z.int().nullable(),
    p99_us: z.number().nullable(),
    run_group: z.string().nullable(),
    tags: jsonColumn(runHeadSchema.shape.tags),
    verdicts: jsonColumn(runHeadSchema.shape.verdicts),
    archived_at: z.string().nullable(),
    left_out: z.string().nullable(),
    thinned: z.int(),
  })
  .transform(
    (row): RunHead => ({
      id: row.id,
      name: row.name,
      status: row.status,
      verdicts: row.verdicts,
      targetName: row.target_name,
      engine: row.engine,
      serverLabel: row.server_label,
      startedAt: row.started_at,
      endedAt: row.ended_at,
      tags: row.tags,
      notes: row.notes,
      tps: row.tps,
      rowsPerSecond: row.rows_per_second,
      rows: row.rows,
      p99Us: row.p99_us,
      group: row.run_group,
      ...(row.archived_at !== null && { archived: true as const }),
      ...(row.left_out !== null && { leftOut: row.left_out }),
      ...(row.thinned === 1 && { thinned: true as const }),
    }),
  );

/** What is left of a row that does not parse: enough to list it and to delete it. */
const remainsSchema = z.object({
  id: z.string(),
  name: z.string().catch('(unreadable)'),
  target_name: z.string().catch(''),
  engine: z.string().catch(''),
  started_at: z.iso.datetime().catch(new Date(0).toISOString()),
  ended_at: z.iso.datetime().nullable().catch(null),
  notes: z.string().catch(''),
});

/** A head from its row, or what is wrong with the row. */
export function parseHead(row: unknown): { head: RunHead } | { issue: string } {
  const parsed = rowSchema.safeParse(row);
  return parsed.success ? { head: parsed.data } : { issue: firstIssue(parsed.error) };
}

/** A head as columns. */
export function headRow(head: RunHead, planName: string): Row {
  return {
    name: head.name,
    status: head.status,
    target_name: head.targetName,
    engine: head.engine,
    server_label: head.serverLabel,
    started_at: head.startedAt,
    ended_at: head.endedAt,
    notes: head.notes,
    tps: head.tps,
    rows_per_second: head.rowsPerSecond,
    rows: head.rows,
    p99_us: head.p99Us,
    run_group: head.group,
    tags: JSON.stringify(head.tags),
    verdicts: JSON.stringify(head.verdicts),
    haystack: haystack(head, planName),
  };
}

/** A head from its row for a list. An unreadable row is reported and listed as failed, with what is wrong as its verdict. */
export function readHeadOrRemains(row: unknown, report: Report): RunHead {
  const parsed = parseHead(row);
  if ('head' in parsed) return parsed.head;
  const remains = remainsSchema.parse(row);
  const reason = `The stored entry of this run cannot be read (${parsed.issue}).`;
  report(`${reason} Run ${remains.id}, ${remains.name}.`);
  return {
    id: remains.id,
    name: remains.name,
    status: 'failed',
    verdicts: [{ code: 'failed', reason, advice: 'It is kept as it is; delete it if it is of no use.' }],
    targetName: remains.target_name,
    engine: remains.engine,
    serverLabel: null,
    startedAt: remains.started_at,
    endedAt: remains.ended_at,
    tags: [],
    notes: remains.notes,
    tps: null,
    rowsPerSecond: null,
    rows: null,
    p99Us: null,
    group: null,
  };
}

/** Figures of the head, from the parts: the first transactions' rate, the first load's rows and rate, the first measured phase's p99. */
export function headFigures(
  run: Pick<Run, 'server' | 'phases' | 'printed'>,
): Pick<RunHead, 'serverLabel' | 'tps' | 'rowsPerSecond' | 'rows' | 'p99Us'> {
  const phases = knownPhases(run);
  const load = phases.find((phase) => phase.kind === 'load');
  const transactions = phases.find((phase) => phase.kind === 'transactions');
  const measured = phases.find((phase) => phase.kind !== 'initialize');
  return {
    serverLabel: run.server ? serverLabel(run.server) : (run.printed?.server ?? null),
    tps: transactions?.transactions?.tps ?? null,
    rowsPerSecond: load?.rowsPerSecond ?? null,
    rows: load?.rows ?? null,
    p99Us: (measured && wholeOperation(measured, measured.operations)?.latencyUs?.p99) ?? null,
  };
}

/** `PostgreSQL 17.5, TimescaleDB 2.19.3 (Apache)`; an edition called `plain` says nothing and is left out. */
function serverLabel(server: ServerDescription): string {
  const product = `${server.product} ${server.version}`.trim();
  return server.edition === '' || server.edition === 'plain' ? product : `${product}, ${server.edition}`;
}

/** Text for searching: case and compatibility forms (full-width letters, ligatures) do not matter. */
export function fold(text: string): string {
  return text.normalize('NFKC').toLowerCase();
}

/** Everything of a run that a search looks through. */
function haystack(head: RunHead, planName: string): string {
  return fold(
    [
      head.name,
      planName,
      head.targetName,
      head.engine,
      head.serverLabel ?? '',
      head.status,
      ...head.verdicts.map(({ code }) => code),
      ...head.tags,
      head.notes,
      head.id,
    ].join('\n'),
  );
}
