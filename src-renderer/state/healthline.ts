import { type HealthSample, heldBack } from '../../src-shared/model/host.ts';
import { gapMs } from '../../src-shared/stats/rates.ts';
import type { Series } from '../../src-shared/stats/series.ts';
import type { Band } from '../charts/panel.ts';
import { createSampleline } from './sampleline.ts';

const nothing = Number.NaN;
const mega = 1e6;
const mebi = 2 ** 20;
/** What a chart draws of a sample; NaN where the host does not tell. */
const readers = {
  /** Percent of all cores. */
  user: ({ cpu }) => cpu.user * 100,
  system: ({ cpu }) => cpu.system * 100,
  wait: ({ cpu }) => cpu.wait * 100,
  irq: ({ cpu }) => cpu.irq * 100,
  steal: ({ cpu }) => cpu.steal * 100,
  busy: ({ cpu }) => (1 - cpu.idle - cpu.wait) * 100,
  temperature: ({ temperatureC }) => temperatureC ?? nothing,
  clock: ({ clockMhz }) => clockMhz ?? nothing,
  /** MiB. */
  memory: ({ memory }) => (memory.totalBytes - memory.availableBytes) / mebi,
  swap: ({ memory }) => memory.swapUsedBytes / mebi,
  /** MB/s. */
  swapIn: ({ memory }) => memory.swapInBytesPerSecond / mega,
  swapOut: ({ memory }) => memory.swapOutBytesPerSecond / mega,
  readBytes: ({ disk }) => (disk?.readBytesPerSecond ?? nothing) / mega,
  writeBytes: ({ disk }) => (disk?.writeBytesPerSecond ?? nothing) / mega,
  reads: ({ disk }) => disk?.readsPerSecond ?? nothing,
  writes: ({ disk }) => disk?.writesPerSecond ?? nothing,
  diskBusy: ({ disk }) => (disk?.busy ?? nothing) * 100,
  received: ({ network }) => (network?.receivedBytesPerSecond ?? nothing) / mega,
  sent: ({ network }) => (network?.sentBytesPerSecond ?? nothing) / mega,
  pressureCpu: ({ pressure }) => (pressure?.cpu ?? nothing) * 100,
  pressureIo: ({ pressure }) => (pressure?.io ?? nothing) * 100,
  pressureMemory: ({ pressure }) => (pressure?.memory ?? nothing) * 100,
} as const satisfies Record<string, (sample: HealthSample) => number>;
export type HealthColumn = keyof typeof readers;
const names = Object.keys(readers).filter((name): name is HealthColumn => name in readers);

/** A host's health samples as columns, outside React. Time in which nothing was sampled is a gap. */
export interface Healthline {
  /** One that is not after the last is passed over: it is there already. */
  append(sample: HealthSample): void;
  series(name: HealthColumn): Series;
  /** Whether the host has told it at least once; with `above`, once more than that. */
  has(name: HealthColumn, above?: number): boolean;
  /** Times of throttling and under-voltage. */
  readonly bands: readonly Band[];
  readonly last: HealthSample | null;
  /** Highest temperature so far, °C; NaN where it is not known. */
  readonly hottest: number;
}

export function createHealthline(capacity?: number): Healthline {
  const line = createSampleline<HealthSample, HealthColumn>(readers, names, capacity);
  let bands: readonly Band[] = [];
  return {
    append(sample) {
      if (line.append(sample)) bands = withSample(bands, sample);
    },
    series: line.series,
    has: line.has,
    get bands() {
      return bands;
    },
    get last() {
      return line.last;
    },
    get hottest() {
      return line.most('temperature');
    },
  };
}

/** Whether the firmware holds the processor back: the rule of the verdict. */
export function isThrottled({ throttle }: HealthSample): boolean {
  return throttle !== null && heldBack(throttle);
}

/** A new list where the sample makes a band or makes one longer, so that only then everything is drawn again. */
function withSample(bands: readonly Band[], sample: HealthSample): readonly Band[] {
  const found: Band['kind'][] = [];
  if (isThrottled(sample)) found.push('throttled');
  if (sample.underVoltage === true) found.push('under-voltage');
  const fromMs = sample.atMs - sample.intervalMs;
  if (found.length === 0) return bands;
  const grown = [...bands];
  for (const kind of found) {
    const i = grown.findLastIndex((band) => band.kind === kind);
    const before = grown[i];
    if (before !== undefined && fromMs - before.toMs <= gapMs) grown[i] = { ...before, toMs: sample.atMs };
    else grown.push({ kind, fromMs, toMs: sample.atMs });
  }
  return grown;
}
