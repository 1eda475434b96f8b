import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Provisioning } from '../../src-shared/model/provision.ts';
import { type Bench, openBench } from './provisionBench.ts';
import { ensureRootFs } from './rootFs.ts';
import { bootPi, type VirtualPi } from './virtualPi.ts';

const password = 'a "pass\'word" $(x) ü \\';

let pi: VirtualPi;
let bench: Bench;
let pristine: string[];

beforeAll(async () => {
  pi = await bootPi(52, await ensureRootFs((line) => process.stderr.write(`${line}\n`), 'bare'), {
    board: { memoryGb: 1 },
  });
  bench = await openBench(pi);
  pristine = await bench.snapshot();
});
afterAll(async () => {
  await bench?.close();
  await pi?.close();
});

const sql = (text: string, name = 'postgres') =>
  pi.exec(
    ...['sh', '-c', 'cd / && runuser -u postgres -- psql -XqAt --cluster 17/bench -d "$2" -c "$1"', 'sh'],
    ...[text, name],
  );

const database = { id: 'database-from-packages', parameters: { password } };

describe('TimescaleDB from packages, tuned, on a bare virtual Pi', () => {
  let made: Provisioning;
  let settled: string[];

  it('is planned without a change', async () => {
    const planned = await bench.plan([database, { id: 'tune', parameters: { profile: 'article-p1' } }]);
    expect(planned.preflight.filter(({ result }) => result === 'fail')).toEqual([]);
    expect(bench.states(planned)).toEqual([
      'database-from-packages.packages to-do',
      'database-from-packages.cluster to-do',
      'database-from-packages.user to-do',
      'tune.settings to-do',
    ]);
    expect(JSON.stringify(planned)).not.toContain('$(x) ü');
    expect(await bench.snapshot()).toEqual(pristine);
  });

  it('is made, and is a target that a load over the network is measured on', async () => {
    made = await bench.apply([database, { id: 'tune', parameters: { profile: 'article-p1' } }]);
    expect(made.status, bench.logOf(made)).toBe('done');
    settled = await bench.snapshot();
    await bench.loads(made);
    const chunks = 'select count(*) from timescaledb_information.chunks';
    expect(await sql(chunks, 'benchmark')).toBe('3\n');
  });

  it('has every setting of the article, read back', async () => {
    expect(JSON.stringify(made)).not.toContain('$(x) ü');
    const shown = await sql(`select name || ' ' || setting || coalesce(' ' || unit, '') from pg_settings
      where sourcefile like '%/90-benchberry.conf' order by 1`);
    expect(shown.trim().split('\n')).toEqual([
      'autovacuum_max_workers 10',
      'autovacuum_naptime 10 s',
      'checkpoint_completion_target 0.9',
      'default_statistics_target 500',
      'effective_cache_size 83660 8kB', // 669282 / 8, rounded
      'effective_io_concurrency 200',
      'maintenance_work_mem 111547 kB',
      'max_connections 20',
      'max_locks_per_transaction 64',
      'max_parallel_workers 4',
      'max_parallel_workers_per_gather 2',
      'max_worker_processes 15',
      'min_wal_size 512 MB',
      'random_page_cost 1.1',
      'shared_buffers 27887 8kB', // 223094 / 8, rounded
      'timescaledb.max_background_workers 8',
      'wal_buffers 836 8kB',
      'work_mem 2788 kB',
    ]);
  });

  it('lets in no other network, and nobody without the password', async () => {
    const rules = await sql('select address, auth_method from pg_hba_file_rules where type = $$host$$');
    expect(rules.trim().split('\n')).toContain(`${pi.address.replace(/\d+$/, '0')}|scram-sha-256`);
    expect(rules).not.toContain('trust');
    expect(rules).not.toContain('0.0.0.0');
    expect(await sql("select rolsuper, rolcreatedb from pg_roles where rolname = 'benchberry'")).toBe(
      'f|t\n',
    );
  });

  it('applied again changes nothing, without the password too', async () => {
    const again = await bench.apply([
      { ...database, parameters: {} },
      { id: 'tune', parameters: { profile: 'article-p1' } },
    ]);
    expect(again.status, bench.logOf(again)).toBe('done');
    expect(new Set(again.steps.map(({ state }) => state))).toEqual(new Set(['already-so']));
    expect(await bench.snapshot()).toEqual(settled);
  });

  it('shows another profile as a diff, and goes back to the file before to the byte', async () => {
    const planned = await bench.plan([{ id: 'tune', parameters: { profile: 'article-p2' } }]);
    const lines = planned.steps[0]?.evidence.split('\n') ?? [];
    expect(lines.slice(0, 5)).toEqual([
      'wal_level: replica → minimal (restart)',
      'max_wal_senders: 10 → 0 (restart)',
      'checkpoint_timeout: 5min → 30min',
      'checkpoint_completion_target: 0.9 → 0.8',
      '3 of 7 settings are so already.',
    ]);
    expect(lines[5]).toMatch(/^Back to what they are without Benchberry: shared_buffers, .*work_mem/);
    const done = await bench.applyPlanned(planned.id);
    expect(done.status, bench.logOf(done)).toBe('done');
    expect(await sql('show wal_level')).toBe('minimal\n');
    const back = await bench.undo(planned.id);
    expect(bench.states(back)).toEqual(['tune.settings undone']);
    expect(await sql('show wal_level')).toBe('replica\n');
    expect(await bench.snapshot()).toEqual(settled);
  });

  it('a server that does not start gets its settings back, and its log is told', async () => {
    const failed = await bench.apply([
      { id: 'tune', parameters: { profile: 'custom', custom: 'huge_pages = on; work_mem = 5MB' } },
    ]);
    expect(failed.status).toBe('failed');
    expect(failed.steps[0]?.log).toMatch(/could not map anonymous shared memory/);
    expect(failed.steps[0]?.log).toMatch(/The settings before are back, the server runs with them/);
    expect(await sql('show work_mem')).toBe('2788kB\n');
    expect(await bench.snapshot()).toEqual(settled);
  });

  it('refuses what the server would not take before anything is written', async () => {
    for (const [custom, words] of [
      ['work_mem = 63kB', /work_mem is 64 kB to/],
      ['work_men = 8MB', /work_men is no setting of this server; there is work_mem/],
      ['wal_level = minimal', /max_wal_senders 0/],
      ['shared_buffers = 800MB', /more than 60 %/],
    ] as const) {
      const refused = bench.plan([{ id: 'tune', parameters: { profile: 'custom', custom } }]);
      await expect(refused).rejects.toMatchObject({
        code: 'bad-input',
        detail: expect.stringMatching(words),
      });
    }
    expect(await bench.snapshot()).toEqual(settled);
  });

  it('uses ALTER SYSTEM where the server reads no conf.d', async () => {
    const config = '/etc/postgresql/17/bench/postgresql.conf';
    await pi.exec('sed', '-i', "s/^include_dir/# include_dir/; $ a listen_addresses = '*'", config);
    const before = await pi.exec('cat', '/var/lib/postgresql/17/bench/postgresql.auto.conf');
    const done = await bench.apply([
      { id: 'tune', parameters: { profile: 'custom', custom: 'work_mem = 5MB' } },
    ]);
    expect(done.status, bench.logOf(done)).toBe('done');
    expect(await sql('show work_mem')).toBe('5MB\n');
    await bench.undo(done.id);
    expect(await pi.exec('cat', '/var/lib/postgresql/17/bench/postgresql.auto.conf')).toBe(before);
    await pi.exec('sed', '-i', "s/^# include_dir/include_dir/; /^listen_addresses = '[*]'/d", config);
    expect(await bench.snapshot()).toEqual(settled);
  });

  it('undone leaves the host as it was', async () => {
    const undone = await bench.undo(made.id);
    expect(new Set(undone.steps.map(({ state }) => state))).toEqual(new Set(['undone']));
    expect(await bench.snapshot()).toEqual(pristine);
  });
});
