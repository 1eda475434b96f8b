import type { ComparisonCell, ComparisonRow, Metric } from '../model/comparison.ts';
import { knownPhases, type PrintedOperation, type PrintedPhase } from '../model/printed.ts';
import type { Operation, Phase, Run } from '../model/run.ts';
import { isDistinct } from '../model/wholeOperation.ts';
import { judge, type Question } from './judge.ts';
import { geometricMean } from './ratio.ts';
import { mean } from './robust.ts';
import type { RecordingOf, Side } from './sides.ts';
import { unlikeFigures } from './unlikeFigures.ts';
import { mergedPercentile, withinRuns } from './within.ts';

const rate = { kind: 'rate', better: 'higher' } as const;
const latency = { kind: 'latency', unit: 'µs', better: 'lower' } as const;
const phaseMetrics = {
  rows: { key: 'rows', label: 'Rows per second', unit: 'rows/s', ...rate },
  metrics: { key: 'metrics', label: 'Metrics per second', unit: 'metrics/s', ...rate },
  visible: { key: 'visible', label: 'Rows per second until all can be queried', unit: 'rows/s', ...rate },
} satisfies Record<string, Metric>;
const tps: Metric = { key: 'operations', label: 'Transactions per second', unit: 'TPS', ...rate };
const seconds: Metric = { key: 'seconds', label: 'Duration', kind: 'seconds', unit: 's', better: 'lower' };
const operationRate: Metric = { key: 'operations', label: 'Queries per second', unit: 'queries/s', ...rate };
const fetchedRows: Metric = { key: 'fetchedRows', label: 'Rows fetched per second', unit: 'rows/s', ...rate };
const fetchedBytes: Metric = {
  key: 'fetchedBytes',
  label: 'Data fetched per second',
  unit: 'MiB/s',
  ...rate,
};
const firstRow: Metric = { key: 'firstRow', label: 'First row p50', ...latency };
const latencyMetrics = [
  { key: 'p50', label: 'Latency p50', ...latency },
  { key: 'p95', label: 'Latency p95', ...latency },
  { key: 'p99', label: 'Latency p99', ...latency },
  { key: 'mean', label: 'Latency mean', ...latency },
  { key: 'max', label: 'Latency max', ...latency },
] as const satisfies Metric[];
const retries: Metric = { key: 'retries', label: 'Retries', kind: 'count', unit: 'retries', better: 'lower' };
const errors: Metric = { key: 'errors', label: 'Errors', kind: 'count', unit: 'errors', better: 'lower' };

/** Name of the row that has all operations of a metric together. */
const togetherName = 'geometric mean';

interface Name {
  phase: string;
  operation: string | null;
}

/** What fetches have beside what every operation has; nothing of it is printed elsewhere. */
type Fetched = PrintedOperation &
  Partial<Pick<Operation, 'rows' | 'bytes' | 'readers' | 'cache' | 'firstRowUs'>>;

/** What a load has beside what is printed elsewhere. */
type Loaded = PrintedPhase & Partial<Pick<Phase, 'visible' | 'unanswered'>>;

const bytesPerMiB = 1024 * 1024;

/** A row before it is judged: which figure it has of a phase. */
interface RowSpec extends Name {
  metric: Metric;
  read(phase: Loaded, operation: Fetched | undefined): number | null;
}

export interface TableContext {
  sides: readonly Side[];
  base: number;
  /** Why a side cannot be compared with the base; null: it can. In the order of the sides. */
  broken: readonly (string | null)[];
  recordingOf: RecordingOf;
}

/**
 * Operations × sides, grouped by metric, each figure with its change against the base and its verdict. The verdicts of one
 * metric are a family. Where a metric has several operations, their geometric mean (Fleming & Wallace 1986) stands below.
 * Rows without any value are left out.
 */
export function buildTable(context: TableContext): ComparisonRow[] {
  const specs = rowSpecs(context.sides.flatMap(({ runs }) => runs));
  const metrics = [...new Set(specs.map(({ metric }) => metric))];
  return metrics.flatMap((metric) =>
    judged(
      metric,
      specs.filter((spec) => spec.metric === metric),
      context,
    ),
  );
}

