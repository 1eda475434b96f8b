import { spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openStore } from '../store/openStore.ts';
import { makeRun, makeTarget, makeTick } from '../store/testRun.ts';
import { memorySecrets } from './secrets.ts';
import { loadPlan, makeFolder, openTestApp, removeFolder } from './testApp.ts';

/** Far more rows than any test waits for. */
const endless = loadPlan(1000, 24 * 300);

test('a run whose process was killed is listed as interrupted, with its ticks and what they add up to', async () => {
  const folder = makeFolder();
  const from = (file: string) => JSON.stringify(new URL(file, import.meta.url).href);
  const script = `
    import { createApp } from ${from('./createApp.ts')};
    import { memorySecrets } from ${from('./secrets.ts')};
    const app = await createApp({ dataFolder: ${JSON.stringify(folder)}, secrets: memorySecrets() });
    let ticks = 0;
    app.events.on('run.tick', () => {
      ticks += 1;
      if (ticks === 2) process.kill(process.pid, 'SIGKILL');
    });
    await app.api.call('runs.start', { plan: ${JSON.stringify(endless)}, targetId: 'null' });
  `;
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], { stdio: 'inherit' });
  const signal = await new Promise((resolve) => child.on('exit', (_, name) => resolve(name)));
  expect(signal).toBe('SIGKILL');
  const again = await openTestApp(folder);
  const [head] = await again.api.call('runs.list', {});
  expect(head).toMatchObject({ status: 'interrupted' });
  expect(head?.verdicts.map(({ code }) => code)).toContain('interrupted');
  const { ticks } = await again.api.call('runs.series', { id: head?.id ?? '' });
  expect(ticks).toHaveLength(2);
  const rows = ticks
    .flatMap(({ operations }) => operations)
    .reduce((sum, operation) => sum + operation.rows, 0);
  expect(head?.rows).toBe(rows);
  expect(rows).toBeGreaterThan(0);
  const { head: next } = await (async () => {
    const started = await again.api.call('runs.start', { plan: loadPlan(1, 1), targetId: 'null' });
    return again.until('run.changed', (change) => change.final && change.head.id === started.id);
  })();
  expect(next.status).toBe('finished');
  await again.close();
  removeFolder(folder);
});

test('what was removed over a day ago is gone at the start, with its password; what was removed since is not', async () => {
  const folder = makeFolder();
  const secrets = memorySecrets();
  let time = Date.now() - 25 * 3_600_000;
  const store = openStore(folder, { now: () => new Date(time) });
  for (const id of ['old', 'new', 'kept']) {
    store.targets.save(makeTarget({ id, name: id }));
    await secrets.set(id, `password of ${id}`);
  }
  store.targets.remove('old');
  time = Date.now() - 23 * 3_600_000;
  store.targets.remove('new');
  store.close();
  const opened = await openTestApp(folder, secrets);
  expect(await Promise.all(['old', 'new', 'kept'].map((id) => secrets.get(id)))).toEqual([
    null,
    'password of new',
    'password of kept',
  ]);
  expect(await opened.api.call('targets.restore', { id: 'new' })).toMatchObject({
    name: 'new',
    hasSecret: true,
  });
  await expect(opened.api.call('targets.restore', { id: 'old' })).rejects.toMatchObject({
    code: 'not-found',
  });
  await opened.close();
  removeFolder(folder);
});

test('a damaged store is set aside and said; one of a newer version stops the start and is left alone', async () => {
  const folder = makeFolder();
  writeFileSync(join(folder, 'benchberry.sqlite'), 'this is no database');
  const opened = await openTestApp(folder);
  const { notices } = await opened.api.call('app.info', null);
  expect(notices).toEqual([expect.stringContaining('benchberry.damaged-')]);
  await opened.close();

  const file = join(folder, 'benchberry.sqlite');
  const bytes = readFileSync(file);
  bytes.writeUInt32BE(99, 60); // user_version, https://www.sqlite.org/fileformat.html
  writeFileSync(file, bytes);
  await expect(openTestApp(folder)).rejects.toMatchObject({ code: 'store-newer' });
  expect(readFileSync(file).equals(bytes)).toBe(true);
  removeFolder(folder);
});

test('an active run of a dead process that cannot be read, or whose histograms cannot, does not stop the start', async () => {
  const folder = makeFolder();
  const store = openStore(folder);
  const phase = {
    index: 0,
    name: 'tsbs.load',
    kind: 'load' as const,
    workers: 1,
    startedMs: 0,
    rows: 0,
    metrics: 0,
    bytes: 0,
    seconds: 0,
    rowsPerSecond: 0,
    metricsPerSecond: 0,
    verifiedRows: null,
    plannedRows: 10,
    operations: [],
    notes: [],
  };
  store.runs.create(makeRun({ phases: [phase] }), { pid: 2 ** 30, startedAt: 1 });
  store.runs.appendTick(makeTick(), [{ operation: 'batch', latency: 'nonsense', service: null }]);
  store.runs.create(makeRun({ id: 'unreadable', client: JSON.parse('{}') }), { pid: 2 ** 30, startedAt: 1 });
  store.close();
  const opened = await openTestApp(folder);
  expect(await opened.api.call('runs.get', { id: 'run-1' })).toMatchObject({ status: 'interrupted' });
  const { events } = await opened.api.call('runs.series', { id: 'run-1' });
  expect(events.map(({ text }) => text)).toContainEqual(expect.stringContaining('stored histograms'));
  const { notices } = await opened.api.call('app.info', null);
  expect(notices).toEqual([expect.stringContaining('unreadable')]);
  await opened.close();
  removeFolder(folder);
});

test('two processes on one folder: each hears of what the other writes, and neither stops the other one’s run', async () => {
  const folder = makeFolder();
  const one = await openTestApp(folder);
  const two = await openTestApp(folder);
  const head = await two.api.call('runs.start', { plan: endless, targetId: 'null' });
  await one.until('lists.changed', ({ what }) => what === 'runs');
  expect(await one.api.call('runs.list', {})).toMatchObject([
    { id: head.id, status: expect.stringMatching(/preparing|running/) },
  ]);
  await expect(one.api.call('runs.stop', { id: head.id })).rejects.toMatchObject({ code: 'run-active' });
  await two.api.call('runs.stop', { id: head.id });
  expect(await one.api.call('runs.get', { id: head.id })).toMatchObject({ status: 'cancelled' });
  await expect(one.api.call('runs.stop', { id: 'none' })).rejects.toMatchObject({ code: 'not-found' });
  await one.close();
  await two.close();
  removeFolder(folder);
});
