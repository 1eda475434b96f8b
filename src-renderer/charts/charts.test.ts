import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatAxisTime, logAxis, timeTicks, zeroBasedAxis } from '../../src-shared/axis.ts';
import { panelCsv } from './exportPanel.ts';
import { choose, stepped, valueAt } from './interaction.ts';
import type { ChartSeries, Panel } from './panel.ts';
import { prepare } from './prepare.ts';
import { elapsedAxis, rowsAxis } from './xAxis.ts';

function series(key: string, x: number[], y: number[]): ChartSeries {
  return { key, label: key, color: 'red', dash: '', data: { x, y } };
}
function panel(patch: Partial<Panel> = {}): Panel {
  return {
    id: 'p',
    title: 'P',
    unit: 'rows/s',
    scale: 'linear',
    format: String,
    help: '',
    series: [],
    ...patch,
  };
}

describe('axes', () => {
  it('start at zero, reach the largest value and use round steps', () => {
    fc.assert(
      fc.property(fc.double({ min: 0.001, max: 1e9, noNaN: true }), (max) => {
        const { domain, ticks } = zeroBasedAxis(max);
        expect(domain[0]).toBe(0);
        expect(domain[1]).toBeGreaterThanOrEqual(max * (1 - 1e-9));
        expect(domain[1]).toBeLessThan(max * 2.6);
        expect(ticks.length).toBeGreaterThanOrEqual(2);
        expect(ticks.length).toBeLessThanOrEqual(6);
      }),
    );
    expect(zeroBasedAxis(21_204).ticks).toEqual([0, 10_000, 20_000, 30_000]);
    expect(zeroBasedAxis(Number.NEGATIVE_INFINITY).domain).toEqual([0, 1]);
  });

  it('enclose what a log panel shows', () => {
    fc.assert(
      fc.property(
        fc.double({ min: 1, max: 1e8, noNaN: true }),
        fc.double({ min: 1, max: 1000, noNaN: true }),
        (min, factor) => {
          const { domain, ticks } = logAxis(min, min * factor);
          expect(domain[0]).toBeLessThanOrEqual(min);
          expect(domain[1]).toBeGreaterThanOrEqual(min * factor * (1 - 1e-12));
          expect(ticks.length).toBeGreaterThanOrEqual(2);
          expect(ticks.length).toBeLessThanOrEqual(7);
        },
      ),
    );
    expect(logAxis(850, 184_000)).toEqual({ domain: [500, 200_000], ticks: [1000, 10_000, 100_000] });
    expect(logAxis(Infinity, -Infinity).domain).toEqual([1, 10]);
  });

  it('mark whole units of time', () => {
    expect(timeTicks(0, 3_600_000, 8)).toEqual([
      0, 600_000, 1_200_000, 1_800_000, 2_400_000, 3_000_000, 3_600_000,
    ]);
    expect(timeTicks(61_500, 64_200, 5)).toEqual([62_000, 63_000, 64_000]);
    expect(formatAxisTime(134_000, 300_000)).toBe('2:14');
    expect(formatAxisTime(3_734_000, 4_000_000)).toBe('1:02:14');
    expect(formatAxisTime(1500, 4000)).toBe('1.5 s');
  });
});

describe('a drawing', () => {
  const p = panel({
    series: [series('low', [0, 1000, 2000], [1, 2, 3]), series('high', [0, 1000, 2000], [100, 900, 50])],
  });

  it('does not let hidden series stretch the axis', () => {
    expect(prepare(p, new Set(['low', 'high']), 0, 2000, 400).y.domain[1]).toBe(1000);
    expect(prepare(p, new Set(['low']), 0, 2000, 400).y.domain[1]).toBe(3);
  });

  it('scales to the window, not to what lies outside', () => {
    expect(prepare(p, new Set(['high']), 1500, 2000, 400).y.domain[1]).toBeLessThan(100);
  });

  it('puts a zero on a log axis at its lowest value', () => {
    const log = panel({ scale: 'log', series: [series('a', [0, 1000], [0, 40])] });
    const { lines, y } = prepare(log, new Set(['a']), 0, 1000, 400);
    expect(lines[0]?.points.map((point) => point.y)).toEqual([1, 40]);
    expect(y.domain[0]).toBe(1);
    expect(Array.from(log.series[0]?.data.y ?? [])).toEqual([0, 40]);
  });
});

