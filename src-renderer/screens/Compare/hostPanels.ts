import { formatRate } from '../../../src-shared/units.ts';
import { type Band, formatTick, type Panel } from '../../charts/panel.ts';
import { createHealthline, type HealthColumn, type Healthline } from '../../state/healthline.ts';
import { type OverlaySpec, overlay, samplesOf } from './overlay.ts';
import type { Part, Recording } from './panels.ts';

const percent = {
  format: (value: number) => `${value.toFixed(1)} %`,
  formatAxis: (value: number) => `${value} %`,
  atLeast: 100,
};

const specs: readonly OverlaySpec<HealthColumn>[] = [
  {
    id: 'host-cpu',
    column: 'busy',
    title: 'Host CPU',
    unit: '% of all cores',
    ...percent,
    help: 'Share of the clock ticks of all cores that were neither idle nor waiting for the disk.',
  },
  {
    id: 'host-wait',
    column: 'wait',
    title: 'Host waiting for disk',
    unit: '% of all cores',
    ...percent,
    help: 'Share of the clock ticks of all cores in which a core was idle because a request was under way.',
  },
  {
    id: 'host-temperature',
    column: 'temperature',
    title: 'Host temperature',
    unit: '°C',
    format: (value) => `${value.toFixed(1)} °C`,
    formatAxis: (value) => `${value} °C`,
    atLeast: 85,
    help: 'A Raspberry Pi slows down from 80 °C on and holds back hard at 85 °C.',
  },
  {
    id: 'host-clock',
    column: 'clock',
    title: 'Host clock',
    unit: 'MHz',
    format: (value) => `${formatRate(value)} MHz`,
    formatAxis: formatTick,
    help: 'What the firmware runs the cores at, read every five seconds; where it cannot be asked, what Linux asked for.',
  },
  {
    id: 'host-disk',
    column: 'writeBytes',
    title: 'Host disk written',
    unit: 'MB/s',
    format: (value) => `${formatRate(value)} MB/s`,
    formatAxis: formatTick,
    help: 'Sectors written to the whole device × 512 bytes ÷ length of the interval.',
  },
  {
    id: 'host-busy',
    column: 'diskBusy',
    title: 'Host disk busy',
    unit: '% of the time',
    ...percent,
    help: 'Share of the interval in which at least one request was under way.',
  },
];

/**
 * The hosts of the runs over each other, on the time since the part began, and when each was held back. Empty where no run
 * has a host whose health was sampled.
 */
export function hostPanels(recordings: readonly Recording[], part: Part): { panels: Panel[]; bands: Band[] } {
  const hosts = recordings.map((recording) => healthOf(recording, part));
  return overlay(recordings, hosts, specs);
}

function healthOf(recording: Recording, part: Part): Healthline {
  const line = createHealthline();
  for (const sample of samplesOf(recording.health, recording, part).samples) line.append(sample);
  return line;
}
