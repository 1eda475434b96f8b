import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { AppError } from '../../src-shared/errors.ts';
import { fakeTarget, loadPhase, queriesPhase, refused, request, testBench } from './testBench.ts';

let bench: ReturnType<typeof testBench>;
beforeEach(() => {
  bench = testBench();
});
afterEach(async () => {
  await bench.close();
});

const finals = () => bench.all('run.changed').filter(({ final }) => final);

describe('a run that fails', () => {
  it('before anything began ends with the reason', async () => {
    const resolve = async () => {
      throw refused();
    };
    const { id } = bench.runner.start(request(fakeTarget(1), [loadPhase(1)], { resolve }));
    const head = await bench.runner.ended(id);
    expect(head.status).toBe('failed');
    expect(bench.store.runs.get(id)).toMatchObject({ phases: [], error: { code: 'connection-refused' } });
    expect(finals()).toHaveLength(1);
  });

  it('while the tables are made has no phase', async () => {
    const prepare = async () => {
      throw new AppError({ code: 'database-not-ours', message: 'That database is not ours' });
    };
    const target = fakeTarget(1, {}, { prepare });
    const { id } = bench.runner.start(request(target, [loadPhase(1)]));
    expect((await bench.runner.ended(id)).status).toBe('failed');
    expect(bench.store.runs.get(id)).toMatchObject({ phases: [], error: { code: 'database-not-ours' } });
    expect(target.calls).toContain('close');
  });

  it('in mid-load keeps the rows acknowledged and the ticks', async () => {
    const target = fakeTarget(20_000, { delayMs: 20, failAt: 15_000 });
    const { id } = bench.runner.start(request(target, [loadPhase(20_000), queriesPhase(['a'], 1)]));
    const head = await bench.runner.ended(id);
    expect(head.status).toBe('failed');
    // a third one may say that this machine is overloaded
    expect(head.verdicts.map((v) => v.code).slice(0, 2)).toEqual(['failed', 'errors']);
    const run = bench.store.runs.get(id);
    const acknowledged = target.hits.reduce((a, b) => a + b);
    expect(acknowledged).toBeGreaterThan(1_000);
    expect(run?.phases.map((p) => [p.name, p.rows, p.verifiedRows])).toEqual([
      ['fake.load', acknowledged, null],
    ]);
    const { ticks } = bench.store.runs.series(id);
    expect(ticks.reduce((n, t) => n + (t.operations[0]?.rows ?? 0), 0)).toBe(acknowledged);
    expect(run?.error?.code).toBe('connection-lost');
  });

  it('because a worker died', async () => {
    const target = fakeTarget(20_000, { delayMs: 5, exitAt: 10_000 });
    const { id } = bench.runner.start(request(target, [loadPhase(20_000)]));
    expect((await bench.runner.ended(id)).status).toBe('failed');
    expect(bench.store.runs.get(id)?.error?.code).toBe('worker-died');
  });

  it('because its ticks cannot be stored', async () => {
    const full = new AppError({ code: 'disk-full', message: 'The disk is full' });
    const { runs } = bench.store;
    Object.assign(runs, {
      appendTick: () => {
        throw full;
      },
    });
    const { id } = bench.runner.start(request(fakeTarget(50_000, { delayMs: 20 }), [loadPhase(50_000)]));
    expect((await bench.runner.ended(id)).status).toBe('failed');
    expect(runs.get(id)?.error?.code).toBe('disk-full');
  });

  it('and whose end cannot be stored either, still ends, with a notice', async () => {
    const target = fakeTarget(
      1_000,
      {},
      {
        count: async () => {
          const update = () => {
            throw new AppError({ code: 'disk-full', message: 'The disk is full' });
          };
          Object.assign(bench.store.runs, { update });
          return { cpu: 1_000 };
        },
      },
    );
    const { id } = bench.runner.start(request(target, [loadPhase(1_000)]));
    expect((await bench.runner.ended(id)).status).toBe('failed');
    expect(finals()).toHaveLength(1);
    expect(bench.all('notice')).toMatchObject([{ level: 'error', error: { code: 'disk-full' } }]);
  });
});
