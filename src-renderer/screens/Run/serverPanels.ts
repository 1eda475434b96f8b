import { type WaitClass, waitClasses, waitClassLabels } from '../../../src-shared/stats/waits.ts';
import { formatCount, formatRate } from '../../../src-shared/units.ts';
import { type ChartSeries, dashes, formatTick, type Panel, runColor } from '../../charts/panel.ts';
import type { ServerColumn, Serverline } from '../../state/serverline.ts';

/** Each class has its colour wherever it is shown. */
export const waitColors: Record<WaitClass, string> = {
  cpu: 'var(--chart-3)',
  locks: 'var(--chart-2)',
  wal: 'var(--chart-1)',
  files: 'var(--chart-6)',
  internal: 'var(--chart-4)',
  client: 'var(--quiet)',
};

type Spec = Omit<Panel, 'series' | 'scale'> & {
  columns: readonly (readonly [column: ServerColumn, label: string])[];
  /** Shown only where one of its columns was above this. */
  above?: number;
};
const megabytes = {
  unit: 'MB/s',
  format: formatRate,
  formatAxis: formatTick,
};

const specs: readonly Spec[] = [
  {
    id: 'server-pending',
    title: 'Log (WAL) to be applied',
    unit: 'transactions',
    format: formatCount,
    whole: true,
    columns: [['pendingTransactions', 'transactions']],
    help: 'Rows are acknowledged when they are in the log (WAL); the server applies them to the tables after that, and only then can they be queried. Looked at once a second, of all tables.',
  },
  {
    id: 'server-pending-rows',
    title: 'Rows to be applied',
    unit: 'rows',
    format: formatCount,
    whole: true,
    columns: [['pendingRows', 'rows']],
    help: 'Rows in the log (WAL) that are not in the tables yet, as the server counts them once a second, about.',
  },
  {
    id: 'server-memory',
    title: 'Memory of the server',
    unit: 'MB',
    format: formatCount,
    columns: [
      ['residentMemory', 'in memory'],
      ['usedMemory', 'taken, mapped files included'],
    ],
    help: 'In memory: what of the process is in memory now. Taken: what the server has asked for by itself, files that it maps included, whether they are in memory or not.',
  },
  {
    id: 'server-wal',
    title: 'Log written (WAL)',
    ...megabytes,
    columns: [
      ['walBytes', 'all'],
      ['walPages', 'whole pages, at most'],
    ],
    help: "How far the server's log (WAL) has moved in the interval ÷ its length, of all databases. The first change of a page after a checkpoint has begun puts the whole page into the log: that part is highest then and falls until the next one.",
  },
  {
    id: 'server-hit',
    title: 'Found in the cache',
    unit: '% of pages asked for',
    format: (value) => `${value.toFixed(1)} %`,
    formatAxis: (value) => `${value} %`,
    atLeast: 100,
    columns: [['hit', 'shared buffers']],
    help: 'Pages of this database that were in shared_buffers ÷ pages asked for, in the interval. A page that was not there may still come from the memory of the operating system. The server publishes these counts about once a second, at the end of a transaction.',
  },
  {
    id: 'server-io',
    title: 'Server reads and writes',
    ...megabytes,
    columns: [
      ['read', 'read'],
      ['checkpointer', 'written by checkpoints'],
      ['backgroundWriter', 'by the background writer'],
      ['backends', 'by the sessions themselves'],
    ],
    help: 'Of data files, as the server counts them (pg_stat_io from PostgreSQL 16 on, pages × 8 KiB before; from 17 on without what older ones tell). What the operating system keeps in memory counts as well.',
  },
  {
    id: 'server-queue',
    title: 'Sessions in a queue for a lock',
    unit: 'sessions',
    format: formatCount,
    whole: true,
    above: 0,
    columns: [['blocked', 'waiting']],
    help: 'Sessions of the run whose lock was not granted, once a second (pg_locks).',
  },
  {
    id: 'server-temporary',
    title: 'Temporary files',
    ...megabytes,
    above: 0,
    columns: [['temporary', 'written']],
    help: 'What did not fit into work_mem and went to a file, in the interval ÷ its length. Counted when the statement has ended.',
  },
];

/** The panels of a run's database server: those that it has told something for. */
export function serverPanels(server: Serverline): Panel[] {
  if (server.last === null) return [];
  const looked = server.samples.some(({ waits: { samples } }) => samples > 0);
  return [...(looked ? [waits(server)] : []), ...specs.flatMap((spec) => panelOf(server, spec))];
}

function waits(server: Serverline): Panel {
  return {
    id: 'server-waits',
    title: "What the server's sessions do",
    unit: 'sessions',
    scale: 'linear',
    stacked: true,
    format: formatRate,
    formatAxis: formatTick,
    series: waitClasses.map((key) => ({
      key,
      label: waitClassLabels[key],
      color: waitColors[key],
      dash: '',
      data: server.series(key),
    })),
    help: "The run's own sessions are looked at ten times a second (pg_stat_activity): at work, or what they wait for. Shown is how many were found in each on average. Sessions between two transactions are left out; those that wait for the client within one are not.",
  };
}

function panelOf(server: Serverline, { columns, above, ...panel }: Spec): Panel[] {
  if (!columns.some(([name]) => server.has(name, above))) return [];
  const series = columns
    .filter(([name]) => server.has(name))
    .map(
      ([key, label], i): ChartSeries => ({
        key,
        label,
        color: runColor(0),
        dash: dashes[i] ?? '',
        data: server.series(key),
      }),
    );
  return [{ ...panel, scale: 'linear', series }];
}
