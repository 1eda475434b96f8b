import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { Handlers } from '../../src-shared/contract/api.ts';
import type { FormField } from '../../src-shared/model/form.ts';
import type { ServerDescription } from '../../src-shared/model/server.ts';
import type { Target, TargetDraft } from '../../src-shared/model/target.ts';
import { compareRuns } from '../../src-shared/stats/compare.ts';
import { generators } from '../app/generate.ts';
import { latencyOf, operationOf, phaseOf, runOf } from '../reports/testRun.ts';
import { makeHost } from '../store/testHost.ts';
import { checkMemory, checkNode } from './doctor.ts';
import { runCommandLine } from './program.ts';
import { fakeApp, fakeCli } from './testCli.ts';

const field = (part: Partial<FormField>): FormField => ({
  key: 'host',
  label: 'Host',
  help: 'Name or address of the server.',
  group: 'Server',
  advanced: false,
  unit: null,
  kind: 'text',
  options: [],
  min: null,
  max: null,
  required: false,
  default: null,
  ...part,
});

const catalogue = {
  generators,
  version: '1.2.3',
  engines: [
    { id: 'sandbox', label: 'Sandbox', description: 'Built in.', builtIn: true, connection: [] },
    {
      id: 'postgresql',
      label: 'PostgreSQL',
      description: 'A server.',
      builtIn: false,
      connection: [
        field({ required: true }),
        field({ key: 'port', label: 'Port', kind: 'integer', help: 'TCP port.', default: 5432 }),
        field({
          key: 'tlsMode',
          kind: 'choice',
          help: 'TLS.',
          options: [
            { value: 'off', label: 'Off', help: null },
            { value: 'verify', label: 'Verify', help: null },
          ],
        }),
      ],
    },
  ],
  recipes: [],
  workloads: [
    {
      id: 'tsbs',
      label: 'TSBS',
      description: '',
      steps: [
        {
          id: 'tsbs.load',
          label: 'Load',
          description: 'Loads rows.',
          fields: [field({ key: 'batchSize', help: 'Rows a batch.', unit: 'rows', default: 10_000 })],
        },
      ],
    },
  ],
};

async function run(args: string[], parts: Partial<Handlers> = {}, env: Record<string, string> = {}) {
  const { cli, stdout, stderr } = fakeCli(fakeApp(parts).app, env);
  const code = await runCommandLine(cli, catalogue, args);
  return { code, stdout: stdout(), stderr: stderr() };
}

describe('the command line', () => {
  it('prints its version and its help on standard output', async () => {
    expect(await run(['--version'])).toEqual({ code: 0, stdout: '1.2.3\n', stderr: '' });
    const help = await run(['--help']);
    expect(help.code).toBe(0);
    for (const command of [
      'run',
      'demo',
      'list',
      'show',
      'compare',
      'baseline',
      'targets',
      'serve',
      'doctor',
    ]) {
      expect(help.stdout).toMatch(new RegExp(`^ {2}${command}\\b`, 'm'));
    }
  });
  it('takes what it does not know for bad input', async () => {
    expect(await run(['runn'])).toMatchObject({ code: 2, stdout: '' });
    expect((await run(['runn'])).stderr).toContain('Did you mean run?');
    const { code, stderr } = await run(['list', '--jsn']);
    expect(code).toBe(2);
    expect(stderr).toContain('benchberry list --help tells more');
    expect((await run(['targets', 'test'])).stderr).toContain('benchberry targets test --help tells more');
    expect((await run(['compare', 'a'])).code).toBe(2);
    expect((await run(['serve', '--port', '70000'])).code).toBe(2);
  });
  it("describes a plan's parameters from their schema", async () => {
    const { stdout } = await run(['run', '--help']);
    expect(stdout).toMatch(
      /Parameters of tsbs\.load: Loads rows\.\n {2}batchSize +Rows a batch\. \(rows; default 10000\)/,
    );
  });
});

