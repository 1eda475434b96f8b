import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { z } from 'zod';
import { tickSchema } from '../../src-shared/model/tick.ts';
import { openStore } from '../store/openStore.ts';
import { interruptOrphans } from './interrupt.ts';
import { fakeTarget, loadPhase, queriesPhase, request, testBench } from './testBench.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'benchberry-killed-'));
});
afterEach(() => {
  rmSync(folder, { recursive: true });
});

it('a process killed in mid-run leaves a run that opens as interrupted, with its ticks', async () => {
  const child = spawn(process.execPath, [fileURLToPath(new URL('./testChild.ts', import.meta.url)), folder], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(child, 'exit');
  const line = z.object({ name: z.string(), data: z.unknown() });
  const seen: z.infer<typeof tickSchema>[] = [];
  for await (const text of createInterface({ input: child.stdout })) {
    const { name, data } = line.parse(JSON.parse(text));
    if (name === 'run.tick') seen.push(tickSchema.parse(data));
    if (seen.length >= 2 && seen.some((tick) => tick.operations[0]?.rows)) break;
  }
  const store = openStore(folder);
  expect(interruptOrphans(store.runs)).toEqual([]); // it still lives
  child.kill('SIGKILL');
  await ended;

  const [head] = interruptOrphans(store.runs);
  expect(head?.status).toBe('interrupted');
  expect(head?.verdicts[0]?.code).toBe('interrupted');
  const run = store.runs.get(head?.id ?? '');
  const { ticks, events } = store.runs.series(head?.id ?? '');
  expect(ticks.slice(0, seen.length)).toEqual(seen); // what was published was stored before
  const rows = ticks.reduce((n, tick) => n + (tick.operations[0]?.rows ?? 0), 0);
  expect(rows).toBeGreaterThan(0);
  const [phase] = run?.phases ?? [];
  const [batch] = phase?.operations ?? [];
  expect(phase).toMatchObject({ rows, metrics: rows * 10, verifiedRows: null });
  expect(batch?.count).toBe(rows / 10_000);
  expect(batch?.latencyUs).toMatchObject({
    count: batch?.count,
    sum: ticks.reduce((us, tick) => us + (tick.operations[0]?.latencyUs?.sum ?? 0), 0),
  });
  expect(phase?.seconds).toBeCloseTo(ticks.reduce((ms, tick) => ms + tick.intervalMs, 0) / 1000, 6);
  expect(Date.parse(run?.endedAt ?? '') - Date.parse(run?.startedAt ?? '')).toBeCloseTo(
    ticks.at(-1)?.atMs ?? -1,
    -1,
  );
  expect(events.at(-1)?.kind).toBe('stop');
  expect(interruptOrphans(store.runs)).toEqual([]); // once
  store.close();
});

it('finished phases and query types keep the figures they had', async () => {
  const bench = testBench();
  const target = fakeTarget(2_000, { delayMs: 5 });
  const phases = [loadPhase(2_000), queriesPhase(['a', 'b'], 400, { workers: 2 })];
  const { id } = bench.runner.start(request(target, phases));
  await bench.runner.ended(id);
  const whole = bench.store.runs.get(id);
  const [load, queries] = whole?.phases ?? [];
  if (!load || !queries) throw new Error('two phases');
  // as it was stored while query type b was on
  const [a] = queries.operations;
  if (!a) throw new Error('an operation');
  const half = { ...queries, operations: [a], rows: a.rows, bytes: a.bytes, seconds: a.seconds };
  bench.store.runs.update(id, { status: 'running', phases: [load, half], verdicts: [], endedAt: null });
  interruptOrphans(bench.store.runs, () => false);
  const restored = bench.store.runs.get(id);
  expect(restored?.phases[0]).toEqual(load);
  const [, b] = queries.operations;
  const again = restored?.phases[1];
  expect(again?.operations[0]).toEqual(a);
  expect(again?.operations[1]).toMatchObject({
    name: 'b',
    count: 400,
    latencyUs: b?.latencyUs,
    rows: b?.rows,
  });
  expect(again?.rows).toBe(queries.rows);
  expect(again?.seconds).toBeCloseTo(queries.seconds, 6);
  await bench.close();
});

it('neither rows nor seconds of a burn-in are in the rates of an interrupted run', async () => {
  const bench = testBench();
  const target = fakeTarget(100, { delayMs: 2 });
  const { id } = bench.runner.start(request(target, [queriesPhase(['a'], 100, { burnIn: 60 })]));
  await bench.runner.ended(id);
  const whole = bench.store.runs.get(id);
  const [phase] = whole?.phases ?? [];
  const [a] = phase?.operations ?? [];
  if (!phase || !a) throw new Error('a phase');
  // as it was stored while it was on
  const begun = { ...phase, operations: [], rows: 0, bytes: 0, seconds: 0, rowsPerSecond: 0 };
  bench.store.runs.update(id, { status: 'running', phases: [begun], verdicts: [], endedAt: null });
  interruptOrphans(bench.store.runs, () => false);
  const again = bench.store.runs.get(id)?.phases[0];
  expect(again?.operations[0]).toMatchObject({ name: 'a', count: 40, latencyUs: a.latencyUs });
  expect(again?.operations[0]?.seconds).toBeCloseTo(a.seconds, 6);
  expect(again?.rowsPerSecond).toBeCloseTo(phase.rowsPerSecond, 6);
  expect(phase.seconds).toBeGreaterThan(a.seconds);
  await bench.close();
});
