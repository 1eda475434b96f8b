import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Handlers } from '../../src-shared/contract/api.ts';
import { AppError } from '../../src-shared/errors.ts';
import type { MachineCheck } from '../../src-shared/model/host.ts';
import type { Run, RunHead } from '../../src-shared/model/run.ts';
import type { Target } from '../../src-shared/model/target.ts';
import { compareSides } from '../../src-shared/stats/compare.ts';
import { generators } from '../app/generate.ts';
import { phaseOf, runOf, tickOf } from '../reports/testRun.ts';
import { makeHost } from '../store/testHost.ts';
import { runCommandLine } from './program.ts';
import { fakeApp, fakeCli } from './testCli.ts';

const catalogue = { version: '1.2.3', engines: [], workloads: [], recipes: [], generators };
let folder = '';
let planFile = '';
beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'benchberry-cli-'));
  planFile = path.join(folder, 'plan.yaml');
  await writeFile(planFile, 'the core parses it\n');
});
afterAll(() => rm(folder, { recursive: true }));

const sandbox: Target = {
  id: 'sandbox',
  name: 'sandbox',
  engine: 'sandbox',
  builtIn: true,
  connection: {},
  hasSecret: false,
  hostId: null,
  lastSeen: null,
  lastSeenAt: null,
  createdAt: '2026-01-01T00:00:00.000Z',
};

function headOf(run: Run): RunHead {
  const { plan, resolvedSteps, seed, client, server, phases, error, ...head } = run;
  return head;
}

/** A core whose every run prints one line of progress and ends as given, one after the other. */
function coreOf(runs: readonly Run[], parts: Partial<Handlers> = {}) {
  const fake = fakeApp({
    'plans.parse': async () => runOf().plan,
    'plans.validate': async () => ({ problems: [], rows: 40, summary: '', cells: 1 }),
    'targets.resolve': async () => sandbox,
    'runs.get': async ({ id }) => {
      const run = runs.find((each) => each.id === id);
      if (!run) throw new AppError({ code: 'not-found', message: `no run ${id}` });
      return run;
    },
    'baselines.compare': async () => null,
    'runs.start': async () => {
      setImmediate(() => {
        for (const run of runs) {
          const head = headOf(run);
          fake.emit('run.changed', { head: { ...head, status: 'running' }, final: false });
          fake.emit(
            'run.tick',
            tickOf({ runId: run.id, intervalMs: 10_000, atMs: 10_000, rows: 40, metrics: 400 }),
          );
          fake.emit('run.changed', { head, final: true });
        }
      });
      const [first] = runs;
      if (!first) throw new AppError({ code: 'internal', message: 'no run' });
      return { ...headOf(first), status: 'preparing' };
    },
    ...parts,
  });
  return fake;
}

const withVerdict = (code: 'valid' | 'client-bound' | 'threshold-missed') =>
  runOf({ verdicts: [{ code, reason: 'Seen.', advice: '' }] });

