import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { AppError } from '../../src-shared/errors.ts';
import { makeLogPlace, removeLogs } from './transactionLogs.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'benchberry-logs-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

it('each step of a run has a folder of its own; a run that is deleted for good takes its logs along', () => {
  const places = [0, 1].map((phase) => makeLogPlace(folder, 'a', phase, 'log'));
  const other = makeLogPlace(folder, 'b', 0, 'log');
  expect(places.map((place) => path.relative(folder, place.path))).toEqual(
    ['1', '2'].map((step) => path.join('transaction-logs', 'a', step, `log.${process.pid}`)),
  );
  expect(places[0]?.note).not.toContain(folder);
  for (const { path: file } of [...places, other]) writeFileSync(file, '');
  removeLogs(folder, ['a', 'never there']);
  expect([...places, other].map((place) => existsSync(place.path))).toEqual([false, false, true]);
});

it('a place that cannot be made is an error before anything runs', () => {
  writeFileSync(path.join(folder, 'transaction-logs'), 'a file is in the way');
  expect(() => makeLogPlace(folder, 'a', 0, 'log')).toThrow(AppError);
});
