import { decodeFromCompressedBase64, JsHistogram } from 'hdr-histogram-js';
import { AppError } from '../../../src-shared/errors.ts';
import type { Phase } from '../../../src-shared/model/run.ts';
import { isDistinct } from '../../../src-shared/model/wholeOperation.ts';
import { loadProgressLines } from '../runText.ts';
import { hdrLatencies } from '../tsbsPercentiles.ts';
import { loaderResults, queryResults } from '../tsbsResults.ts';
import { type ExportFormat, type ExportTools, onlyRecord, type RunRecord } from './format.ts';

const one = { most: 1, mediaType: 'text/plain', workload: 'tsbs' };

/** `--results-file` of TSBS's loaders and query runners. */
const jsonFormat: ExportFormat = {
  ...one,
  id: 'tsbs-json',
  label: 'TSBS results (JSON)',
  description:
    'What TSBS writes with --results-file: an object for each load and each query step, one after the other',
  extension: 'json',
  mediaType: 'application/json',
  write(records, tools) {
    const { run } = onlyRecord(records);
    const label = (name: string) => tools.queryLabel(name, run.server?.dialect ?? '') ?? name;
    return phasesOf(records, 'loads or queries')
      .map((phase) => {
        const parameters = run.resolvedSteps[phase.index]?.parameters ?? {};
        return phase.kind === 'load'
          ? loaderResults(run, phase, parameters)
          : queryResults(run, phase, parameters, label);
      })
      .join('\n');
  },
};

/** `--hdr-latencies` of TSBS's query runners. */
const hdrFormat: ExportFormat = {
  ...one,
  id: 'tsbs-hdr',
  label: 'TSBS latencies (HDR)',
  description: 'What TSBS writes with --hdr-latencies: a list of percentiles in ms for each query type',
  extension: 'hdr',
  write(records, { operation }) {
    const record = onlyRecord(records);
    const queries = phasesOf(records, 'queries').filter(({ kind }) => kind === 'queries');
    const blocks = queries.flatMap((phase) => latenciesOf(record, phase, operation));
    if (blocks.length === 0) throw nothing(record, operation ?? 'queries');
    const [first] = blocks;
    if (blocks.length === 1 && first) return first.text;
    return blocks.map(({ name, text }) => `#[Queries = ${name}]\n${text}`).join('\n');
  },
};

/** The lines of progress of TSBS's loaders. */
const csvFormat: ExportFormat = {
  ...one,
  id: 'tsbs-csv',
  label: 'TSBS progress (CSV)',
  description: 'What TSBS prints while it loads: metrics and rows a second, period by period',
  extension: 'csv',
  mediaType: 'text/csv',
  write(records) {
    const record = onlyRecord(records);
    const loads = phasesOf(records, 'loads').filter(({ kind }) => kind === 'load');
    if (loads.length === 0) throw nothing(record, 'loads');
    const { run, series } = record;
    const lines = loads.flatMap((phase, at) =>
      loadProgressLines(
        run,
        phase,
        series.ticks.filter((tick) => tick.phase === phase.index),
      ).slice(at === 0 ? 0 : 1),
    );
    return `${lines.join('\n')}\n`;
  },
};

export const tsbsFormats: readonly ExportFormat[] = [jsonFormat, hdrFormat, csvFormat];

/** The phases that are TSBS's. @throws AppError `unsupported` where there is none */
function phasesOf(records: readonly RunRecord[], what: string): Phase[] {
  const record = onlyRecord(records);
  const { run } = record;
  const own = run.phases.filter(({ index }) => run.resolvedSteps[index]?.id.startsWith('tsbs.'));
  if (own.length === 0) throw nothing(record, what);
  return own;
}

/** The latencies of each type, without those groups that hold several. */
function latenciesOf(
  record: RunRecord,
  phase: Phase,
  only: ExportTools['operation'],
): { name: string; text: string }[] {
  const found = new Map<string, JsHistogram>();
  for (const { phase: index, operation, latency } of record.histograms()) {
    if (index !== phase.index || latency === null || !isDistinct({ name: operation })) continue;
    if (only !== null && operation !== only) continue;
    const part = decodeFromCompressedBase64(latency, 32, false);
    if (!(part instanceof JsHistogram)) throw new Error('not a plain histogram');
    const whole = found.get(operation);
    if (whole) whole.add(part);
    else found.set(operation, part);
  }
  return [...found].map(([name, histogram]) => ({ name, text: hdrLatencies(histogram) }));
}

function nothing({ run }: RunRecord, what: string): AppError {
  return new AppError({
    code: 'unsupported',
    message: `${run.name} has no ${what} of TSBS`,
    hint: 'Choose the format of the program whose steps it has.',
  });
}