describe('run', () => {
  it('prints progress and a summary and ends with 0 when the run is valid', async () => {
    const core = coreOf([runOf()]);
    const { cli, stdout, listening } = fakeCli(core.app);
    expect(await runCommandLine(cli, catalogue, ['run', planFile])).toBe(0);
    const lines = stdout().split('\n');
    expect(lines[0]).toBe(
      'time,per. metric/s,metric total,overall metric/s,per. row/s,row total,overall row/s',
    );
    expect(lines[1]).toBe('1767323055,40.00,4.000000E+02,40.00,4.00,4.000000E+01,4.00');
    expect(lines.join('\n')).toContain('Valid: Nothing speaks against these figures.');
    expect(core.closed()).toBe(1);
    expect(listening()).toBe(0);
  });

  it('prints the object alone on standard output with --json', async () => {
    const { cli, stdout, stderr } = fakeCli(coreOf([runOf()]).app);
    expect(await runCommandLine(cli, catalogue, ['run', planFile, '--json'])).toBe(0);
    expect(JSON.parse(stdout())).toMatchObject({ id: '3f2a91c4', status: 'finished', verdicts: ['valid'] });
    expect(stderr()).toContain('1767323055,40.00');
  });

  it('prints no progress with --quiet', async () => {
    const { cli, stdout, stderr } = fakeCli(coreOf([runOf()]).app);
    await runCommandLine(cli, catalogue, ['run', planFile, '--quiet', '--json']);
    expect(JSON.parse(stdout())).toMatchObject({ id: '3f2a91c4' });
    expect(stderr()).toBe('');
  });

  it('says why a run is not valid even with --quiet and --json', async () => {
    const { cli, stdout, stderr } = fakeCli(coreOf([withVerdict('client-bound')]).app);
    await runCommandLine(cli, catalogue, ['run', planFile, '--quiet', '--json']);
    expect(JSON.parse(stdout())).toMatchObject({ verdicts: ['client-bound'] });
    expect(stderr().trim()).toBe('Client-bound: Seen.');
  });

  it.each([
    [withVerdict('valid'), 0],
    [withVerdict('client-bound'), 1],
    [withVerdict('threshold-missed'), 1],
    [runOf({ status: 'failed', verdicts: [] }), 1],
    [runOf({ status: 'interrupted' }), 1],
    [runOf({ status: 'cancelled' }), 130],
  ])('ends with the code of the outcome (%#)', async (run, code) => {
    const { cli } = fakeCli(coreOf([run]).app);
    expect(await runCommandLine(cli, catalogue, ['run', planFile])).toBe(code);
  });

  it('tells the end of a run that could not be stored', async () => {
    const run = runOf({
      status: 'failed',
      verdicts: [{ code: 'failed', reason: 'The disk is full.', advice: '' }],
    });
    const stale = { ...run, status: 'running' as const, verdicts: [], endedAt: null };
    const { cli, stdout } = fakeCli(coreOf([run], { 'runs.get': async () => stale }).app);
    expect(await runCommandLine(cli, catalogue, ['run', planFile, '-q'])).toBe(1);
    expect(stdout()).toContain('The disk is full.');
    expect(stdout()).not.toContain('running');
  });

  it('tells what the run comes to against the baseline of its plan, where there is one', async () => {
    const figures = (rowsPerSecond: number) => runOf({ phases: [phaseOf({ rowsPerSecond })] });
    const sides = [
      { label: 'baseline', runs: [100, 102, 99, 101, 98].map(figures), leftOut: [] },
      { label: 'these runs', runs: [120, 118, 121, 119, 122].map(figures), leftOut: [] },
    ];
    const baseline = { plan: 'Small', side: 'a.0.0', setAt: '2026-01-01T00:00:00.000Z' };
    const answer = { baseline, side: 'b.0.0', comparison: compareSides(sides) };
    const { cli, stdout } = fakeCli(coreOf([runOf()], { 'baselines.compare': async () => answer }).app);
    expect(await runCommandLine(cli, catalogue, ['run', planFile])).toBe(0);
    expect(stdout()).toMatch(
      /vs baseline: 20\.0 % more rows\/s \(95 % interval 1\d\.\d to 2\d\.\d %\), five against five\n/,
    );
  });

  it('stops the run at the first Ctrl-C and keeps it, and ends at once at the second', async () => {
    const stopped: string[] = [];
    const cancelledRun = runOf({ status: 'cancelled' });
    let started: () => void = () => undefined;
    const running = new Promise<void>((resolve) => {
      started = resolve;
    });
    const core = coreOf([cancelledRun], {
      'runs.start': async () => {
        setImmediate(started);
        return { ...headOf(cancelledRun), status: 'preparing' };
      },
      'runs.stop': async ({ id }) => {
        stopped.push(id);
        return null;
      },
    });
    const { cli, interrupt, exits, stderr } = fakeCli(core.app);
    const code = runCommandLine(cli, catalogue, ['run', planFile]);
    await running;
    interrupt();
    expect(stopped).toEqual(['3f2a91c4']);
    expect(stderr()).toContain('what was measured so far is kept');
    interrupt();
    expect(exits).toEqual([130]);
    core.emit('run.changed', { head: headOf(cancelledRun), final: true });
    expect(await code).toBe(130);
  });

  it('ends with 2 and the place when the plan cannot be used', async () => {
    const core = coreOf([], {
      'plans.parse': async () => {
        throw new AppError({
          code: 'unknown-key',
          message: 'There is no parameter sale',
          place: { file: 'p.yaml', line: 5, column: 3 },
          hint: 'Did you mean scale?',
        });
      },
    });
    const { cli, stdout, stderr } = fakeCli(core.app);
    expect(await runCommandLine(cli, catalogue, ['run', planFile, '--json'])).toBe(2);
    expect(stdout()).toBe('');
    expect(stderr()).toBe('There is no parameter sale (p.yaml:5:3)\n  next: Did you mean scale?\n');
    expect(core.closed()).toBe(1);
  });

  it('names every problem of the plan', async () => {
    const problems = [
      { path: 'steps[0].tsbs.load.scale', message: 'At least 1', hint: 'Try 40.' },
      { path: 'steps[1].tsbs.queries.types', message: 'No such type', hint: null },
    ];
    const core = coreOf([], {
      'plans.validate': async () => ({ problems, rows: null, summary: '', cells: 1 }),
    });
    const { cli, stderr } = fakeCli(core.app);
    expect(await runCommandLine(cli, catalogue, ['run', planFile])).toBe(2);
    expect(stderr()).toContain('field steps[0].tsbs.load.scale');
    expect(stderr()).toBe('');
  });

  it('ends with 2 when there is no such file', async () => {
    const { cli, stderr } = fakeCli(coreOf([]).app);
    expect(await runCommandLine(cli, catalogue, ['run', path.join(folder, 'none.yaml')])).toBe(2);
    expect(stderr()).toContain('The plan file cannot be read');
  });

  it('ends with 1 when the server cannot be reached', async () => {
    const core = coreOf([], {
      'runs.start': async () => {
        throw new AppError({ code: 'connection-refused', message: 'Nothing answers', place: { host: 'db' } });
      },
    });
    const { cli, stderr } = fakeCli(core.app);
    expect(await runCommandLine(cli, catalogue, ['run', planFile])).toBe(1);
    expect(stderr()).toContain('Nothing answers (db)');
  });

  it('shows the rows that were counted', async () => {
    const run = runOf({ phases: [phaseOf({ verifiedRows: 39 })] });
    const { cli, stdout } = fakeCli(coreOf([run]).app);
    await runCommandLine(cli, catalogue, ['run', planFile, '-q']);
    expect(stdout()).toContain('39 rows counted in the database');
  });
});