describe('targets', () => {
  const saved: Target = {
    id: 't1',
    name: 'pi',
    engine: 'postgresql',
    builtIn: false,
    connection: { host: 'pi.local', port: 5432 },
    hasSecret: false,
    hostId: null,
    lastSeen: null,
    lastSeenAt: null,
    createdAt: '2026-01-01T00:00:00.000Z',
  };

  it('adds one from flags that are made from the engine, the password from the environment', async () => {
    const drafts: TargetDraft[] = [];
    const args = [
      'targets',
      'add',
      'postgresql',
      'pi',
      '--host',
      'pi.local',
      '--port',
      '5433',
      '--tls-mode',
      'verify',
    ];
    const result = await run(
      args,
      {
        'hosts.list': async () => [],
        'targets.save': async (draft) => {
          drafts.push(draft);
          return saved;
        },
      },
      { BENCHBERRY_PASSWORD: 's3' },
    );
    expect(result).toMatchObject({ code: 0, stderr: '' });
    expect(drafts).toEqual([
      {
        id: null,
        name: 'pi',
        engine: 'postgresql',
        connection: { host: 'pi.local', port: 5433, tlsMode: 'verify' },
        secret: 's3',
        hostId: null,
      },
    ]);
  });
  it('knows the host it runs on by its address, or as told', async () => {
    const host = (id: string, name: string, address: string) => ({
      ...makeHost({ id, name, address }),
      hasSecret: false,
    });
    const hosts = [host('h1', 'rpi-3', 'pi.local'), host('h2', 'rpi-4', 'other.local')];
    const drafts: TargetDraft[] = [];
    const parts: Partial<Handlers> = {
      'hosts.list': async () => hosts,
      'targets.save': async (draft) => {
        drafts.push(draft);
        return saved;
      },
    };
    const add = ['targets', 'add', 'postgresql', 'pi', '--host', 'PI.local'];
    expect((await run(add, parts)).stderr).toBe('It runs on the host rpi-3\n');
    expect((await run([...add, '--runs-on', 'rpi-4'], parts)).stderr).toBe('It runs on the host rpi-4\n');
    expect((await run([...add, '--runs-on', 'none'], parts)).stderr).toBe('');
    expect(drafts.map(({ hostId }) => hostId)).toEqual(['h1', 'h2', null]);
    const wrong = await run([...add, '--runs-on', 'rpi-5'], parts);
    expect(wrong).toMatchObject({ code: 2 });
    expect(wrong.stderr).toContain('There is no host named "rpi-5"');
  });
  it('refuses flags that are missing, unknown or no number', async () => {
    const add = ['targets', 'add', 'postgresql', 'pi'];
    expect((await run(add)).stderr).toContain('--host');
    expect((await run([...add, '--host', 'h', '--password', 'x'])).code).toBe(2);
    expect((await run([...add, '--host', 'h', '--tls-mode', 'maybe'])).code).toBe(2);
    const port = await run([...add, '--host', 'h', '--port', 'abc']);
    expect(port).toMatchObject({ code: 2 });
    expect(port.stderr).toContain('field port');
    expect((await run(['targets', 'add', 'sandbox', 'x'])).code).toBe(2);
  });
  it('lists them', async () => {
    const { stdout } = await run(['targets'], { 'targets.list': async () => [saved] });
    expect(stdout).toContain('host=pi.local port=5432');
    const json = await run(['targets', '--json'], { 'targets.list': async () => [saved] });
    expect(JSON.parse(json.stdout)).toEqual([saved]);
  });
  it('tests and removes one by its name', async () => {
    const server: ServerDescription = {
      engine: 'postgresql',
      product: 'PostgreSQL',
      version: '17.5',
      versionText: 'PostgreSQL 17.5 on x86_64',
      edition: 'plain',
      dialect: 'postgresql',
      database: 'postgres',
      sizeBytes: 8 * 1024 * 1024,
      tls: null,
      roundTripUs: 250,
      settings: [],
      notes: [],
    };
    const removed: string[] = [];
    const parts: Partial<Handlers> = {
      'targets.resolve': async () => saved,
      'targets.test': async () => server,
      'targets.remove': async ({ id }) => {
        removed.push(id);
        return null;
      },
    };
    expect((await run(['targets', 'test', 'pi'], parts)).stdout).toContain('PostgreSQL 17.5, plain');
    expect((await run(['targets', 'remove', 'pi'], parts)).code).toBe(0);
    expect(removed).toEqual(['t1']);
  });
});

