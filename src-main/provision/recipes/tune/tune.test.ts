import { describe, expect, it } from 'vitest';
import { fact, testInventory } from '../testInventory.ts';
import { tune } from './index.ts';

const refuse = (parameters: Record<string, unknown>, host: Parameters<typeof testInventory>[0] = {}) =>
  tune.refuse(testInventory(host), parameters);
const changes = (parameters: Record<string, unknown>, host: Parameters<typeof testInventory>[0] = {}) =>
  tune.steps(testInventory(host), parameters).flatMap((step) => step.changes);

describe('tuning', () => {
  it('reckons with the board: memory, cores, disk, version to come', () => {
    const lines = changes({ profile: 'timescaledb-tune' });
    expect(lines).toContainEqual(expect.stringMatching(/^shared_buffers = 223094kB: A quarter/));
    expect(lines).toContainEqual(expect.stringMatching(/^effective_io_concurrency = 256: /));
    const old = changes({ profile: 'timescaledb-tune', formulas: '0.11.0' });
    expect(old).toContainEqual(expect.stringMatching(/^work_mem = 2788kB: /));
  });

  it('leaves more to the system where a desktop runs, and knows a card from an SSD', () => {
    const gui = { ...testInventory().gui, running: fact(true) };
    // (892,376 − 512,000) / 4 kB
    expect(changes({}, { gui })).toContainEqual(expect.stringMatching(/^shared_buffers = 95094kB: /));
    expect(changes({})).toContainEqual(expect.stringMatching(/^random_page_cost = 2: /));
    expect(changes({ disk: 'ssd' })).toContainEqual(expect.stringMatching(/^random_page_cost = 1.1: /));
  });

  it('takes the version of a cluster that is there', () => {
    const main = { name: 'main', version: '13', port: 5432, running: true, dataFolder: '/d' };
    const lines = changes({ cluster: 'main', profile: 'timescaledb-tune' }, { postgresClusters: [main] });
    expect(lines.join('\n')).not.toContain('default_toast_compression');
    expect(lines[0]).toContain('/etc/postgresql/13/main/conf.d/90-benchberry.conf');
  });

  it('of a container reckons with the version that is given, and writes no file of the host', () => {
    const lines = changes({ server: 'timescaledb', version: '16', profile: 'timescaledb-tune' });
    expect(lines[0]).toMatch(/^ALTER SYSTEM/);
    expect(lines).toContainEqual(expect.stringMatching(/^shared_buffers = 223094kB: /));
    // The recipe's own cluster need not be known for it.
    expect(refuse({ server: 'postgresql' }, { codename: fact('potato') })).toBeNull();
  });

  it('lets own settings win', () => {
    expect(changes({ custom: 'work_mem = 9MB; geqo = off' })).toEqual(
      expect.arrayContaining(['work_mem = 9MB: Your own setting.', 'geqo = off: Your own setting.']),
    );
  });

  it.each([
    [{ profile: 'custom' }, {}, /nothing to set/],
    [{ custom: 'nonsense' }, {}, /looks like work_mem = 8MB/],
    [{ custom: 'port = 1' }, {}, /not for tuning/],
    [{ custom: 'wal_level = minimal' }, {}, /max_wal_senders 0/],
    [{}, { codename: fact('potato') }, /no cluster bench/],
    [{}, { memoryBytes: { value: null, raw: '' } }, /does not tell its memory/],
  ])('is refused with the reason: %o', (parameters, host, reason) => {
    expect(refuse(parameters, host)).toMatch(reason);
  });

  it('is not refused for any profile', () => {
    for (const profile of ['timescaledb-tune', 'pi-safe', 'article-p1', 'article-p2', 'durable']) {
      expect(refuse({ profile })).toBeNull();
    }
  });
});
