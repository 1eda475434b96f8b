import { describe, expect, it } from 'vitest';
import { fact, testInventory } from '../testInventory.ts';
import { containerFor } from './container.ts';
import { databaseInDocker } from './index.ts';
import { parameters } from './parameters.ts';

const made = (given: object = {}, host: Parameters<typeof testInventory>[0] = {}) =>
  containerFor(testInventory(host), parameters.parse(given)).command;

describe('a database’s container', () => {
  it('is what a person would type', () => {
    const { mark } = containerFor(testInventory(), parameters.parse({}));
    expect(mark).toMatch(/^[0-9a-f]{16}$/);
    expect(containerFor(testInventory(), parameters.parse({ port: 5433 })).mark).not.toBe(mark);
    expect(made()).toBe(
      `docker create --name benchberry-timescaledb --label 'io.benchberry.options=${mark}' ` +
        '--publish 5432:5432 --volume benchberry-timescaledb-17:/var/lib/postgresql/data ' +
        "--stop-timeout 120 --log-driver local --log-opt 'max-size=10m' --log-opt 'max-file=3' --shm-size 128m " +
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

  it('is open on one address where one is chosen', () => {
    expect(made({ address: '192.168.1.20' })).toContain('--publish 192.168.1.20:5432:5432 ');
  });

  it('of QuestDB has its three ports, its files and no more memory than a small board has', () => {
    expect(made({ product: 'questdb', httpPort: 9100, questdbVersion: '9.3.5' })).toMatch(
      /--publish 9100:9000 --publish 8812:8812 --publish 9009:9009 --volume benchberry-questdb:\/var\/lib\/questdb .*--ulimit 'nofile=1048576:1048576' .*DATA_APPEND_PAGE_SIZE=1M.* questdb\/questdb:9\.3\.5$/,
    );
    expect(made({ product: 'questdb' }, { memoryBytes: fact(16 * 1024 ** 3) })).not.toContain('PAGE_SIZE');
  });

  it('takes a folder as it is', () => {
    expect(made({ dataFolder: "/mnt/it's $(here)" })).toContain(
      `--volume '/mnt/it'\\''s $(here):/var/lib/postgresql/data'`,
    );
    expect(parameters.safeParse({ dataFolder: '/mnt/a:b' }).success).toBe(false);
  });
});

describe('a database in Docker', () => {
  const refuse = (host: Parameters<typeof testInventory>[0], given = {}) =>
    databaseInDocker.refuse(testInventory(host), given);
  it('is refused with the reason', () => {
    expect(refuse({})).toBeNull();
    expect(refuse({ userlandArch: fact('armhf') })).toBeNull();
    expect(refuse({ userlandArch: fact('riscv64') })).toMatch(/no image of TimescaleDB for riscv64/);
    expect(refuse({ kernelArch: fact('armv6l') })).toMatch(/ARMv7/);
    expect(refuse({ ports: [{ port: 5432, process: 'postgres' }] })).toMatch(/taken by postgres/);
    const main = { name: 'main', version: '17', port: 5432, running: true, dataFolder: '/d' };
    expect(refuse({ postgresClusters: [main], ports: [{ port: 5432, process: null }] })).toMatch(/17 main/);
  });

  it('of QuestDB is refused where there is no image, or one of its ports is taken', () => {
    const questdb = { product: 'questdb' };
    expect(refuse({}, questdb)).toBeNull();
    expect(refuse({ userlandArch: fact('armhf') }, questdb)).toMatch(
      'There is no image of QuestDB for armhf, only for arm64, amd64.',
    );
    expect(refuse({ ports: [{ port: 9009, process: 'mosquitto' }] }, questdb)).toMatch(/9009 is taken/);
    expect(refuse({ ports: [{ port: 5432, process: 'postgres' }] }, questdb)).toBeNull();
  });

  it.each(['timescaledb', 'postgresql', 'questdb'])('of %s has no password in any script', (product) => {
    const steps = databaseInDocker.steps(testInventory(), { product, password: 'tell-nobody' });
    for (const step of steps) {
      const undo = step.undo({ storageExisted: false, value: '65530' }) ?? '';
      expect(step.apply() + step.test + step.changes.join() + undo).not.toContain('tell-nobody');
    }
  });

  it('is a target where the workbench has a driver and reaches it', () => {
    const target = (given: object) =>
      databaseInDocker.target?.(testInventory(), { password: 'p', ...given })?.connection ?? null;
    expect(target({})).toEqual({ port: 5432, user: 'postgres', adminDatabase: 'postgres' });
    expect(target({ password: '' })).toBeNull();
    expect(target({ address: '127.0.0.1' })).toBeNull();
    expect(target({ product: 'questdb', httpPort: 9100 })).toEqual({
      ...{ port: 9100, wirePort: 8812, ilpPort: 9009, user: 'admin' },
    });
    expect(target({ product: 'questdb', password: '' })).toBeNull();
    expect(target({ product: 'questdb', address: '127.0.0.1' })).toBeNull();
  });
});
