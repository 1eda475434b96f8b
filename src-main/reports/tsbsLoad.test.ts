import { describe, expect, it } from 'vitest';
import { tickOf } from './testRun.ts';
import { createLoadProgress, loadHeader, loadSummary } from './tsbsLoad.ts';

const startMs = 1_451_606_400_000;

describe('loadSummary', () => {
  it("prints TSBS's own test vector", () => {
    expect(loadSummary({ metrics: 10, rows: 1, seconds: 1, workers: 0 })).toEqual([
      'Summary:',
      'loaded 10 metrics in 1.000sec with 0 workers (mean rate 10.00 metrics/sec)',
      'loaded 1 rows in 1.000sec with 0 workers (mean rate 1.00 rows/sec)',
    ]);
  });
  it('leaves the rows out while there are none', () => {
    expect(loadSummary({ metrics: 0, rows: 0, seconds: 0, workers: 2 })).toEqual([
      'Summary:',
      'loaded 0 metrics in 0.000sec with 2 workers (mean rate 0.00 metrics/sec)',
    ]);
  });
});

describe('createLoadProgress', () => {
  it('has the header of the columns it prints', () => {
    const progress = createLoadProgress(startMs, 1);
    const line = progress(tickOf({ rows: 2, metrics: 20 }));
    expect(line?.split(',').length).toBe(loadHeader.split(',').length);
  });
  it('prints a line a period: this period, total, overall', () => {
    const progress = createLoadProgress(startMs, 2);
    expect(progress(tickOf({ atMs: 1500, rows: 100, metrics: 1000 }))).toBeNull();
    expect(progress(tickOf({ atMs: 2500, rows: 300, metrics: 3000 }))).toBe(
      '1451606402,2000.00,4.000000E+03,2000.00,200.00,4.000000E+02,200.00',
    );
    expect(progress(tickOf({ atMs: 3500, rows: 0, metrics: 0 }))).toBeNull();
    expect(progress(tickOf({ atMs: 4500, rows: 100, metrics: 1000 }))).toBe(
      '1451606404,500.00,5.000000E+03,1250.00,50.00,5.000000E+02,125.00',
    );
  });
  it('divides by the time that really went by', () => {
    const progress = createLoadProgress(startMs, 1);
    expect(progress(tickOf({ atMs: 1250, intervalMs: 1250, rows: 10, metrics: 100 }))).toBe(
      '1451606401,80.00,1.000000E+02,80.00,8.00,1.000000E+01,8.00',
    );
  });
  it('takes a timer that fires a millisecond early for the end of its period', () => {
    const progress = createLoadProgress(startMs, 1);
    expect(progress(tickOf({ atMs: 999, intervalMs: 999, rows: 1, metrics: 10 }))).not.toBeNull();
    expect(progress(tickOf({ atMs: 1998, intervalMs: 999, rows: 1, metrics: 10 }))).not.toBeNull();
  });
  it('prints no line for a final partial period and dashes while no row has come', () => {
    const progress = createLoadProgress(startMs, 1);
    expect(progress(tickOf({}))).toBe('1451606401,0.00,0.000000E+00,0.00,-,-,-');
    expect(progress(tickOf({ atMs: 1400, intervalMs: 400, rows: 10, metrics: 100 }))).toBeNull();
  });
  it('prints nothing at period 0', () => {
    expect(createLoadProgress(startMs, 0)(tickOf({ rows: 5, metrics: 50 }))).toBeNull();
  });
});
