import { describe, expect, it } from 'vitest';
import { fact, testInventory } from '../testInventory.ts';
import { containerFor } from './container.ts';
import { databaseInDocker } from './index.ts';
import { parameters } from './parameters.ts';

const made = (given: object = {}, host: Parameters<typeof testInventory>[0] = {}) =>
  containerFor(testInventory(host), parameters.parse(given)).command;

describe('a database’s container', () => {
  it('is what a person would type', () => {
    const { label } = containerFor(testInventory(), parameters.parse({}));
    expect(made()).toBe(
      `docker run --detach --name benchberry-timescaledb --label 'io.benchberry.options=${label}' ` +
        '--publish 5432:5432 --volume benchberry-timescaledb-17:/var/lib/postgresql/data --shm-size 128m ' +
        "--stop-timeout 120 --log-driver local --log-opt 'max-size=10m' --log-opt 'max-file=3' " +
        "--env 'POSTGRES_PASSWORD_FILE=/run/secrets/password' " +
        '--volume /var/lib/benchberry/benchberry-timescaledb.password:/run/secrets/password:ro ' +
        "--env 'TS_TUNE_MEMORY=671MB' --env 'TS_TUNE_NUM_CPUS=4' --env 'TIMESCALEDB_TELEMETRY=off' " +
        'timescale/timescaledb:latest-pg17',
    );
  });

  it('of PostgreSQL 18 has its data where the image wants it', () => {
    expect(made({ version: '18' })).toContain(':/var/lib/postgresql ');
    expect(made({ version: '17' })).toContain(':/var/lib/postgresql/data ');
  });

  it('publishes the port that the server listens on', () => {
    expect(made({ port: 5444 })).toContain('--publish 5444:5432 ');
  });

  it('of plain PostgreSQL has no tuning of TimescaleDB', () => {
    expect(made({ product: 'postgresql' })).toMatch(/ postgres:17$/);
    expect(made({ product: 'postgresql' })).not.toContain('TS_TUNE');
  });

  it('has more shared memory on a larger board', () => {
    expect(made({}, { memoryBytes: fact(4 * 1024 ** 3) })).toContain('--shm-size 256m');
  });

  it('takes a folder as it is', () => {
    expect(made({ dataFolder: "/mnt/it's $(here)" })).toContain(
      `--volume '/mnt/it'\\''s $(here):/var/lib/postgresql/data'`,
    );
    expect(parameters.safeParse({ dataFolder: '/mnt/a:b' }).success).toBe(false);
  });
});

describe('a database in Docker', () => {
  const refuse = (host: Parameters<typeof testInventory>[0]) =>
    databaseInDocker.refuse(testInventory(host), {});
  it('is refused with the reason', () => {
    expect(refuse({})).toBeNull();
    expect(refuse({ userlandArch: fact('armhf') })).toBeNull();
    expect(refuse({ userlandArch: fact('riscv64') })).toMatch(/no image of TimescaleDB for riscv64/);
    expect(refuse({ kernelArch: fact('armv6l') })).toMatch(/ARMv7/);
    expect(refuse({ ports: [{ port: 5432, process: 'postgres' }] })).toMatch(/taken by postgres/);
    const main = { name: 'main', version: '17', port: 5432, running: true, dataFolder: '/d' };
    expect(refuse({ postgresClusters: [main], ports: [{ port: 5432, process: null }] })).toMatch(/17 main/);
  });

  it('has no password in any script', () => {
    for (const step of databaseInDocker.steps(testInventory(), { password: 'tell-nobody' })) {
      const undo = step.undo({ storageExisted: false }) ?? '';
      expect(step.apply() + step.changes.join() + undo).not.toContain('tell-nobody');
    }
  });
});