describe('runs', () => {
  const a = runOf({ id: '3f2a91c4', name: 'Before' });
  const b = runOf({
    id: '3f9b0000',
    name: 'After',
    targetName: 'pi',
    phases: [
      phaseOf({ rowsPerSecond: 30, operations: [operationOf({ latencyUs: latencyOf({ p99: 2000 }) })] }),
    ],
  });
  const parts: Partial<Handlers> = {
    'runs.list': async () =>
      [a, b].map(({ plan, resolvedSteps, seed, client, server, phases, error, ...head }) => head),
    'runs.get': async ({ id }) => (id === a.id ? a : b),
    'runs.text': async () => 'Summary:\n',
    'comparisons.make': async ({ sides, base }) =>
      compareRuns(
        sides.map(({ runIds: [id] }) => (id === a.id ? a : b)),
        base,
      ),
    'runs.series': async () => ({ ticks: [], events: [], health: [], server: [], serverWatch: null }),
  };

  it('lists them, and says what to do while there are none', async () => {
    const { stdout } = await run(['list'], parts);
    expect(stdout.split('\n')[1]).toMatch(
      /^3f2a91c4 {2}2026-01-02 03:04:05 {2}Valid +20\.00 rows\/s {2}4\.00 ms {2}sandbox +Before$/,
    );
    const none = { 'runs.list': async () => [] };
    expect((await run(['list'], none)).stdout).toContain('npm run demo');
    // That nothing was found does not say that there is nothing.
    expect((await run(['list', '--search', 'x'], none)).stdout.trim()).toBe(
      'No run has this. All are shown by: benchberry list',
    );
  });
  it('finds a run by the first characters of its id', async () => {
    expect((await run(['show', '3f2'], parts)).stdout).toContain('Before');
    expect(JSON.parse((await run(['show', '3F9', '--json'], parts)).stdout)).toMatchObject({
      id: '3f9b0000',
    });
    expect((await run(['show', '3f2', '--text'], parts)).stdout).toBe('Summary:\n');
  });
  it('refuses an id that is none or several', async () => {
    expect(await run(['show', 'beef'], parts)).toMatchObject({ code: 2, stdout: '' });
    const both = await run(['show', '3f'], parts);
    expect(both.code).toBe(2);
    expect(both.stderr).toContain('3f2a91c4 (Before), 3f9b0000 (After)');
  });
  it('compares two: differences first, then figures with their change', async () => {
    const { stdout, code } = await run(['compare', '3f2', '3f9'], parts);
    expect(code).toBe(0);
    expect(stdout).toMatch(/target +Target +sandbox +pi/);
    expect(stdout).toMatch(/tsbs\.load +Rows per second +20\.00 rows\/s +30\.00 rows\/s +\+50\.0 %/);
    expect(stdout).toMatch(/batch +Latency p99 +4\.00 ms +2\.00 ms +−50\.0 %/);
    expect(stdout.indexOf('sandbox')).toBeLessThan(stdout.indexOf('Rows per second'));
    expect(stdout).toContain("pi against sandbox: can't tell: one run against one.");
    const json = await run(['compare', '3f2', '3f9', '--json'], parts);
    expect(JSON.parse(json.stdout)).toMatchObject({
      base: 0,
      verdicts: [null, { kind: 'cannot-tell', n: { base: 1, side: 1 } }],
    });
  });
});

describe('generate', () => {
  it("writes TSBS's bytes for TSBS's flags", async () => {
    const flags = ['--use-case', 'cpu-only', '--seed', '123', '--scale', '10', '--format', 'timescaledb'];
    const hour = ['--timestamp-start=2016-01-01T00:00:00Z', '--timestamp-end=2016-01-01T01:00:00Z'];
    const { code, stdout, stderr } = await run(['generate', 'data', ...flags, ...hour, '--log-interval=10s']);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(createHash('sha256').update(stdout).digest('hex')).toBe(
      'b5843cb0f944486cea0721b15411492b954f1c5fcde25d773976bdae26d7555a',
    );
  });
  it('says which seed stands behind 0', async () => {
    const flags = [
      '--use-case',
      'cpu-only',
      '--format',
      'questdb',
      '--query-type',
      'lastpoint',
      '--queries',
      '2',
    ];
    const { stdout, stderr } = await run(['generate', 'queries', ...flags]);
    expect(stdout.trimEnd().split('\n')).toHaveLength(2);
    expect(stderr).toMatch(/^seed [1-9]\d*\n$/);
  });
  it('refuses what TSBS has not', async () => {
    const bad = await run([
      'generate',
      'data',
      '--use-case',
      'cpu-only',
      '--format',
      'timescaledb',
      '--scale',
      '0',
    ]);
    expect(bad).toMatchObject({ code: 2, stdout: '' });
    expect((await run(['generate', 'data', '--format', 'csv'])).code).toBe(2);
  });
});

describe('doctor', () => {
  it('knows which Node is too old', () => {
    expect(checkNode('22.13.1').state).toBe('problem');
    expect(checkNode('20.20.0').state).toBe('problem');
    expect(checkNode('22.14.0').state).toBe('ok');
    expect(checkNode('24.0.0').state).toBe('ok');
  });
  it('wants memory for a run', () => {
    expect(checkMemory(100 * 1024 ** 2)).toMatchObject({ state: 'problem' });
    expect(checkMemory(2 * 1024 ** 3)).toMatchObject({ state: 'ok', detail: '2.00 GiB available' });
  });
});
