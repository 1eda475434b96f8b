import { knownPhases, type Printed, printedSchema } from '../../../src-shared/model/printed.ts';
import { type Reference, referenceFileFormat } from '../../../src-shared/model/reference.ts';
import type { Phase, Run } from '../../../src-shared/model/run.ts';
import { perSecond } from '../../../src-shared/stats/rates.ts';
import { formatBytes, formatCounted, formatRate } from '../../../src-shared/units.ts';
import type { ExportFormat, RunRecord } from './format.ts';

/** The figures alone, for others to stand beside their own: see docs/references.md. */
export const referenceFormat: ExportFormat = {
  id: 'reference',
  label: 'Reference (JSON)',
  description: 'The figures and what they were measured on, to be published and imported by others',
  extension: 'json',
  mediaType: 'application/json',
  most: 50,
  write(records, { toolVersion }) {
    const file = {
      format: referenceFileFormat,
      version: 1,
      references: records.map((record) => referenceOf(record, toolVersion)),
    };
    return `${JSON.stringify(file, null, 2)}\n`;
  },
};

function referenceOf({ run, series }: RunRecord, toolVersion: string): Reference {
  return {
    name: run.name,
    machine: machineOf(run).slice(0, 80),
    engine: run.engine,
    // The target is of this workbench; whoever imports it has another.
    plan: { ...run.plan, target: 'sandbox' },
    printed: run.printed ?? printedOf(run, series, toolVersion),
  };
}

const machineOf = (run: Run) => run.host?.before?.model.value ?? run.targetName;

function printedOf(run: Run, series: RunRecord['series'], toolVersion: string): Printed {
  const { client, host, server } = run;
  const board = host?.before;
  const hardware = [
    board?.model.value,
    board?.memoryBytes.value == null ? null : formatBytes(board.memoryBytes.value),
    board?.root.kind.value,
    board?.os.value,
  ].filter(Boolean);
  return printedSchema.parse({
    source: {
      title: run.name,
      date: run.startedAt.slice(0, 10),
      program: `Benchberry ${client?.toolVersion ?? toolVersion}`,
    },
    hardware: hardware.length > 0 ? hardware.join(', ') : null,
    server: run.serverLabel,
    loader:
      client && `${client.cpu}, ${formatCounted(client.cores, 'core')}, ${formatBytes(client.memoryBytes)}`,
    phases: knownPhases(run),
    series: ratesOf(run, series),
    facts: [
      ...run.phases.flatMap(loadFacts),
      ...(server?.settings ?? []).map(({ name, value, unit }) => ({
        name,
        value: [value, unit].filter(Boolean).join(' '),
      })),
    ],
    missing: board ? [] : ['The machine of the server'],
  });
}

/** What the rate of a load means that is not of rows which were acknowledged and could be queried at once. */
function loadFacts({ name, unanswered, visible }: Phase): Printed['facts'] {
  const fact = (value: string) => ({ name: `Rows of ${name}`, value });
  return [
    ...(unanswered ? [fact('counted when they were sent: the server answers nothing to them')] : []),
    ...(visible
      ? [
          fact(
            `all could be queried after ${visible.seconds.toFixed(1)} s, ${formatRate(visible.rowsPerSecond)} rows/s`,
          ),
        ]
      : []),
    ...(visible === null ? [fact('not all could be queried in time')] : []),
  ];
}

/** Rows a second of loads and transactions a second, as they came. */
function ratesOf(run: Run, { ticks }: RunRecord['series']): Printed['series'] {
  return run.phases.flatMap(({ index, name, kind, startedMs }) => {
    if (kind !== 'load' && kind !== 'transactions') return [];
    const load = kind === 'load';
    const points = ticks.flatMap((tick): [number, number][] => {
      const [operation] = tick.operations;
      if (tick.phase !== index || operation === undefined) return [];
      const rate = perSecond(load ? operation.rows : operation.count, tick.intervalMs);
      return [[Math.max(0, tick.atMs - startedMs) / 1000, rate]];
    });
    if (points.length === 0) return [];
    const [label, unit] = load ? ['Rows written', 'rows/s'] : ['Transactions', 'TPS'];
    return [{ phase: name, label: label ?? '', unit: unit ?? '', points }];
  });
}
