import { formatBytes, formatRate } from '../../../src-shared/units.ts';
import { type ChartSeries, dashes, formatTick, type Panel, runColor } from '../../charts/panel.ts';
import type { HealthColumn, Healthline } from '../../state/healthline.ts';

type Names = readonly (readonly [column: HealthColumn, label: string])[];
type Spec = Omit<Panel, 'series' | 'scale'> & { columns: Names };

const percent = {
  format: (value: number) => `${value.toFixed(1)} %`,
  formatAxis: (value: number) => `${value} %`,
  atLeast: 100,
};
const mebibytes = {
  unit: 'MiB',
  format: (value: number) => formatBytes(value * 2 ** 20),
  formatAxis: formatTick,
};
const megabytes = {
  unit: 'MB/s',
  format: (value: number) => `${formatRate(value)} MB/s`,
  formatAxis: formatTick,
};

const specs: readonly Spec[] = [
  {
    id: 'host-cpu',
    title: 'Host CPU',
    unit: '% of all cores',
    ...percent,
    columns: [
      ['user', 'user'],
      ['system', 'system'],
      ['wait', 'waiting for disk'],
      ['irq', 'interrupts'],
    ],
    help: 'Shares of the clock ticks of all cores in the interval, from /proc/stat. Waiting for disk: a core was idle because a request was under way.',
  },
  {
    id: 'host-temperature',
    title: 'Host temperature',
    unit: '°C',
    format: (value) => `${value.toFixed(1)} °C`,
    formatAxis: (value) => `${value} °C`,
    atLeast: 85,
    columns: [['temperature', 'processor']],
    help: "The kernel's thermal zone of the processor. A Raspberry Pi slows down from 80 °C on and holds back hard at 85 °C.",
  },
  {
    id: 'host-clock',
    title: 'Host clock',
    unit: 'MHz',
    format: (value) => `${formatRate(value)} MHz`,
    formatAxis: formatTick,
    columns: [['clock', 'first core']],
    help: 'What the firmware runs the cores at, read every five seconds. Where the firmware cannot be asked it is what Linux asked for, in which throttling does not show.',
  },
  {
    id: 'host-memory',
    title: 'Host memory',
    ...mebibytes,
    columns: [
      ['memory', 'memory'],
      ['swap', 'swap'],
    ],
    help: 'Memory in use: all less what could be had without swapping (MemAvailable). Swap in use: SwapTotal less SwapFree.',
  },
  {
    id: 'host-swap',
    title: 'Host swapping',
    ...megabytes,
    columns: [
      ['swapIn', 'in'],
      ['swapOut', 'out'],
    ],
    help: 'Pages to and from swap in the interval × page size ÷ its length.',
  },
  {
    id: 'host-disk',
    title: 'Host disk',
    ...megabytes,
    columns: [
      ['writeBytes', 'written'],
      ['readBytes', 'read'],
    ],
    help: 'Sectors of the whole device × 512 bytes ÷ length of the interval.',
  },
  {
    id: 'host-requests',
    title: 'Host disk requests',
    unit: 'requests/s',
    format: formatRate,
    formatAxis: formatTick,
    columns: [
      ['writes', 'writes'],
      ['reads', 'reads'],
    ],
    help: 'Requests that the device completed ÷ length of the interval. Requests that were merged count as one.',
  },
  {
    id: 'host-busy',
    title: 'Host disk busy',
    unit: '% of the time',
    ...percent,
    columns: [['diskBusy', 'with a request under way']],
    help: 'Share of the interval in which at least one request was under way. An SD card at 100 % is at its limit; an NVMe disk may do more yet.',
  },
  {
    id: 'host-network',
    title: 'Host network',
    ...megabytes,
    columns: [
      ['received', 'received'],
      ['sent', 'sent'],
    ],
    help: 'Of the network device that the workbench reaches the host by, everything on it included.',
  },
  {
    id: 'host-pressure',
    title: 'Host pressure',
    unit: '% of the time',
    ...percent,
    columns: [
      ['pressureCpu', 'CPU'],
      ['pressureIo', 'disk'],
      ['pressureMemory', 'memory'],
    ],
    help: 'Share of the interval in which at least one task waited for it, from /proc/pressure. Raspberry Pi kernels have it only with psi=1 on their command line.',
  },
];

/** The panels of a run's host: those that it has told something for. Swapping is shown only where there was some. */
export function hostPanels(health: Healthline): Panel[] {
  return specs
    .map(({ columns, ...panel }): Panel => {
      const least = panel.id === 'host-swap' ? 0 : undefined;
      return { ...panel, scale: 'linear', series: lines(health, columns, least) };
    })
    .filter(({ series }) => series.length > 0);
}

function lines(health: Healthline, columns: Names, above: number | undefined): ChartSeries[] {
  if (!columns.some(([name]) => health.has(name, above))) return [];
  return columns
    .filter(([name]) => health.has(name))
    .map(([key, label], i) => ({
      key,
      label,
      color: runColor(0),
      dash: dashes[i] ?? '',
      data: health.series(key),
    }));
}
