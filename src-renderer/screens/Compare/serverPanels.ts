import { compareWaits, type WaitComparison } from '../../../src-shared/stats/compareWaits.ts';
import { waitProfile } from '../../../src-shared/stats/waits.ts';
import { formatRate } from '../../../src-shared/units.ts';
import { type Band, formatTick, type Panel } from '../../charts/panel.ts';
import { createServerline, type ServerColumn, type Serverline } from '../../state/serverline.ts';
import { type OverlaySpec, overlay, samplesOf } from './overlay.ts';
import type { Part, Recording } from './panels.ts';

const megabytes = {
  unit: 'MB/s',
  format: formatRate,
  formatAxis: formatTick,
};

const specs: readonly OverlaySpec<ServerColumn>[] = [
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
  const servers = recordings.map((recording) => serverOf(recording, part));
  const waits = compareWaits(servers.map(({ samples }) => waitProfile(samples)));
  return { ...overlay(recordings, servers, specs), waits };
}

function serverOf(recording: Recording, part: Part): Serverline {
  const line = createServerline();
  const { fromMs, samples } = samplesOf(recording.server, recording, part);
  const shift = (ms: number) => Math.max(0, ms - fromMs);
  for (const sample of samples) {
    line.append({
      ...sample,
      checkpoints: sample.checkpoints.map((each) => ({
        ...each,
        startMs: shift(each.startMs),
        endMs: each.endMs === null ? null : shift(each.endMs),
      })),
    });
  }
  return line;
}
