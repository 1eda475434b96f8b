import { compareWaits, type WaitComparison } from '../../../src-shared/stats/compareWaits.ts';
import { waitProfile } from '../../../src-shared/stats/waits.ts';
import { formatRate } from '../../../src-shared/units.ts';
import { type Band, formatTick, type Panel, runColor } from '../../charts/panel.ts';
import { createServerline, type ServerColumn, type Serverline } from '../../state/serverline.ts';
import { type Part, partSpan, type Recording } from './panels.ts';

type Spec = Omit<Panel, 'series' | 'scale'> & { column: ServerColumn };

const megabytes = {
  unit: 'MB/s',
  format: formatRate,
  formatAxis: formatTick,
};

const specs: readonly Spec[] = [
  {
    id: 'server-waiting',
    column: 'waiting',
    title: 'Sessions waiting in the server',
    unit: 'sessions',
    format: formatRate,
    formatAxis: formatTick,
    help: 'Sessions of the run that waited for locks, the log, data files or another thing of the server, on average of ten looks a second. Those at work and those that waited for the client are left out.',
  },
  {
    id: 'server-wal',
    column: 'walBytes',
    title: 'Log written (WAL)',
    ...megabytes,
    help: "How far the server's log (WAL) has moved in the interval ÷ its length.",
  },
  {
    id: 'server-hit',
    column: 'hit',
    title: 'Found in the cache',
    unit: '% of pages asked for',
    format: (value) => `${value.toFixed(1)} %`,
    formatAxis: (value) => `${value} %`,
    atLeast: 100,
    help: 'Pages of the database that were in shared_buffers ÷ pages asked for, in the interval.',
  },
  {
    id: 'server-checkpointer',
    column: 'checkpointer',
    title: 'Written by checkpoints',
    ...megabytes,
    help: 'Pages that the checkpointer handed to the operating system, in the interval ÷ its length.',
  },
];

/** The servers of the runs over each other, on the time since the part began, when each had its checkpoints, and its waits. */
export function serverPanels(
  recordings: readonly Recording[],
  part: Part,
): { panels: Panel[]; bands: Band[]; waits: WaitComparison[] } {
  const servers = recordings.map((recording, i) => ({
    key: recording.run.id,
    label: recording.label,
    color: runColor(i),
    server: serverOf(recording, part),
  }));
  const panels = specs.map(({ column, ...panel }): Panel => {
    const series = servers
      .filter(({ server }) => server.has(column))
      .map(({ key, label, color, server }) => ({ key, label, color, dash: '', data: server.series(column) }));
    return { ...panel, scale: 'linear', series };
  });
  const bands = servers.flatMap(({ label, color, server }) =>
    server.bands.map((band) => ({ ...band, owner: { label, color } })),
  );
  const waits = compareWaits(servers.map(({ server }) => waitProfile(server.samples)));
  return { panels: panels.filter(({ series }) => series.length > 0), bands, waits };
}

function serverOf(recording: Recording, part: Part): Serverline {
  const line = createServerline();
  const span = partSpan(recording, part);
  if (span === null) return line;
  const shift = (ms: number) => Math.max(0, ms - span.fromMs);
  for (const sample of recording.server) {
    if (sample.atMs <= span.fromMs || sample.atMs > span.toMs) continue;
    const atMs = sample.atMs - span.fromMs;
    line.append({
      ...sample,
      atMs,
      intervalMs: Math.min(sample.intervalMs, atMs),
      checkpoints: sample.checkpoints.map((each) => ({
        ...each,
        startMs: shift(each.startMs),
        endMs: each.endMs === null ? null : shift(each.endMs),
      })),
    });
  }
  return line;
}
