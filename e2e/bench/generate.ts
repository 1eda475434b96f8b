import process from 'node:process';
import type { RowSink } from '../../src-main/databases/driver.ts';
import { dataFile } from '../../src-main/workloads/tsbs/files.ts';
import { openTsbsRows } from '../../src-main/workloads/tsbs/openRows.ts';
import { type BenchResult, median, type Suite } from './bench.ts';

/** CPU time of making rows alone: what a load pays before the first byte is sent. */
export const generateSuite: Suite = {
  name: 'generate',
  about: 'CPU time of the generator, a million cpu-only rows of 4,000 hosts each time',
  run: benchGenerate,
};

const rows = 1_000_000;
const repeats = 3;
const spec = {
  workload: 'tsbs',
  parameters: {
    useCase: 'cpu-only',
    seed: 123,
    scale: 4000,
    timestampStart: '2016-01-01T00:00:00Z',
    timestampEnd: '2016-01-04T00:00:00Z',
    logInterval: '10s',
    limit: rows,
  },
};

/** Each figure is the median of three passes, after one to warm up. */
async function benchGenerate(log: (line: string) => void): Promise<BenchResult> {
  let seen = 0;
  const sink: RowSink = {
    row(_table, _device, _timeMs, _nanos, values) {
      seen += values.length;
    },
  };
  const measure = (name: string, work: () => number): number => {
    log(name);
    const seconds = Array.from({ length: repeats + 1 }, () => cpuSeconds(work)).slice(1);
    return median(seconds);
  };
  const fileRows = (format: 'timescaledb' | 'questdb') => () => {
    let bytes = 0;
    for (const block of dataFile(spec, format)) bytes += block.length;
    seen += bytes;
    return rows;
  };
  const simulation = measure('simulation', () => openTsbsRows(spec).fill(sink, rows));
  const skipping = measure('rows that other threads take', () => openTsbsRows(spec).skip(rows));
  const timescaledb = measure('TimescaleDB file', fileRows('timescaledb'));
  const questdb = measure('QuestDB file', fileRows('questdb'));
  if (seen === 0) throw new Error('nothing was generated');
  const fact = (name: string, value: number) => ({ name, value, unit: 'CPU s a million rows' });
  return {
    goals: [
      {
        name: 'skipping rows ÷ giving them',
        value: skipping / simulation,
        unit: '',
        must: 'at-most',
        limit: 1.05,
      },
    ],
    facts: [
      fact('simulation', simulation),
      fact('skipping', skipping),
      fact('TimescaleDB file', timescaledb),
      fact('QuestDB file', questdb),
    ],
  };
}

/** @throws Error where the work did less than it should */
function cpuSeconds(work: () => number): number {
  const before = process.cpuUsage();
  const done = work();
  const { user, system } = process.cpuUsage(before);
  if (done !== rows) throw new Error(`${done} rows in place of ${rows}`);
  return (user + system) / 1e6;
}