function rowSpecs(runs: readonly Run[]): RowSpec[] {
  const loads = names(runs, (phase) =>
    phase.kind === 'load' ? [{ phase: phase.name, operation: null }] : [],
  );
  const operationsOf = (kinds: readonly PrintedPhase['kind'][]) =>
    names(runs, (phase) =>
      kinds.includes(phase.kind)
        ? phase.operations.map((operation) => ({ phase: phase.name, operation: operation.name }))
        : [],
    );
  const operations = operationsOf(['load', 'queries', 'transactions']);
  // What is printed elsewhere tells of making tables only how long it took in all.
  const whole = runs.some(({ printed }) => printed !== undefined)
    ? names(runs, (phase) => (phase.kind === 'initialize' ? [{ phase: phase.name, operation: null }] : []))
    : [];
  const rows = (of: readonly Name[], metric: Metric, read: RowSpec['read']) =>
    of.map((name): RowSpec => ({ ...name, metric, read }));
  const some = (rowsOf: RowSpec[]) =>
    rowsOf.filter((row) => runs.some((run) => (figureOf(run, row) ?? 0) > 0));
  return [
    ...rows(loads, phaseMetrics.rows, (phase) => phase.rowsPerSecond),
    ...rows(loads, phaseMetrics.metrics, (phase) => phase.metricsPerSecond),
    ...rows(loads, phaseMetrics.visible, (phase) => phase.visible?.rowsPerSecond ?? null),
    ...rows(operationsOf(['transactions']), tps, (_, operation) => operation?.perSecond ?? null),
    ...rows(operationsOf(['queries']), operationRate, (_, operation) => operation?.perSecond ?? null),
    ...rows(operationsOf(['queries']), fetchedRows, (_, operation) => fetched(operation, operation?.rows)),
    ...rows(operationsOf(['queries']), fetchedBytes, (_, operation) => {
      const bytes = fetched(operation, operation?.bytes);
      return bytes === null ? null : bytes / bytesPerMiB;
    }),
    ...rows(operationsOf(['queries']), firstRow, (_, operation) => operation?.firstRowUs?.p50 ?? null),
    ...rows(whole, seconds, (phase) => phase.seconds),
    ...rows(operationsOf(['initialize']), seconds, (_, operation) => operation?.seconds ?? null),
    ...latencyMetrics.flatMap((metric) =>
      rows(operations, metric, (_, operation) => operation?.latencyUs?.[metric.key] ?? null),
    ),
    ...some(rows(operations, errors, (_, operation) => operation?.errors ?? null)),
    ...some(
      rows(
        names(runs, (phase) => (phase.transactions ? [{ phase: phase.name, operation: null }] : [])),
        retries,
        (phase) => phase.transactions?.retries ?? null,
      ),
    ),
  ];
}

/** So much a second, only of fetches. */
function fetched(operation: Fetched | undefined, amount: number | undefined): number | null {
  if (operation?.readers === undefined || amount === undefined) return null;
  return operation.seconds ? amount / operation.seconds : null;
}

function figureOf(run: Run, { phase: name, operation, read }: RowSpec): number | null {
  const phase = knownPhases(run).find((each) => each.name === name);
  return phase
    ? read(
        phase,
        phase.operations.find((each) => each.name === operation),
      )
    : null;
}

/** The row of a metric with the figure of each run that has it, by side. */
interface Figures extends Name {
  name: string;
  /** null: of several operations together. */
  spec: RowSpec | null;
  values: number[][];
}

function judged(metric: Metric, specs: readonly RowSpec[], context: TableContext): ComparisonRow[] {
  const single = specs
    .map(
      (spec): Figures => ({
        phase: spec.phase,
        operation: spec.operation,
        name: spec.operation === null ? spec.phase : `${spec.phase} · ${spec.operation}`,
        spec,
        values: context.sides.map(({ runs }) => runs.flatMap((run) => figureOf(run, spec) ?? [])),
      }),
    )
    .filter(({ values }) => values.flat().length > 0);
  const rows = [
    ...single,
    ...together(
      metric,
      single,
      context.sides.flatMap(({ runs }) => runs),
    ),
  ];
  const questions: Question[] = [];
  const asked = rows.map((row) =>
    context.sides.map((_, side) => {
      const question = questionOf(metric, row, side, context);
      if (question !== null) questions.push(question);
      return question;
    }),
  );
  const verdicts = judge(questions);
  return rows.map(({ phase, operation, name, spec, values }, r) => {
    const figures = context.sides.map(({ runs }, side) =>
      figure(metric, spec, values[side] ?? [], runs, context.recordingOf),
    );
    const reference = figures[context.base] ?? null;
    const cells = figures.map((value, side): ComparisonCell => {
      const question = asked[r]?.[side] ?? null;
      return {
        value,
        values: values[side] ?? [],
        delta:
          side === context.base ||
          value === null ||
          reference === null ||
          reference === 0 ||
          (growsWithRuns(metric) && values[side]?.length !== values[context.base]?.length)
            ? null
            : value / reference - 1,
        verdict: question === null ? null : (verdicts[questions.indexOf(question)] ?? null),
      };
    });
    return { phase, operation, name, metric, cells };
  });
}

