import type { Verdict, VerdictCode } from '../../src-shared/model/verdict.ts';
import { formatBytes } from '../../src-shared/units.ts';
import { type HealthEvidence, limits, percent, type RunEvidence } from './evidence.ts';

/** What the health of the host says of the figures; the rules stand in `evidence.ts`. */
export function healthVerdicts({ phases, health }: RunEvidence): Verdict[] {
  const startMs = phases[0]?.phase.startedMs ?? Number.POSITIVE_INFINITY;
  const measured = health.filter(({ atMs }) => atMs >= startMs);
  return [rebooted, throttled, underVoltage, swapping, diskFull].flatMap((rule) => rule(measured));
}

function rebooted(samples: readonly HealthEvidence[]): Verdict[] {
  const times = samples.filter(({ bootId }, i) => i > 0 && bootId !== samples[i - 1]?.bootId);
  if (times.length === 0) return [];
  const moments = times.map(({ atMs }) => clock(atMs)).join(', ');
  return verdict(
    'host-rebooted',
    `The host was started anew while the run was on: its boot id was another one at ${moments} of the run. Caches were empty after that, and what was not durable was lost.`,
    'Find out why it restarted (supply, watchdog, an update), and run it again.',
  );
}

function throttled(samples: readonly HealthEvidence[]): Verdict[] {
  const held = samples.filter((sample) => sample.throttled);
  if (held.length === 0) return [];
  const slowest = extreme(held, ({ clockMhz }) => clockMhz, Math.min);
  const hottest = extreme(held, ({ temperatureC }) => temperatureC, Math.max);
  const seen = [
    slowest === null ? '' : `, with its clock down to ${Math.round(slowest)} MHz`,
    hottest === null ? '' : `, at up to ${hottest.toFixed(1)} °C`,
  ].join('');
  return verdict(
    'throttled',
    `The host's firmware held its processor back during ${share(held, samples)}${seen}. No second of it is allowed for.`,
    'Cool it (a heat sink and moving air; it slows down from 80 °C on), look at its supply, and run it again.',
  );
}

function underVoltage(samples: readonly HealthEvidence[]): Verdict[] {
  const low = samples.filter((sample) => sample.underVoltage === true);
  if (low.length === 0) return [];
  return verdict(
    'under-voltage',
    `The host's supply was too low (under about 4.63 V) during ${share(low, samples)}. The firmware lowers the clock then; no second of it is allowed for.`,
    'Use the official supply for the board with a short cable, and give USB disks a supply of their own.',
  );
}

function swapping(samples: readonly HealthEvidence[]): Verdict[] {
  const bytes = samples.reduce((sum, sample) => sum + sample.swappedBytes, 0);
  if (bytes < limits.swappedBytes) return [];
  return verdict(
    'swapping',
    `The host was short of memory: ${formatBytes(bytes)} went to or from swap; the limit is ${formatBytes(limits.swappedBytes)}. Waiting for swap is part of the figures.`,
    'Give the database less memory (shared_buffers, work_mem), switch the desktop off, or use a board with more memory.',
  );
}

function diskFull(samples: readonly HealthEvidence[]): Verdict[] {
  const least = extreme(samples, ({ freeBytes }) => freeBytes, Math.min);
  if (least === null || least >= limits.freeBytes) return [];
  return verdict(
    'disk-full',
    `The host's disk was nearly full: ${formatBytes(least)} were free at the least; the limit is ${formatBytes(limits.freeBytes)}.`,
    'Free some space (old databases, Docker images, packages), or use a larger disk, and run it again.',
  );
}

const verdict = (code: VerdictCode, reason: string, advice: string): Verdict[] => [{ code, reason, advice }];

function extreme(
  samples: readonly HealthEvidence[],
  read: (sample: HealthEvidence) => number | null,
  choose: (a: number, b: number) => number,
): number | null {
  const values = samples.map(read).filter((value) => value !== null);
  return values.length === 0 ? null : values.reduce((a, b) => choose(a, b));
}

/** `12 s of the 120 s that were sampled (10 %)` */
function share(part: readonly HealthEvidence[], all: readonly HealthEvidence[]): string {
  const seconds = (samples: readonly HealthEvidence[]) =>
    samples.reduce((ms, { intervalMs }) => ms + intervalMs, 0) / 1000;
  return `${seconds(part).toFixed(0)} s of the ${seconds(all).toFixed(0)} s that were sampled (${percent(seconds(part) / seconds(all))})`;
}

/** `2:05` */
function clock(ms: number): string {
  const seconds = Math.floor(ms / 1000);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}