describe('the password of a target', () => {
  const server: Target = { ...sandbox, id: 't1', name: 'pi', engine: 'postgresql', builtIn: false };
  const needed = new AppError({ code: 'password-needed', message: 'A password is needed' });

  it('comes from the environment', async () => {
    const secrets: string[] = [];
    const core = coreOf([runOf()], {
      'targets.resolve': async () => server,
      'targets.setSecret': async ({ secret }) => {
        secrets.push(secret);
        return null;
      },
      'targets.test': async () => {
        if (secrets.length === 0) throw needed;
        return {} as never;
      },
    });
    const { cli } = fakeCli(core.app, { BENCHBERRY_PASSWORD: 'pässword' });
    expect(await runCommandLine(cli, catalogue, ['run', planFile, '--target', 'pi'])).not.toBe(2);
    expect(secrets).toEqual(['pässword']);
  });

  it('is asked for by name where it is nowhere', async () => {
    const core = coreOf([runOf()], {
      'targets.resolve': async () => server,
      'targets.test': async () => {
        throw needed;
      },
    });
    const { cli, stderr } = fakeCli(core.app);
    expect(await runCommandLine(cli, catalogue, ['run', planFile])).toBe(1);
    expect(stderr()).toContain('BENCHBERRY_PASSWORD');
  });
});

describe('a target with a host', () => {
  const target: Target = { ...sandbox, id: 't1', name: 'pi', hostId: 'host-1' };
  const host = { ...makeHost({ name: 'rpi-4' }), hasSecret: true };
  const line = (title: string, result: 'pass' | 'wait' | 'fail', detail: string): MachineCheck => ({
    ...{ id: title, title, result, detail, advice: '', value: null, unit: null, raw: '' },
  });
  const parts = (start: Handlers['runs.start']) => ({
    'targets.resolve': async () => target,
    'hosts.list': async () => [host],
    'hosts.disturbers': async () => ['fstrim.timer', 'man-db.timer'],
    'runs.start': start,
  });

  it('is refused with the lines that did not pass, the option that overrides them, and 2', async () => {
    const core = coreOf(
      [],
      parts(async () => {
        core.emit('run.gate', {
          targetId: 't1',
          hostName: 'rpi-4',
          checks: [line('Temperature', 'wait', '71 °C'), line('Load', 'pass', '0.1')],
          waitedMs: 0,
        });
        throw new AppError({
          code: 'host-not-ready',
          message: 'rpi-4 is not ready for a run',
          detail: 'Free space: 1 GiB free on /',
        });
      }),
    );
    const { cli, stderr } = fakeCli(core.app);
    expect(await runCommandLine(cli, catalogue, ['run', planFile])).toBe(2);
    const text = stderr();
    expect(text).toContain('Waiting until rpi-4 is ready. Temperature: 71 °C\n');
    expect(text).toContain('rpi-4 is not ready for a run');
    expect(text).toContain('Free space: 1 GiB free on /');
    expect(text).toContain('--override-gate "why"');
  });

  it('hands over the note and the wish for quiet, and says what will be stopped', async () => {
    const given: unknown[] = [];
    const core = coreOf(
      [],
      parts(async ({ plan, overrideGate }) => {
        given.push(plan.quietHost, overrideGate);
        throw new AppError({ code: 'connection-refused', message: 'Nothing answers' });
      }),
    );
    const { cli, stderr } = fakeCli(core.app);
    const args = ['run', planFile, '--quiet-host', '--override-gate', 'its fan is broken'];
    expect(await runCommandLine(cli, catalogue, args)).toBe(1);
    expect(given).toEqual([true, 'its fan is broken']);
    expect(stderr()).toContain('stopped and started again: fstrim.timer, man-db.timer');
  });

  it('takes the password of sudo from the environment, and names the variable where there is none', async () => {
    const needed = new AppError({ code: 'password-needed', message: 'sudo asks', secret: 'sudo' });
    const core = coreOf(
      [],
      parts(async () => {
        throw needed;
      }),
    );
    const { cli, stderr } = fakeCli(core.app);
    expect(await runCommandLine(cli, catalogue, ['run', planFile])).toBe(1);
    expect(stderr()).toContain('BENCHBERRY_SUDO_PASSWORD');
  });
});
