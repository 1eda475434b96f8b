import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { nullDriver } from '../databases/null/index.ts';
import { loadPlan, openTestApp, removeFolder, type TestApp } from './testApp.ts';

let app: TestApp;
beforeEach(async () => {
  app = await openTestApp();
});
afterEach(async () => {
  vi.restoreAllMocks();
  await app.close();
  removeFolder(app.folder);
});

/** The null target's sessions, with a count of what is dropped and closed. */
function watchSessions() {
  const seen = { dropped: [] as string[], closed: 0 };
  const { openSession } = nullDriver;
  vi.spyOn(nullDriver, 'openSession').mockImplementation(async (...args) => {
    const session = await openSession(...args);
    return {
      ...session,
      async drop(prepared, signal) {
        expect(signal.aborted).toBe(false);
        seen.dropped.push(prepared.database);
        await session.drop(prepared, signal);
      },
      async close() {
        seen.closed += 1;
        await session.close();
      },
    };
  });
  return seen;
}

test('a check that is cancelled half-way is over as cancelled, and removes what it made', async () => {
  const seen = watchSessions();
  const controller = new AbortController();
  const { openWriter } = nullDriver;
  vi.spyOn(nullDriver, 'openWriter').mockImplementation((...args) => {
    controller.abort();
    return openWriter(...args);
  });
  const check = app.api.call('plans.check', { plan: loadPlan(1, 1), targetId: 'null' }, controller.signal);
  await expect(check).rejects.toMatchObject({ code: 'cancelled' });
  expect(seen).toEqual({ dropped: ['benchberry_check'], closed: 1 });
});

test('what fails is an item, what can still be done is done, and the scratch database goes', async () => {
  const seen = watchSessions();
  vi.spyOn(nullDriver, 'openWriter').mockRejectedValue(new Error('no more connections'));
  const { ok, items } = await app.api.call('plans.check', { plan: loadPlan(1, 1), targetId: 'null' });
  expect(ok).toBe(false);
  expect(items.map((item) => [item.ok, item.title])).toEqual([
    [true, 'Plan'],
    [true, 'Connect to null'],
    [true, 'Describe the server'],
    [true, 'Make a scratch database'],
    [false, 'Write 100 rows'],
    [true, 'Remove the scratch database'],
  ]);
  expect(items[4]?.detail).toContain('no more connections');
  expect(seen).toEqual({ dropped: ['benchberry_check'], closed: 1 });
});

test('a plan that only generates makes no database', async () => {
  const seen = watchSessions();
  const plan = loadPlan(1, 1, { doLoad: false });
  const { ok, items } = await app.api.call('plans.check', { plan, targetId: 'null' });
  expect(ok).toBe(true);
  expect(items.map(({ title }) => title)).toEqual(['Plan', 'Connect to null', 'Describe the server']);
  expect(seen).toEqual({ dropped: [], closed: 1 });
});
