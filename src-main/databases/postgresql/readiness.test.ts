import { describe, expect, it } from 'vitest';
import { readinessOf } from './readiness.ts';

const made = { tuned: null as string | null, ours: 0, sharedBuffers: 134_217_728, vacuums: 0 };
const short = (facts: Partial<typeof made>) =>
  readinessOf({ ...made, ...facts }).map(({ id, result, detail }) => [id, result, detail]);

describe('what the database tells before a run', () => {
  it('warns of a server as initdb made it, and names who tuned another', () => {
    expect(short({})[0]).toEqual([
      'settings',
      'warn',
      'shared_buffers is 128 MiB, as initdb sets it on any machine',
    ]);
    expect(short({ sharedBuffers: 536_870_912 })[0]).toEqual([
      'settings',
      'pass',
      'shared_buffers is 512 MiB',
    ]);
    expect(short({ ours: 12 })[0]).toEqual([
      'settings',
      'pass',
      'shared_buffers is 128 MiB; tuned by Benchberry',
    ]);
    expect(short({ tuned: '2026-11-30T10:00:00Z' })[0]?.[2]).toBe(
      'shared_buffers is 128 MiB; tuned 2026-11-30T10:00:00Z',
    );
  });

  it('waits for a vacuum', () => {
    expect(short({})[1]).toEqual(['autovacuum', 'pass', 'None at work']);
    expect(short({ vacuums: 1 })[1]).toEqual(['autovacuum', 'wait', '1 vacuum at work']);
    expect(short({ vacuums: 3 })[1]).toEqual(['autovacuum', 'wait', '3 vacuums at work']);
  });
});
