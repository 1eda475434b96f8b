import { describe, expect, it } from 'vitest';
import type { Dataset } from '../driver.ts';
import type { Timescale } from '../timescaledb/index.ts';
import { layoutOf } from './layout.ts';
import { loadOptionsSchema, writeModeOf } from './loadOptions.ts';
import { tableStatements, tagsStatements } from './schema.ts';

const dataset: Dataset = {
  tags: [
    { name: 'hostname', type: 'string' },
    { name: 'load_capacity', type: 'float32' },
  ],
  tables: [
    {
      name: 'cpu',
      fields: [
        { name: 'usage_user', type: 'integer' },
        { name: 'usage_idle', type: 'double' },
      ],
    },
  ],
  devices: 1,
  deviceTags: () => ['host_0', 1],
};
const timescale = (version: string, installed = false): Timescale => ({
  available: version,
  installed: installed ? version : null,
  preloaded: true,
  license: 'apache',
});
function tables(given: Record<string, unknown>, server: Timescale | null = null): string[] {
  const options = loadOptionsSchema.parse(given);
  return tableStatements(dataset, layoutOf(dataset, 'binary', options.inTablePartitionTag), options, server);
}

describe('tables as TSBS makes them', () => {
  it('by default: time, device, fields as doubles, room for more tags; indexes on device and time, and on time', () => {
    expect(tables({})).toEqual([
      'CREATE TABLE "cpu" ("time" timestamptz, "tags_id" integer, "usage_user" DOUBLE PRECISION, "usage_idle" DOUBLE PRECISION, "additional_tags" JSONB DEFAULT NULL)',
      'CREATE INDEX ON "cpu" ("tags_id", "time" DESC)',
      'CREATE INDEX ON "cpu" ("time" DESC)',
    ]);
  });

  it('with the device name in the row it is what rows are indexed by', () => {
    const [create, ...indexes] = tables({ inTablePartitionTag: true, timePartitionIndex: true });
    expect(create).toContain('"tags_id" integer, "hostname" TEXT, "usage_user" DOUBLE PRECISION');
    expect(indexes).toEqual([
      'CREATE INDEX ON "cpu" ("hostname", "time" DESC)',
      'CREATE INDEX ON "cpu" ("time" DESC, "hostname")',
    ]);
  });

  it('with indexes on fields, as many and as they are asked for', () => {
    const none = { partitionIndex: false, timeIndex: false };
    expect(tables(none)).toHaveLength(1);
    expect(tables({ ...none, fieldIndexCount: 1 }).slice(1)).toEqual([
      'CREATE INDEX ON "cpu" ("usage_user", "time" DESC)',
    ]);
    expect(tables({ ...none, fieldIndexCount: -1, fieldIndex: 'VALUE-TIME,TIME-VALUE' }).slice(1)).toEqual([
      'CREATE INDEX ON "cpu" ("usage_user", "time" DESC)',
      'CREATE INDEX ON "cpu" ("time" DESC, "usage_user")',
      'CREATE INDEX ON "cpu" ("usage_idle", "time" DESC)',
      'CREATE INDEX ON "cpu" ("time" DESC, "usage_idle")',
    ]);
  });

  it('tags as columns or as JSON', () => {
    expect(tagsStatements(dataset, loadOptionsSchema.parse({}))).toEqual([
      'CREATE TABLE tags (id SERIAL PRIMARY KEY, "hostname" TEXT, "load_capacity" FLOAT)',
      'CREATE UNIQUE INDEX uniq1 ON tags ("hostname", "load_capacity")',
      'CREATE INDEX ON tags ("hostname")',
    ]);
    expect(tagsStatements(dataset, loadOptionsSchema.parse({ useJsonbTags: true }))).toEqual([
      'CREATE TABLE tags (id SERIAL PRIMARY KEY, tagset JSONB)',
      'CREATE UNIQUE INDEX uniq1 ON tags (tagset)',
      'CREATE INDEX idxginp ON tags USING gin (tagset jsonb_path_ops)',
    ]);
  });
});

describe('hypertables', () => {
  const last = (given: Record<string, unknown>, server: Timescale) => tables(given, server).slice(3);

  it('before 2.13 in one call with all dimensions', () => {
    const old = timescale('2.10.1', true);
    expect(last({}, old)).toEqual([
      `SELECT create_hypertable('"cpu"', 'time', chunk_time_interval => INTERVAL '12h', create_default_indexes => FALSE)`,
    ]);
    expect(last({ partitions: 4, chunkTime: '168h' }, old)).toEqual([
      `SELECT create_hypertable('"cpu"', 'time', chunk_time_interval => INTERVAL '168h', partitioning_column => 'tags_id', number_partitions => 4, create_default_indexes => FALSE)`,
    ]);
    expect(last({ replicationFactor: 2, partitions: 4, inTablePartitionTag: true }, old)).toEqual([
      `SELECT create_hypertable('"cpu"', 'time', chunk_time_interval => INTERVAL '12h', partitioning_column => 'hostname', replication_factor => 2, create_default_indexes => FALSE)`,
    ]);
  });

  it('from 2.13 on with builders, space partitions as a dimension of their own', () => {
    expect(last({ partitions: 4 }, timescale('2.19.3', true))).toEqual([
      `SELECT create_hypertable('"cpu"', by_range('time', INTERVAL '12h'), create_default_indexes => FALSE)`,
      `SELECT add_dimension('"cpu"', by_hash('tags_id', 4))`,
    ]);
  });

  it('create the extension first where the database has it not yet', () => {
    expect(tables({}, timescale('2.19.3'))[0]).toBe('CREATE EXTENSION IF NOT EXISTS timescaledb CASCADE');
  });

  it('refuse replicas where they are gone', () => {
    expect(() => tables({ replicationFactor: 1 }, timescale('2.14.0'))).toThrow(
      expect.objectContaining({ code: 'unsupported', place: { field: 'replicationFactor' } }),
    );
  });
});

describe('write modes', () => {
  const mode = (given: Record<string, unknown>) => writeModeOf(loadOptionsSchema.parse(given));
  it('have TSBS’s names as well', () => {
    expect(mode({})).toBe('binary');
    expect(mode({ forceTextFormat: true })).toBe('text');
    expect(mode({ useInsert: true })).toBe('insert');
    expect(mode({ useInsert: true, forceTextFormat: true })).toBe('text');
    expect(mode({ useInsert: true, writeMode: 'insert' })).toBe('insert');
  });
  it('must not contradict each other', () => {
    expect(() => mode({ useInsert: true, writeMode: 'insert-single' })).toThrow(
      expect.objectContaining({ code: 'bad-input', place: { field: 'writeMode' } }),
    );
  });
  it('and chunk lengths and index kinds are checked', () => {
    for (const chunkTime of ['', '12', '0s', 'h', '1d', '12h;']) {
      expect(loadOptionsSchema.safeParse({ chunkTime }).success, chunkTime).toBe(false);
    }
    for (const chunkTime of ['12h', '1h30m', '500ms', '90s']) {
      expect(loadOptionsSchema.safeParse({ chunkTime }).success, chunkTime).toBe(true);
    }
    expect(loadOptionsSchema.safeParse({ fieldIndex: 'VALUE' }).success).toBe(false);
  });
});
