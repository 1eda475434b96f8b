import { decodeFromCompressedBase64, type Histogram } from 'hdr-histogram-js';
import { AppError } from '../../../src-shared/errors.ts';
import type { RecordedHistogram } from '../../../src-shared/model/runFile.ts';
import { type ExportFormat, onlyRecord, type RunRecord } from './format.ts';

/** Histograms are kept in µs, the tools' habit is ms. */
const usPerMs = 1000;

/**
 * The percentiles of each operation as HdrHistogram prints them, in milliseconds. Tools that draw such a file take one
 * distribution: ask for one operation then.
 */
const percentileFormat: ExportFormat = {
  id: 'hdr',
  label: 'HdrHistogram percentiles',
  description: 'The distribution of each latency, as HdrHistogram prints it, in milliseconds',
  extension: 'hgrm',
  mediaType: 'text/plain',
  most: 1,
  write(records, { operation }) {
    const record = onlyRecord(records);
    const blocks = latencies(record, operation).map(({ name, parts }) => {
      const whole = merged(parts);
      return `#[Operation = ${oneLine(name)}]\n${whole.outputPercentileDistribution(5, usPerMs)}`;
    });
    return `${blocks.map((block) => block.trimEnd()).join('\n\n')}\n`;
  },
};

/** The latencies of each second as a HdrHistogram log, version 1.3, tagged by phase and operation. */
const logFormat: ExportFormat = {
  id: 'hdr-log',
  label: 'HdrHistogram log',
  description: 'The histogram of each second, for the public HdrHistogram tools; values are microseconds',
  extension: 'hlog',
  mediaType: 'text/plain',
  most: 1,
  write(records, { operation, toolVersion }) {
    const record = onlyRecord(records);
    const { run, series } = record;
    const ticks = new Map(series.ticks.map((tick) => [tick.seq, tick]));
    const started = Date.parse(run.startedAt);
    const lines = latencies(record, operation).flatMap(({ name, parts }) =>
      parts.flatMap(({ seq, text }) => {
        const tick = ticks.get(seq);
        if (!tick) return [];
        const from = Math.max(0, tick.atMs - tick.intervalMs);
        const figures = [from / 1000, tick.intervalMs / 1000, decode(text).maxValue / usPerMs];
        const line = `Tag=${tag(name)},${figures.map((figure) => figure.toFixed(3)).join(',')},${text}`;
        return [{ from, line }];
      }),
    );
    return `${[
      `#[Benchberry ${toolVersion}; values are microseconds, Interval_Max is milliseconds]`,
      '#[Histogram log format version 1.3]',
      `#[StartTime: ${(started / 1000).toFixed(3)} (seconds since epoch), ${new Date(started).toISOString()}]`,
      '"StartTimestamp","Interval_Length","Interval_Max","Interval_Compressed_Histogram"',
      ...lines.sort((a, b) => a.from - b.from).map(({ line }) => line),
    ].join('\n')}\n`;
  },
};

export const hdrFormats: readonly ExportFormat[] = [percentileFormat, logFormat];

interface Part {
  seq: number;
  text: string;
}

/** The histograms of each operation, `phase · operation`; with a rate those from the actual start besides. */
function latencies({ run, histograms }: RunRecord, only: string | null): { name: string; parts: Part[] }[] {
  const found = new Map<string, Part[]>();
  const add = (name: string, seq: number, text: string | null) => {
    if (text === null) return;
    const parts = found.get(name) ?? [];
    parts.push({ seq, text });
    found.set(name, parts);
  };
  const names = new Map(run.phases.map(({ index, name }) => [index, name]));
  for (const { phase, seq, operation, latency, service } of histograms()) {
    if (only !== null && operation !== only) continue;
    const name = `${names.get(phase) ?? phase} · ${operation}`;
    add(name, seq, latency);
    add(`${name}, from the actual start`, seq, service);
  }
  if (found.size > 0) return [...found].map(([name, parts]) => ({ name, parts }));
  throw new AppError({
    code: 'unsupported',
    message: only === null ? `${run.name} has no latencies` : `${run.name} has no latencies of ${only}`,
    hint: known(histograms()),
  });
}

function known(histograms: readonly RecordedHistogram[]): string | undefined {
  const names = [...new Set(histograms.map(({ operation }) => operation))];
  return names.length > 0 ? `It has those of ${names.join(', ')}.` : undefined;
}

function merged(parts: readonly Part[]): Histogram {
  const [first, ...rest] = parts.map(({ text }) => decode(text));
  if (first === undefined) throw new Error('an operation without histograms');
  for (const part of rest) first.add(part);
  return first;
}

function decode(text: string): Histogram {
  return decodeFromCompressedBase64(text, 32, false);
}

const oneLine = (text: string) => text.replace(/\s+/g, ' ');

/** A tag has neither blanks nor commas. */
const tag = (name: string) => name.replaceAll(' · ', '/').replace(/[\s,]+/g, '_');
