import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { Progress } from '../../src-shared/model/run.ts';
import { ProgressMeter } from './progress.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

function meter(units: number) {
  const told: Progress[] = [];
  return {
    told,
    progress: new ProgressMeter(
      'run',
      units,
      (p) => told.push(p),
      () => Date.now(),
    ),
  };
}

it('counts units alike and knows the remaining time within the last one', () => {
  const { progress } = meter(2);
  expect(progress.current()).toMatchObject({
    fraction: 0,
    remainingMs: null,
    doing: 'Connecting',
    phase: null,
  });
  progress.phase(0, 'tsbs.load', 'running');
  progress.unitStarted();
  vi.advanceTimersByTime(1000);
  progress.unitAt(0.5);
  expect(progress.current()).toMatchObject({
    fraction: 0.25,
    remainingMs: null,
    phaseName: 'tsbs.load',
    elapsedMs: 1000,
  });
  progress.unitDone();
  progress.unitStarted();
  vi.advanceTimersByTime(3000);
  progress.unitAt(0.75);
  expect(progress.current()).toMatchObject({ fraction: 0.875, remainingMs: 1000, elapsedMs: 4000 });
  progress.unitDone();
  expect(progress.current()).toMatchObject({ fraction: 1 });
});

it('is told at most four times a second, the newest last, and not after the end', () => {
  const { told, progress } = meter(1);
  progress.unitStarted();
  for (let i = 1; i <= 100; i += 1) {
    progress.unitAt(i / 100);
    vi.advanceTimersByTime(10);
  }
  expect(told.map(({ fraction }) => fraction)).toEqual([0.01, 0.25, 0.5, 0.75, 1]);
  const before = told.length;
  progress.doing('Stopping');
  progress.close();
  progress.doing('anything');
  vi.advanceTimersByTime(1000);
  expect(told.length).toBeLessThanOrEqual(before + 1);
  expect(told.at(-1)?.doing).not.toBe('anything');
});
