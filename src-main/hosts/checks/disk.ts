import type { MachineCheck } from '../../../src-shared/model/host.ts';
import { formatCount, formatLatency } from '../../../src-shared/units.ts';
import { diskUnder, parseDisks, parseLsblk, parseRoot, type StorageKind } from '../inventory/storage.ts';
import type { Survey } from '../inventory/survey.ts';
import { firstMatch, linesOf, numberOf } from '../inventory/text.ts';
import { check, type Finding, figure, unknown } from './check.ts';

/** Durations in µs of single operations. */
export interface Times {
  count: number;
  mean: number;
  median: number;
  p95: number;
  max: number;
}

/** MB/s (10⁶) of the last line of `dd`; null where it was stopped before it had moved anything. */
export function parseDd(text: string): number | null {
  const found = linesOf(text).flatMap((line) => {
    const [, bytes, seconds] = /^(\d{1,15}) bytes.* copied, ([\d.]+(?:e-\d+)?) s/.exec(line) ?? [];
    return bytes === undefined ? [] : [Number(bytes) / Number(seconds) / 1e6];
  });
  const rate = found.at(-1) ?? Number.NaN;
  return Number.isFinite(rate) && rate > 0 ? rate : null;
}

/** µs of one fdatasync in pg_test_fsync's first table: 8 kB written and flushed. */
export function parseTestFsync(text: string): number | null {
  return numberOf(firstMatch(text, /^fdatasync\s+[\d.]+ ops\/sec\s+(\d+) usecs\/op$/));
}

export function parseTimes(text: string): Times | null {
  for (const line of linesOf(text)) {
    const cells = /^count=(\d+) mean=([\d.]+) median=([\d.]+) p95=([\d.]+) max=([\d.]+)$/.exec(line);
    const [count, mean, median, p95, max] = cells?.slice(1).map(numberOf) ?? [];
    if (count && mean && median && p95 && max) return { count, mean, median, p95, max };
  }
  return null;
}

const words: Record<StorageKind, string> = {
  sd: 'This card',
  emmc: 'This eMMC',
  usb: 'This USB disk',
  nvme: 'This NVMe disk',
  other: 'This disk',
};

/** Which disk was measured: the kind, and what to call it. */
function diskOf(survey: Survey): { kind: StorageKind; name: string } {
  const { device } = parseRoot(survey.output('mount'));
  const target = linesOf(survey.output('mount'))[0]?.split(/\s+/).slice(2).join(' ') ?? '';
  const disk = diskUnder(target, device, parseLsblk(survey.text('lsblk')), parseDisks(survey.text('disks')));
  return {
    kind: disk?.kind ?? 'other',
    name: `${disk?.name ?? device ?? 'unknown'} under ${target || 'it'}`,
  };
}

/** The four checks of the disk. `why` it could not be measured at all is said by each of them. */
export function diskChecks(survey: Survey): MachineCheck[] {
  const titles = [
    ['fsync', 'Flush to disk (fsync)'],
    ['disk-sequential', 'Sequential disk'],
    ['disk-random-write', 'Random writes'],
    ['disk-random-read', 'Random reads'],
  ] as const;
  if (!survey.succeeded('room')) {
    const space = survey.text('space');
    const full = survey.succeeded('place') || survey.text('place').includes('No space left');
    const why = full ? 'Too little free space to measure' : 'This user may write nowhere on this disk';
    return titles.map(([id, title]) => check(id, title, unknown(why, survey.text('place') + space)));
  }
  const { kind, name } = diskOf(survey);
  const findings = [
    fsyncFinding(survey, kind),
    sequentialFinding(survey, kind, name),
    randomFinding(survey, 'random-write', kind),
    randomFinding(survey, 'random-read', kind),
  ];
  return titles.map(([id, title], i) => {
    const finding = findings[i] ?? unknown('Not measured');
    return check(id, title, { ...finding, raw: `${name}\n${finding.raw ?? ''}`.trim() });
  });
}

/** A card that gives pgbench its 500 transactions a second, as those of class A1 do, needs 2 ms at most for one. */
const slowFsyncUs = 2000;
/** No medium of a Pi's flushes in less; then nothing is flushed (tmpfs, a bridge that ignores it). */
const incredibleFsyncUs = 50;

