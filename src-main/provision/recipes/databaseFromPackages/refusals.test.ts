import { describe, expect, it } from 'vitest';
import { fact, testInventory } from '../testInventory.ts';
import { databaseFromPackages } from './index.ts';

const refuse = (host: Parameters<typeof testInventory>[0], parameters: Record<string, unknown> = {}) =>
  databaseFromPackages.refuse(testInventory(host), { password: 'secret', ...parameters });
const bench = { name: 'bench', version: '17', port: 5433, running: true, dataFolder: '/d' };

describe('a database from packages', () => {
  it('is there for a 64-bit trixie', () => {
    expect(refuse({})).toBeNull();
    const steps = databaseFromPackages.steps(testInventory(), { password: 'secret' });
    expect(steps.map(({ id }) => id)).toEqual(['packages', 'cluster', 'user']);
  });

  it.each([
    ['32-bit system on a 64-bit kernel', { userlandArch: fact('armhf') }, {}, /64-bit systems only.*armhf/],
    ['release without TimescaleDB', { codename: fact('bookworm') }, {}, /no TimescaleDB package/],
    ['unknown release', { codename: fact('potato') }, {}, /is known for bookworm, trixie/],
    ['no release', { codename: { value: null, raw: '' } }, {}, /is known for/],
    ['taken port', { ports: [{ port: 5433, process: 'redis' }] }, {}, /Port 5433 is taken by redis/],
    ['cluster on another port', { postgresClusters: [{ ...bench, port: 5440 }] }, {}, /on port 5440/],
    ['cluster of another version', { postgresClusters: [{ ...bench, version: '16' }] }, {}, /PostgreSQL 16/],
  ])('is refused with the reason: %s', (_what, host, parameters, reason) => {
    expect(refuse(host, parameters)).toMatch(reason);
  });

  it.each(["/srv/it's", '/srv/a\\b', '/srv/"a"', '/srv/$HOME', '/srv/`x`'])(
    'is refused a folder that tools hand to a shell: %s',
    (dataFolder) => {
      expect(refuse({}, { dataFolder })).toMatch(/hand its folder to a shell/);
    },
  );

  it('takes a folder with anything else in its name', () => {
    expect(refuse({}, { dataFolder: '/srv/-rf é漢 ;touch x; & | < > * ? # ~ ! (a) {b} [c] %s' })).toBeNull();
  });

  it('of PostgreSQL is there for 32 bits and older releases', () => {
    expect(refuse({ userlandArch: fact('armhf') }, { product: 'postgresql' })).toBeNull();
    expect(refuse({ codename: fact('bookworm') }, { product: 'postgresql' })).toBeNull();
  });

  it('that is there already needs no password, and keeps the target it has', () => {
    const host = { postgresClusters: [bench], ports: [{ port: 5433, process: 'postgres' }] };
    expect(refuse(host, { password: '' })).toBeNull();
    expect(databaseFromPackages.target?.(testInventory(host), { password: '' })).toBeNull();
    expect(databaseFromPackages.target?.(testInventory(), { password: 'secret' })).toEqual({
      engine: 'postgresql',
      connection: { port: 5433, user: 'benchberry', adminDatabase: 'postgres' },
      secret: 'secret',
    });
  });

  it('has no password in any script', () => {
    for (const step of databaseFromPackages.steps(testInventory(), { password: 'tell-nobody' })) {
      expect(step.apply() + step.changes.join() + (step.undo({}) ?? '')).not.toContain('tell-nobody');
    }
  });

  it('takes folders and names as they are, or not at all', () => {
    const folder = "/mnt/a b'$(reboot)";
    const [, cluster] = databaseFromPackages.steps(testInventory(), { dataFolder: folder });
    expect(cluster?.apply()).toContain(`--datadir '/mnt/a b'\\''$(reboot)'`);
    const parse = (value: object) => databaseFromPackages.parameters.safeParse(value).success;
    expect(parse({ user: 'a; drop' })).toBe(false);
    expect(parse({ user: "a'" })).toBe(false);
    expect(parse({ dataFolder: 'relative' })).toBe(false);
    expect(parse({ password: 'two\nlines' })).toBe(false);
    expect(parse({ port: 80 })).toBe(false);
  });
});
