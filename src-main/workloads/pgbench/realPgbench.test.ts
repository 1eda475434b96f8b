import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { SqlClient } from '../../databases/sqlClient.ts';
import { openTestClient } from '../../databases/testClient.ts';
import { noTestServer, startTestServer, type TestServer } from '../../databases/testServer.ts';
import { seedsOf } from './random/seeds.ts';
import { compileExpression } from './script/evaluate.ts';
import { parseScript } from './script/parseScript.ts';
import { debugText } from './script/values.ts';
import { Names, Variables } from './script/variables.ts';
import { catalogue, sizes } from './testing/catalogue.ts';
import { makeTables, prepareRun, runTransactions } from './testing/drive.ts';
import { makeTablespace, realPgbench } from './testing/realPgbench.ts';

const minute = 60_000;
const signal = new AbortController().signal;

describe.skipIf(noTestServer !== null)(
  `beside pgbench itself ${noTestServer ?? ''}`,
  { timeout: 3 * minute },
  () => {
    let server: TestServer;
    const clients: SqlClient[] = [];

    async function open(database: string): Promise<SqlClient> {
      const client = await openTestClient(server, database, signal);
      clients.push(client);
      return client;
    }
    const numbers = (sql: string, database: string) => server.psql(sql, database).split('|').map(Number);

    beforeAll(async () => {
      server = await startTestServer({
        settings: { fsync: 'off', log_statement: 'all', deadlock_timeout: '20ms' },
      });
      for (const name of ['ours', 'theirs']) server.psql(`CREATE DATABASE ${name}`);
      for (const name of ['the disk', 'other']) makeTablespace(server, name);
    }, 2 * minute);
    afterAll(async () => {
      await Promise.all(clients.map((client) => client.close()));
      await server.stop();
    });

    describe('tables', () => {
      it.each<[string, Record<string, unknown>, string[]]>([
        ['by default', { scale: 1 }, ['-s', '1']],
        [
          'made on the server, with foreign keys and a fill factor',
          { scale: 2, initSteps: 'dtGvp', foreignKeys: true, fillfactor: 80 },
          ['-s', '2', '-I', 'dtGvp', '--foreign-keys', '-F', '80'],
        ],
        ['in ranges', { partitions: 4 }, ['--partitions=4']],
        [
          'in parts by a hash',
          { partitions: 3, partitionMethod: 'hash', fillfactor: 70 },
          ['--partitions=3', '--partition-method=hash', '-F', '70'],
        ],
        ['unlogged', { unloggedTables: true }, ['--unlogged-tables']],
        [
          'in tablespaces',
          { tablespace: 'the disk', indexTablespace: 'other' },
          ['--tablespace=the disk', '--index-tablespace=other'],
        ],
      ])('are the same: %s', async (_name, parameters, words) => {
        expect(await realPgbench(server, 'theirs', ['-i', '-q', ...words])).toMatchObject({ code: 0 });
        const { scale = 1 } = parameters;
        expect(await makeTables(await open('ours'), parameters)).toBe(Number(scale) * 100_011);
        expect(server.psql(catalogue, 'ours')).toBe(server.psql(catalogue, 'theirs'));
        const theirs = server.psql(sizes, 'theirs').split('\n');
        server
          .psql(sizes, 'ours')
          .split('\n')
          .forEach((line, i) => {
            const [name, bytes] = line.split('|');
            const [other, expected] = theirs[i]?.split('|') ?? [];
            expect(name).toBe(other);
            expect(Math.abs(Number(bytes) - Number(expected))).toBeLessThanOrEqual(Number(expected) * 0.01);
          });
      });

      it('serve the other one unchanged, and the sums come out', async () => {
        await realPgbench(server, 'theirs', ['-i', '-q', '-s', '2']);
        const ours = await open('ours');
        await makeTables(ours, { scale: 2 });
        expect(await realPgbench(server, 'ours', ['-c', '2', '-t', '100'])).toMatchObject({ code: 0 });

        const connections = [await open('theirs'), await open('theirs')];
        const [first] = connections;
        if (!first) throw new Error('no connection');
        const { source, facts, notes } = await prepareRun(first, {
          clients: 2,
          scale: 9,
          protocol: 'prepared',
        });
        expect(facts).toEqual({ scale: 2, partitionMethod: null, partitions: 0 });
        expect(notes).toEqual(['scale option ignored, using count from pgbench_branches table (2)']);
        const told = await runTransactions(source, connections, 100);
        expect(told).toMatchObject({ done: 200, reads: 200, writes: 800, others: 400, failures: {} });
        for (const database of ['ours', 'theirs']) {
          const [rows, delta, ...balances] = numbers(
            `SELECT count(*), sum(delta), (SELECT sum(abalance) FROM pgbench_accounts),
          (SELECT sum(tbalance) FROM pgbench_tellers), (SELECT sum(bbalance) FROM pgbench_branches)
          FROM pgbench_history`,
            database,
          );
          expect(rows).toBe(200);
          expect(balances).toEqual([delta, delta, delta]);
        }
      });
    });

    it('every function draws and computes the same, to the bit', async () => {
      const text = [
        'random(1, 1000000)',
        'random(-9223372036854775807, -1)',
        'random(-4000000000000, 9000000000000)',
        'random_exponential(1, 1000, 5.0)',
        // Beyond 2^53 the last digits are those of the C library’s logarithm, which JavaScript’s is not to the bit.
        'random_exponential(-9000000000000, 0, 0.3)',
        'random_gaussian(1, 1000, 2.5)',
        'random_zipfian(1, 1000000, 1.07)',
        'random_zipfian(1, 100, 2)',
        'hash(:i)',
        'hash_fnv1a(:i, 11)',
        'permute(:i, 1000003)',
        'permute(:i, 9223372036854775807, :i)',
        ':i * 1.0 / 7',
        'exp(:i / 1000000.0) - sqrt(:i) + ln(:i)',
        ':client_id + :scale * 100',
        ':random_seed',
      ]
        .map((expression) => `\\set x debug(${expression})\n`)
        .join('')
        .replace('\n', '\n\\set i :x\n');
      const file = path.join(server.folder, 'draws.sql');
      writeFileSync(file, text);
      const rounds = 200;
      const words = ['-n', '-f', file, '-t', String(rounds), '--random-seed=7', '-s', '3'];
      const theirs = await realPgbench(server, 'postgres', words);
      expect(theirs.code).toBe(0);
      const shown = theirs.err.split('\n').flatMap((line) => /^debug\(.*\): (.*)$/.exec(line)?.[1] ?? []);

      const names = new Names();
      const variables = new Variables(names);
      const seeds = seedsOf(7n, 1, 1, false);
      const [random] = seeds.clients;
      if (!random) throw new Error('no client');
      for (const [name, value] of Object.entries({ scale: 3, client_id: 0, random_seed: 7 }))
        variables.set(names.slot(name), value);
      variables.set(names.slot('default_seed'), seeds.defaultSeed);
      const sets = parseScript({ name: 'draws.sql', text }).map((command) => {
        if (command.kind !== 'set') throw new Error('only \\set');
        const isShown = command.variable === 'x';
        return {
          slot: names.slot(command.variable),
          value: compileExpression(command.expression, names),
          isShown,
        };
      });
      const ours: string[] = [];
      for (let round = 0; round < rounds; round++)
        for (const { slot, value, isShown } of sets) {
          const result = value({ variables, random });
          variables.set(slot, result);
          if (isShown) ours.push(debugText(result));
        }
      expect(ours.length).toBe(16 * rounds);
      expect(ours).toEqual(shown);
    });

    /** What the server logged of one database's statements meanwhile, parameters included. */
    async function logged(database: string, mark: string, work: () => unknown): Promise<string[]> {
      server.psql(`SELECT '${mark} begin'`, database);
      await work();
      server.psql(`SELECT '${mark} end'`, database);
      const log = () => readFileSync(path.join(server.folder, 'log'), 'utf8');
      await vi.waitFor(() => expect(log()).toContain(`${mark} end`), minute);
      return (
        (log().split(`${mark} begin`)[1] ?? '')
          .split(`${mark} end`)[0]
          ?.split('\n')
          .flatMap((line) => {
            const [, text] =
              /(?:LOG: {2}((?:execute [^:]+|statement): .*))|(?:DETAIL: {2}(parameters: .*))$/.exec(line) ??
              [];
            const found = text ?? /DETAIL: {2}(parameters: .*)$/.exec(line)?.[1];
            return found === undefined || /mark |count\(|pg_catalog/.test(found) ? [] : [found];
          }) ?? []
      );
    }

    it.each(['simple', 'extended', 'prepared'])(
      'the same statements with the same values go to the server: %s',
      async (protocol) => {
        const client = await open('ours');
        await makeTables(client, { scale: 10 });
        const mark = `mark ${protocol}`;
        const theirs = await logged('ours', `${mark} theirs`, () =>
          realPgbench(server, 'ours', [
            '-n',
            '-M',
            protocol,
            '-c',
            '1',
            '-t',
            '3',
            '--random-seed=7',
            '-b',
            't@2',
            '-b',
            'se@3',
          ]),
        );
        const ours = await logged('ours', `${mark} ours`, async () => {
          const scripts = [
            { builtin: 't', weight: 2 },
            { builtin: 'se', weight: 3 },
          ];
          const { source } = await prepareRun(client, { protocol, noVacuum: true, scripts });
          await runTransactions(source, [client], 3);
        });
        expect(theirs.length).toBeGreaterThan(3);
        expect(ours).toEqual(theirs);
        expect(theirs.join('\n')).toContain('869439');
      },
    );

    const everything = `
\\set n random(1, 100)
\\if :n > 60
  \\set kind 'x'
\\elif :n > 30
  \\set kind 2
\\else
  \\if :n % 2 = 0
    \\set kind 3
  \\else
    \\set kind 4
  \\endif
\\endif
`;
    const script =
      everything.replace("\\set kind 'x'", '\\set kind 1') +
      `
SELECT :n + 1 AS next, 'a' AS word \\gset got_
SELECT 1 AS one \\; SELECT 2 AS two UNION ALL SELECT 3 ORDER BY 1 \\; SELECT 9 AS none WHERE false \\aset
\\sleep 1 us
INSERT INTO trace VALUES (:n, :kind, :got_next, :one, :two, '::text', ':got_word'::text);
`;
    it('conditions, results and sleeps do the same', async () => {
      const create =
        'DROP TABLE IF EXISTS trace; CREATE TABLE trace (n int, kind int, next int, one int, two int, a text, b text)';
      const file = path.join(server.folder, 'script.sql');
      writeFileSync(file, script);
      server.psql(create, 'ours');
      server.psql(create, 'theirs');
      expect(
        await realPgbench(server, 'theirs', ['-n', '-f', file, '-t', '40', '--random-seed=7']),
      ).toMatchObject({
        code: 0,
      });
      const client = await open('ours');
      const { source } = await prepareRun(client, {
        noVacuum: true,
        scripts: [{ name: 'script.sql', text: script }],
      });
      await runTransactions(source, [client], 40);
      const rows = 'SELECT * FROM trace';
      expect(server.psql(rows, 'ours')).toBe(server.psql(rows, 'theirs'));
      expect(server.psql('SELECT count(DISTINCT kind) FROM trace', 'ours')).toBe('4');
    });

    it.each(['extended', 'prepared'])('pipelines do the same: %s', async (protocol) => {
      const create = 'DROP TABLE IF EXISTS piped; CREATE TABLE piped (n bigint)';
      const text =
        '\\set n random(1, 1000000)\n\\startpipeline\nBEGIN;\nINSERT INTO piped VALUES (:n);\n\\set n :n + 1\nINSERT INTO piped VALUES (:n);\nEND;\n\\endpipeline\n';
      const file = path.join(server.folder, 'pipeline.sql');
      writeFileSync(file, text);
      server.psql(create, 'ours');
      server.psql(create, 'theirs');
      const words = ['-n', '-M', protocol, '-f', file, '-t', '20', '--random-seed=7'];
      expect(await realPgbench(server, 'theirs', words)).toMatchObject({ code: 0 });
      const client = await open('ours');
      const { source } = await prepareRun(client, {
        noVacuum: true,
        protocol,
        scripts: [{ name: 'p.sql', text }],
      });
      expect(await runTransactions(source, [client], 20)).toMatchObject({ done: 20, writes: 40, others: 40 });
      expect(server.psql('SELECT * FROM piped', 'ours')).toBe(server.psql('SELECT * FROM piped', 'theirs'));
    });
  },
);