describe('the legend', () => {
  const all = ['a', 'b', 'c'];
  it('isolates with a click and brings all back with the next', () => {
    const only = choose(new Set(all), all, 'b', false);
    expect([...only]).toEqual(['b']);
    expect([...choose(only, all, 'b', false)]).toEqual(all);
    expect([...choose(only, all, 'c', false)]).toEqual(['c']);
  });
  it('toggles with a modifier and never ends empty', () => {
    const two = choose(new Set(all), all, 'a', true);
    expect([...two]).toEqual(['b', 'c']);
    expect([...choose(new Set(['a']), all, 'a', true)]).toEqual(all);
  });
  it('shows nothing inside a gap', () => {
    const s = series('a', [1000, 2000, 3000, 60_000], [1, 2, Number.NaN, 9]);
    expect(valueAt(s, 2100, 0, 60_000)).toBe(2);
    expect(valueAt(s, 30_000, 0, 60_000)).toBeNaN();
  });
});

describe('the keyboard', () => {
  const x = Array.from({ length: 100 }, (_, i) => i * 1000);
  const press = (key: string, cursor: number | null, shiftKey = false) =>
    stepped({ key, shiftKey }, cursor, x, 10_000, 50_000);
  it('steps from point to point and stays in the window', () => {
    expect(press('ArrowRight', 20_000)).toBe(21_000);
    expect(press('ArrowLeft', 20_000)).toBe(19_000);
    expect(press('ArrowRight', 20_400)).toBe(21_000);
    expect(press('ArrowLeft', 20_400)).toBe(20_000);
    expect(press('ArrowRight', 50_000)).toBe(50_000);
    expect(press('ArrowLeft', 10_000)).toBe(10_000);
    expect(press('ArrowRight', 20_000, true)).toBe(30_000);
    expect(press('Home', 20_000)).toBe(10_000);
    expect(press('End', null)).toBe(50_000);
  });
  it('begins at the near end', () => {
    expect(press('ArrowRight', null)).toBe(10_000);
    expect(press('ArrowLeft', null)).toBe(50_000);
    expect(press('a', 20_000)).toBeNull();
  });
});

describe('CSV of a panel', () => {
  it('has full digits, gaps empty, only what is in view', () => {
    const p = panel({
      series: [
        series('now', [1000, 2000, 3000], [1 / 3, Number.NaN, 5]),
        series('over, all', [1000, 2000], [7, 8]),
      ],
    });
    expect(panelCsv(p, elapsedAxis, 0, 2500)).toBe(
      'elapsed s,now (rows/s),"over, all (rows/s)"\n1,0.3333333333333333,7\n2,,8\n',
    );
  });
});

describe('the axis of rows', () => {
  it('has round places within the window, no more than there is room for', () => {
    expect(rowsAxis.ticks(0, 1_000_000, 10)).toEqual([0, 500_000, 1_000_000]);
    expect(rowsAxis.ticks(150, 500, 10)).toEqual([200, 300, 400, 500]);
    expect(rowsAxis.ticks(150, 500, 2)).toEqual([200, 400]);
  });
  it('is short where digits are many', () => {
    expect([500, 12_000, 1_500_000].map((rows) => rowsAxis.formatTick(rows, 1))).toEqual([
      '500',
      '12k',
      '1.5M',
    ]);
    expect(rowsAxis.format(1_500_000)).toBe('1,500,000 rows');
  });
});
