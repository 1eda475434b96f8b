import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openStore } from '../store/openStore.ts';
import type { Store } from '../store/repositories.ts';
import { makeRun } from '../store/testRun.ts';
import { tagRuns } from './tagRuns.ts';

let folder: string;
let store: Store;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'benchberry-tags-'));
  store = openStore(folder);
  const full = Array.from({ length: 20 }, (_, i) => `t${i}`);
  for (const [id, tags] of Object.entries({ a: ['x'], b: ['x', 'y'], full }))
    store.runs.create(makeRun({ id, tags, status: 'finished' }), { pid: 1, startedAt: 1 });
});
afterEach(() => {
  store.close();
  rmSync(folder, { recursive: true, force: true });
});
const tags = (id: string) => store.runs.get(id)?.tags;

test('tags are added and taken off, and only what changed is told', () => {
  expect(tagRuns(store.runs, ['a', 'b'], ['y'], [])).toEqual(['a']);
  expect([tags('a'), tags('b')]).toEqual([
    ['x', 'y'],
    ['x', 'y'],
  ]);
  expect(tagRuns(store.runs, ['a', 'full'], ['z'], ['x', 't0'])).toEqual(['a', 'full']);
  expect(tags('a')).toEqual(['y', 'z']);
});

test('one that would have too many, or is not there, keeps all as they are', () => {
  expect(() => tagRuns(store.runs, ['a', 'full'], ['z'], [])).toThrow('would have 21 tags');
  expect(() => tagRuns(store.runs, ['a', 'gone'], ['z'], [])).toThrow('no run gone');
  expect(tags('a')).toEqual(['x']);
});