function fsyncFinding(survey: Survey, kind: StorageKind): Finding {
  const postgres = parseTestFsync(survey.text('pg-test-fsync'));
  const times = parseTimes(survey.text('fsync'));
  const us = postgres ?? times?.mean ?? null;
  const raw = `${survey.text('pg-test-fsync')}\n${survey.text('fsync')}`;
  if (us === null) return unknown('Neither pg_test_fsync nor perl could measure it', raw);
  const how =
    postgres === null
      ? 'measured with O_DSYNC writes of 8 kB'
      : 'measured with pg_test_fsync, fdatasync of 8 kB';
  const spread =
    times === null ? '' : `; the slowest of ${formatCount(times.count)} took ${formatLatency(times.max)}`;
  const rate = formatCount(1e6 / us);
  const sentence = `${words[kind]} takes ${formatLatency(us)} for an fsync`;
  const figures = { value: us / 1000, unit: 'ms', raw };
  if (us < incredibleFsyncUs)
    return {
      ...figures,
      result: 'warn',
      detail: `${sentence}: too quick to be true, it hardly flushes at all (${how}${spread})`,
      advice: 'Figures of commits will not be those of a disk, and a power cut may lose data.',
    };
  if (us <= slowFsyncUs)
    return {
      ...figures,
      result: 'pass',
      detail: `${sentence}: one client can commit ${rate} times a second (${how}${spread})`,
    };
  return {
    ...figures,
    result: 'warn',
    detail: `${sentence}: commits will be slow, one client has ${rate} a second at most (${how}${spread})`,
    advice:
      kind === 'sd'
        ? 'A card of class A1 or A2, or better a USB or NVMe disk, flushes several times as fast.'
        : 'A disk with power-loss protection flushes fastest; many clients share one flush.',
  };
}

/** MB/s that each kind should reach; sources: speed class 10, and the reference's published figures with a margin. */
const leastSequential: Partial<Record<StorageKind, { write: number; read: number; advice: string }>> = {
  sd: { write: 10, read: 20, advice: 'A card of speed class 10 writes 10 MB/s; try another.' },
  emmc: { write: 10, read: 20, advice: 'The eMMC is full or worn out, or its bus is slow.' },
  usb: { write: 45, read: 45, advice: 'That is what USB 2 gives: use a blue port and a USB 3 cable.' },
  nvme: {
    write: 100,
    read: 300,
    advice: 'See whether the link is up to speed; PCIe Gen 2 gives about 400 MB/s.',
  },
};

function sequentialFinding(survey: Survey, kind: StorageKind, name: string): Finding {
  const direct = parseDd(survey.text('write'));
  // Stopped in the middle, a write through memory tells nothing of the disk.
  const write = direct ?? (survey.succeeded('write-cached') ? parseDd(survey.text('write-cached')) : null);
  const read = parseDd(survey.text('read'));
  const raw = ['write', 'write-cached', 'read'].map((name) => survey.text(name)).join('\n');
  if (write === null || read === null) return unknown('dd gave no figure', raw);
  const least = leastSequential[kind];
  const detail = `${words[kind]} (${name}) writes ${figure(write)} MB/s and reads ${figure(read)} MB/s`;
  const figures = { value: write, unit: 'MB/s', raw };
  if (least === undefined)
    return { ...figures, result: 'pass', detail: `${detail}; no limit is known for its kind` };
  const slow = write < least.write || read < least.read;
  return {
    ...figures,
    result: slow ? 'warn' : 'pass',
    detail: `${detail}; at least ${least.write} and ${least.read} are usual`,
    advice: slow ? least.advice : '',
  };
}

/** What the application class A1 of SD cards promises, operations a second. */
const a1 = { 'random-read': 1500, 'random-write': 500 };

function randomFinding(survey: Survey, what: 'random-read' | 'random-write', kind: StorageKind): Finding {
  const times = parseTimes(survey.text(what));
  const raw = survey.text(what);
  if (times === null) return unknown('perl could not measure it', raw);
  const rate = 1e6 / times.mean;
  const verb = what === 'random-read' ? 'reads' : 'writes and flushes';
  const detail = `${words[kind]} ${verb} ${formatCount(rate)} pages of 8 kB a second, one at a time; a card of class A1 has ${formatCount(a1[what])} (median ${formatLatency(times.median)}, 95 % within ${formatLatency(times.p95)})`;
  const slow = rate < a1[what];
  return {
    result: slow ? 'warn' : 'pass',
    detail,
    advice: slow ? 'Tables larger than memory, and checkpoints, will be slow on it.' : '',
    value: rate,
    unit: '1/s',
    raw,
  };
}
