import type { Plan } from '../../../src-shared/model/plan.ts';
import type {
  Printed,
  PrintedLatency,
  PrintedOperation,
  PrintedPhase,
} from '../../../src-shared/model/printed.ts';

/** A run as another program has printed it. */
export interface ReadReport {
  name: string;
  /** Id in the registry of engines; empty where the report does not tell. */
  engine: string;
  /** What was run, as far as the report tells: the steps of a plan that does the same. */
  steps: Plan['steps'];
  printed: Printed;
}

const noLatency: PrintedLatency = {
  min: null,
  mean: null,
  p50: null,
  p90: null,
  p95: null,
  p99: null,
  p999: null,
  max: null,
  stddev: null,
};

/** The latency where at least one of its figures is told. */
export function latencyOf(told: Partial<PrintedLatency>): PrintedLatency | null {
  return Object.values(told).every((figure) => figure === null) ? null : { ...noLatency, ...told };
}

export function operationOf(name: string, told: Partial<PrintedOperation>): PrintedOperation {
  return { name, count: null, errors: null, perSecond: null, seconds: null, latencyUs: null, ...told };
}

export function phaseOf(name: string, kind: PrintedPhase['kind'], told: Partial<PrintedPhase>): PrintedPhase {
  return {
    name,
    kind,
    workers: null,
    rows: null,
    metrics: null,
    seconds: null,
    rowsPerSecond: null,
    metricsPerSecond: null,
    operations: [],
    ...told,
  };
}

/** A figure as programs print it; null for everything else, NaN and infinities among it. */
export function figureOf(text: string | undefined): number | null {
  if (text === undefined || !/^\d+(?:\.\d+)?(?:[eE][+-]?\d+)?$/.test(text)) return null;
  const value = Number(text);
  return Number.isFinite(value) ? value : null;
}

/** A count that fits into a whole number. */
export function countOf(text: string | undefined): number | null {
  const value = figureOf(text);
  return value !== null && Number.isSafeInteger(value) ? value : null;
}

/** ms → µs; printed figures have few digits, so that µs are rounded to thousandths. */
export function msToUs(ms: number | null): number | null {
  return ms === null ? null : Math.round(ms * 1e6) / 1000;
}

/** Those that are told. */
export function told(
  values: Readonly<Record<string, string | number | null>>,
): Record<string, string | number> {
  return Object.fromEntries(
    Object.entries(values).flatMap(([key, value]) => (value === null ? [] : [[key, value]])),
  );
}

export function facts(values: Readonly<Record<string, string | null | undefined>>): Printed['facts'] {
  return Object.entries(values).flatMap(([name, value]) => (value ? [{ name, value }] : []));
}
