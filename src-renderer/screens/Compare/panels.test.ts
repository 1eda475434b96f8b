import { describe, expect, it } from 'vitest';
import { comparePanels, type Recording } from './panels.ts';
import { recording } from './testRecording.ts';

const part = { phase: 'tsbs.load', operation: null, label: 'tsbs.load' };
const rates = (recordings: readonly Recording[], alignment: 'time' | 'rows') => {
  const { panels, duration } = comparePanels(recordings, part, alignment);
  const rate = panels.find(({ id }) => id === 'rate');
  return {
    duration,
    lines: rate?.series.map(({ label, color, data }) => ({
      ...{ label, color },
      points: Array.from(data.x, (x, i) => [x, data.y[i]]),
    })),
  };
};

describe('the rate of compared runs', () => {
  it('tells of a thinned run how long its points are, and has a line through them', () => {
    const whole = recording('a', 0, [], [10, 20, 30]);
    const thin = ({ run, ticks }: Recording['all'][number]) => ({
      run,
      ticks: ticks.map((tick, i) => ({ ...tick, atMs: (i + 1) * 10_000, intervalMs: 10_000 })),
    });
    const thinned = { ...whole, ...thin(whole), all: whole.all.map(thin) };
    const [line] = rates([thinned], 'time').lines ?? [];
    expect(line?.points).toEqual([
      [5000, 1],
      [15_000, 2],
      [25_000, 3],
    ]);
    const helpOf = (given: Recording) => comparePanels([given], part).panels[0]?.help;
    expect(helpOf(thinned)).toMatch(/^Each point is 10\.0 s:/);
    expect(helpOf(whole)).toMatch(/^Each point is one second:/);
  });

  it('lies on the time since the part began, each in its own colour', () => {
    const { lines, duration } = rates(
      [recording('a', 0, [], [10, 20, 30]), recording('b', 1500, [], [5, 5, 5])],
      'time',
    );
    expect(duration).toBe(3000);
    expect(lines).toEqual([
      {
        label: 'run a',
        color: 'red',
        points: [
          [500, 10],
          [1500, 20],
          [2500, 30],
        ],
      },
      {
        label: 'run b',
        color: 'blue',
        points: [
          [500, 5],
          [1500, 5],
          [2500, 5],
        ],
      },
    ]);
  });

  it('lies on the rows loaded by then: who is slower takes longer for the same rows', () => {
    const { lines, duration } = rates(
      [recording('a', 0, [], [100, 100, 200]), recording('b', 0, [], [200, 200, 0])],
      'rows',
    );
    expect(duration).toBe(1000);
    // Of `a` 200 rows in the first two seconds, 200 in the third; of `b` the second in which nothing came counts too.
    expect(lines?.map(({ points }) => points)).toEqual([
      [
        [100, 100],
        [300, 200],
      ],
      [
        [100, 200],
        [300, 100],
      ],
    ]);
  });

  it('of a group is that of all its runs together: what was counted by the time measured', () => {
    const [one, two] = [recording('a', 0, [], [10, 20, 30]), recording('b', 700, [], [30, 20, 10])];
    const { lines } = rates([{ ...one, all: [...one.all, ...two.all] }], 'time');
    expect(lines?.[0]?.points).toEqual([
      [500, 20],
      [1500, 20],
      [2500, 20],
    ]);
  });
});
