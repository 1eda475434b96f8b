import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Plan } from '../model/plan.ts';
import type { MemberFigures, SeriesMember, SweptParameter } from '../model/runSeries.ts';
import {
  cellCount,
  cellName,
  cellState,
  cellValues,
  isThrough,
  mainRate,
  remainingMs,
  seriesCells,
  seriesSentence,
  spreadText,
} from './runSeries.ts';
import { spreadOf } from './spread.ts';

const figures = (part: Partial<MemberFigures> = {}): MemberFigures => ({
  status: 'finished',
  valid: true,
  rowsPerSecond: 1000,
  queriesPerSecond: null,
  transactionsPerSecond: null,
  p99Us: null,
  perSecond: null,
  tookMs: 10_000,
  ...part,
});
const member = (part: Partial<SeriesMember> = {}): SeriesMember => ({
  cell: 0,
  target: 0,
  round: 1,
  plannedRows: 0,
  runIds: [],
  error: null,
  figures: null,
  leftOut: null,
  settled: null,
  ...part,
});
const swept = (label: string, values: number[]): SweptParameter => ({
  path: `steps[0].tsbs.load.${label}`,
  label,
  unit: null,
  values,
});
const parameters = [swept('Workers', [4, 8, 12]), swept('Batch size', [1000, 10_000])];

describe('cells', () => {
  it('count the values’ product, the last parameter changing fastest', () => {
    expect(cellCount(parameters)).toBe(6);
    expect([0, 1, 2, 5].map((cell) => cellValues(parameters, cell))).toEqual([
      [4, 1000],
      [4, 10_000],
      [8, 1000],
      [12, 10_000],
    ]);
    expect(cellName(parameters, 3)).toBe('Workers 8, Batch size 10,000');
    expect([cellCount([]), cellName([], 0)]).toEqual([1, '']);
  });

  it('have each combination once, whatever the lists', () => {
    const lists = fc.array(fc.uniqueArray(fc.integer(), { minLength: 1, maxLength: 4 }), { maxLength: 4 });
    fc.assert(
      fc.property(lists, (values) => {
        const all = values.map((list, i) => swept(`p${i}`, list));
        const cells = Array.from({ length: cellCount(all) }, (_, cell) => cellValues(all, cell).join(','));
        expect(new Set(cells).size).toBe(values.reduce((product, list) => product * list.length, 1));
      }),
    );
  });

  it('take average, median and highest of their runs, without what was left out, failed or stopped', () => {
    const rates = [100, 400, 250];
    const members = [
      ...rates.map((rowsPerSecond, i) => member({ round: i + 1, figures: figures({ rowsPerSecond }) })),
      member({ round: 4, figures: figures({ rowsPerSecond: 9e9 }), leftOut: 'a vacuum was on' }),
      member({ round: 5, figures: figures({ rowsPerSecond: 9e9, status: 'cancelled' }) }),
      member({ round: 6, figures: figures({ rowsPerSecond: null, status: 'failed' }) }),
    ];
    const [cell] = seriesCells({ parameters: [], targets: ['a'], members });
    expect(cell).toMatchObject({ over: 'runs', average: 250, median: 250, max: 400 });
    expect(cellState(members, true)).toBe('1 left out: a vacuum was on, 1 stopped, 1 failed');
  });

  it('take them of the seconds where there is one run', () => {
    const one = member({ figures: figures({ perSecond: { median: 1100, max: 1300 } }) });
    const [cell] = seriesCells({ parameters: [], targets: ['a'], members: [one] });
    expect(cell).toMatchObject({ over: 'seconds', average: 1000, median: 1100, max: 1300 });
  });

  it('take them of no seconds where the cell has repeats of which one has finished', () => {
    const one = member({ figures: figures({ perSecond: { median: 1100, max: 1300 } }) });
    const others = [
      member({ round: 2 }),
      member({ round: 2, figures: figures({ status: 'failed', rowsPerSecond: null }) }),
      member({ round: 2, figures: figures(), leftOut: 'a vacuum was on' }),
    ];
    for (const other of others) {
      const [cell] = seriesCells({ parameters: [], targets: ['a'], members: [one, other] });
      expect(cell).toMatchObject({ over: null, average: 1000, median: null, max: null });
    }
  });

  it('stand target by target', () => {
    const cells = seriesCells({ parameters, targets: ['a', 'b'], members: [member({ target: 1, cell: 2 })] });
    expect(cells).toHaveLength(12);
    expect(cells.findIndex(({ members }) => members.length > 0)).toBe(8);
    expect(cells[8]?.values).toEqual([8, 1000]);
  });
});