/** What is larger of more runs, whatever they are. */
function growsWithRuns({ kind, key }: Metric): boolean {
  return kind === 'count' || key === 'max';
}

/** Highest of all, percentile of all values where they are at hand, else the mean of the runs' figures. */
function figure(
  metric: Metric,
  spec: RowSpec | null,
  values: readonly number[],
  runs: readonly Run[],
  recordingOf: RecordingOf,
): number | null {
  if (values.length === 0) return null;
  if (metric.key === 'max') return Math.max(...values);
  if (metric.kind === 'count') return values.reduce((sum, value) => sum + value, 0);
  const merged =
    spec === null || values.length < 2 ? null : mergedPercentile(metric, spec, runs, recordingOf);
  return merged ?? mean(values);
}

/** One row more where every run has the figure of several operations: of each run their geometric mean. */
function together(metric: Metric, all: readonly Figures[], runs: readonly Run[]): Figures[] {
  // What has others of them in it once more would count them twice.
  const rows = all.filter(({ phase, operation }) => !hasParts(runs, { phase, operation }));
  if (rows.length < 2 || growsWithRuns(metric)) return [];
  // Fetches by one reader and by eight, cold and warm ones, are never one figure.
  if (runs.some((run) => rows.some(({ spec }) => spec !== null && isFetch(run, spec)))) return [];
  const [first] = rows;
  const whole = first?.values.every((of, side) =>
    rows.every(({ values }) => values[side]?.length === of.length),
  );
  const positive = rows.every(({ values }) => values.flat().every((value) => value > 0));
  if (first === undefined || !whole || !positive) return [];
  const values = first.values.map((of, side) =>
    of.map((_, run) => geometricMean(rows.flatMap((row) => row.values[side]?.[run] ?? []))),
  );
  return [{ phase: '', operation: null, name: togetherName, spec: null, values }];
}

/** Whether an operation merges others that stand beside it: all query types, warm ones, the transactions of all scripts. */
function hasParts(runs: readonly Run[], { phase, operation: name }: Name): boolean {
  return runs.some((run) => {
    const found = knownPhases(run).find((each) => each.name === phase);
    if (found === undefined || name === null) return false;
    if (found.kind !== 'transactions') return !isDistinct({ name });
    return found.operations.length > 1 && found.operations[0]?.name === name;
  });
}

function isFetch(run: Run, { phase, operation }: Name): boolean {
  const operations = run.phases.find(({ name }) => name === phase)?.operations ?? [];
  return operations.some(({ name, readers }) => name === operation && readers !== undefined);
}

function questionOf(
  metric: Metric,
  { spec, values }: Figures,
  side: number,
  { sides, base, broken, recordingOf }: TableContext,
): Question | null {
  const [under, over] = [values[base] ?? [], values[side] ?? []];
  if (side === base || growsWithRuns(metric)) return null;
  if (under.length === 0 || over.length === 0) return null;
  const [baseRuns, sideRuns] = [sides[base]?.runs ?? [], sides[side]?.runs ?? []];
  const unlike = spec === null ? null : unlikeFigures(metric, spec, baseRuns, sideRuns);
  return {
    metric,
    base: under,
    side: over,
    broken: broken[side] ?? unlike,
    ...(spec !== null && withinRuns(metric, spec, baseRuns, sideRuns, recordingOf)),
  };
}

/** Each name once, in the order in which the runs have them. */
function names(runs: readonly Run[], of: (phase: PrintedPhase) => Name[]): Name[] {
  const found = new Map<string, Name>();
  for (const run of runs) {
    for (const name of knownPhases(run).flatMap(of)) found.set(JSON.stringify(name), name);
  }
  return [...found.values()];
}
