import { expect, it } from 'vitest';
import type { Bench, EngineContract } from '../../../src-main/databases/contract.ts';
import { dataset, someRows } from '../../../src-main/databases/contractRows.ts';

const database = 'benchberry contract "é"';
const foreign = 'benchberry_contract_foreign';
const quoted = (name: string) => `\`${name.replaceAll('`', '``')}\``;

export const mariadbContract: EngineContract = {
  product: 'MariaDB',
  dataset,
  database,
  readiness: [],
  async stored({ ask }, table) {
    const { name = '', fields = [] } = dataset.tables[table] ?? {};
    const columns = fields.map((field) => quoted(field.name)).join(', ');
    const values = await ask(
      `SELECT date_format(time, '%Y-%m-%dT%H:%i:%s.%f'), tags_id, ${columns} FROM ${quoted(name)} ORDER BY time, tags_id`,
      database,
    );
    return values.map(([time, ...rest]) =>
      JSON.stringify([time, ...rest.map((v) => (v === null || v === undefined ? null : Number(v) + 0))]),
    );
  },
  refusedBy: ['load-data', 'insert', 'insert-single'].map((mysqlWriteMode) => ({ mysqlWriteMode })),
  async refuse({ ask }) {
    await ask(`ALTER TABLE ${quoted('Mem "y"')} ADD CHECK (used < 10)`, database);
  },
  foreign: {
    options: { database: foreign },
    async make({ ask }) {
      await ask(`DROP DATABASE IF EXISTS ${foreign}`);
      await ask(`CREATE DATABASE ${foreign}`);
      await ask('CREATE TABLE precious AS SELECT 42 AS value', foreign);
    },
    value: async ({ ask }) => (await ask('SELECT value FROM precious', foreign))[0]?.[0],
    async remove({ ask }) {
      await ask(`DROP DATABASE ${foreign}`);
    },
  },
  queries: {
    database: 'information_schema',
    many: "SELECT seq, repeat('x', 3000), NULL FROM mysql.seq_1_to_20000",
    none: 'SELECT 1 FROM dual WHERE false',
    wrong: { text: 'SELECT no_such_column', detail: /no_such_column.*1054, 42S22/s },
    endless: 'SELECT sleep(3600)',
    endlessRunning: "SELECT id FROM processlist WHERE info LIKE '%sleep(3600)%' AND id <> connection_id()",
    otherProtocol: true,
  },
  own,
};

function own({ driver, endpoint, session, signal, options, ask, write }: Bench): void {
  it('writes the tags rows, device 0 first', async () => {
    const prepared = await session().prepare(dataset, options({}), signal);
    await session().writeDevices(prepared, dataset, signal);
    expect(
      await ask(`SELECT id, hostname, ${quoted('Region "x"')}, \`load\` FROM tags ORDER BY id`, database),
    ).toEqual([
      ['1', 'host\t0', 'region 0', '0.5'],
      ['2', 'host\\1', 'region 1', null],
      ['3', 'höst\n2', 'region 2', '2.5'],
      ['4', "host'3", null, '3.5'],
      ['5', 'host_4', 'region 4', '4.5'],
    ]);
  });

  it.each(['load-data', 'insert', 'insert-single'])(
    'keeps tags of a table as JSON: %s',
    async (mysqlWriteMode) => {
      const prepared = await session().prepare(dataset, options({ mysqlWriteMode }), signal);
      await write(prepared, [someRows(30)]);
      const found = await ask(
        `SELECT DISTINCT tags_id, json_value(additional_tags, '$.bank') FROM ${quoted('Mem "y"')} ORDER BY 1`,
        database,
      );
      expect(found).toEqual(
        [0, 1, 2, 3, 4].map((device) => [`${device + 1}`, dataset.tableTags?.(1, device)[0]]),
      );
    },
  );

  it('describes the database that is to be queried, and what makes it faster than it is safe', async () => {
    const prepared = await session().prepare(dataset, options({}), signal);
    await write(prepared, [someRows(3000)]);
    await ask('SET GLOBAL innodb_flush_log_at_trx_commit = 2');
    try {
      const about = await session().describe(signal, database);
      expect(about).toMatchObject({ database, dialect: 'mysql', edition: 'InnoDB', tls: null });
      expect(about.sizeBytes).toBeGreaterThan(100_000);
      expect(about.settings.find(({ name }) => name === 'innodb_buffer_pool_size')?.value).toBe('67108864');
      expect(about.notes.join()).toContain('innodb_flush_log_at_trx_commit is 2');
    } finally {
      await ask('SET GLOBAL innodb_flush_log_at_trx_commit = 1');
    }
    expect((await session().describe(signal)).notes).toEqual([]);
  });

  it('uses a database as it is where it is told so, and refuses tables that are there', async () => {
    const beside = options({}, { database: foreign, doCreateDb: false });
    await expect(session().prepare(dataset, beside, signal)).rejects.toMatchObject({ code: 'no-database' });
    await ask(`CREATE DATABASE ${foreign}`);
    try {
      const prepared = await session().prepare(dataset, beside, signal);
      await write(prepared, [someRows(3)]);
      expect(await session().count(prepared, signal)).toEqual({ cpu: 2, 'Mem "y"': 1 });
      await expect(session().prepare(dataset, beside, signal)).rejects.toMatchObject({
        code: 'database-not-ours',
        message: expect.stringContaining('table'),
      });
    } finally {
      await ask(`DROP DATABASE ${foreign}`);
    }
  });

  it('says why it cannot be entered, and what to do', async () => {
    const open = (more: Record<string, unknown>) =>
      driver.openSession({ ...endpoint(), connection: { ...endpoint().connection, ...more } }, signal);
    await expect(open({ password: 'wrong' })).rejects.toMatchObject({
      code: 'wrong-password',
      secret: 'database',
      detail: expect.stringContaining('Access denied'),
    });
    await expect(open({ password: null })).rejects.toMatchObject({ code: 'password-needed' });
    await expect(open({ port: 1 })).rejects.toMatchObject({
      code: 'connection-refused',
      hint: expect.stringContaining('bind-address'),
    });
    await expect(open({ tlsMode: 'require' })).rejects.toMatchObject({ code: 'tls-unavailable' });
    const guest = await open({ user: 'guest', password: null });
    await expect(guest.prepare(dataset, options({}, { database: foreign }), signal)).rejects.toMatchObject({
      code: 'no-permission',
    });
    await guest.close();
    await expect(driver.openReader(endpoint(), 'benchberry_absent', signal)).rejects.toMatchObject({
      code: 'no-database',
      place: { database: 'benchberry_absent' },
    });
  });

  it('says what to do where the server takes no files', async () => {
    const prepared = await session().prepare(dataset, options({}), signal);
    await ask('SET GLOBAL local_infile = 0');
    try {
      await expect(write(prepared, [someRows(3)])).rejects.toMatchObject({
        code: 'unsupported',
        hint: expect.stringContaining('mysqlWriteMode'),
      });
    } finally {
      await ask('SET GLOBAL local_infile = 1');
    }
  });
}