describe('spread', () => {
  // Python: import statistics as s; x = [...]; s.median(x), s.mean(x), s.stdev(x) / s.mean(x)
  const values = [12_310, 12_480, 12_544, 12_390, 12_501];
  it('is median, range and the coefficient of variation', () => {
    const spread = spreadOf(values);
    expect(spread).toMatchObject({ n: 5, median: 12_480, min: 12_310, max: 12_544, mean: 12_445 });
    expect(spread?.cv).toBeCloseTo(0.007560496752126196, 12);
    expect(spreadText(spread, 'rowsPerSecond')).toBe(
      'median 12,480 rows/s (12,310–12,544, CV 0.8 %, 5 runs)',
    );
  });
  it('has no variation of one value, and is nothing of none', () => {
    expect(spreadOf([7])).toMatchObject({ n: 1, cv: null, median: 7 });
    expect(spreadText(spreadOf([250]), 'transactionsPerSecond')).toBe('250 TPS');
    expect(spreadOf([])).toBeNull();
  });
});

it('a finished or failed run is through, a cut one is not, and failed ones can be asked for again', () => {
  const of = (status: MemberFigures['status'], failed = false) =>
    isThrough(member({ figures: figures({ status }) }), failed);
  expect([of('finished'), of('failed'), of('failed', true)]).toEqual([true, true, false]);
  expect([of('cancelled'), of('interrupted'), isThrough(member())]).toEqual([false, false, false]);
});

it('the figures are of transactions, else of rows, else of queries', () => {
  const rate = (part: Partial<MemberFigures>) => mainRate({ members: [member({ figures: figures(part) })] });
  expect(rate({ transactionsPerSecond: 1 })).toBe('transactionsPerSecond');
  expect(rate({ queriesPerSecond: 1 })).toBe('rowsPerSecond');
  expect(rate({ queriesPerSecond: 1, rowsPerSecond: null })).toBe('queriesPerSecond');
  expect(rate({ rowsPerSecond: null })).toBeNull();
});

describe('what is left', () => {
  const plan: Plan = {
    ...{ version: 1, name: 'P', target: 'null', repeat: 1 },
    steps: [{ 'tsbs.load': {} }],
    settle: { idle: '1s', atMost: '10m' },
  };
  const left = (members: SeriesMember[], place: number, elapsedMs: number, waitedMs: number | null = null) =>
    remainingMs({ members, plan }, { place, elapsedMs, waitedMs });

  it('is by the rows that are planned, less what the present run took already, with the waits to come', () => {
    const settled = { waitedMs: 3000, temperatureC: null, end: 'settled' as const };
    const skipped = { ...settled, waitedMs: 90_000, end: 'skipped' as const };
    const members = [
      member({ plannedRows: 100, figures: figures({ tookMs: 10_000 }), settled }), // 0.1 s a row
      member({ plannedRows: 200, runIds: ['now'], settled: skipped }),
      member({ plannedRows: 300 }),
    ];
    expect(left(members, 1, 5000)).toBe(20_000 - 5000 + 3000 + 30_000);
    expect(left(members, 1, 90_000)).toBe(3000 + 30_000);
    // Waited for 1 of 3 s, and then 20 s of its own.
    expect(left(members, 1, 0, 1000)).toBe(2000 + 20_000 + 3000 + 30_000);
  });
  it('is by runs where not all load, and not known before the first has finished', () => {
    const members = [member({ figures: figures() }), member({ plannedRows: 5 }), member()];
    // Each 10 s, and a second before the last.
    expect(left(members, 1, 0)).toBe(10_000 + 1000 + 10_000);
    expect(left([member(), member()], 0, 0)).toBeNull();
  });
});

it('says in a sentence how it stands', () => {
  const members = [
    member({ figures: figures() }),
    member({ figures: figures({ status: 'failed' }) }),
    member(),
  ];
  expect(seriesSentence({ members, outcome: null })).toBe(
    '1 of 3 runs finished; 1 failed, and the series went on.',
  );
  expect(seriesSentence({ members, outcome: 'out-of-time' })).toBe(
    '1 of 3 runs finished; 1 failed, and the series went on; the time budget is used up, 1 left.',
  );
});
