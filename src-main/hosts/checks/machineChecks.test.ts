import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { MachineCheck } from '../../../src-shared/model/host.ts';
import type { Remote } from '../remote.ts';
import { localRemote } from '../testRemote.ts';
import { gate, machineChecks } from './index.ts';

const limits = { sequentialSeconds: 1, seconds: 1, megabytes: 4 };
let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "benchberry it's $(a) folder-"));
});
afterEach(() => rm(folder, { recursive: true }));

/** Everything below the folder, hidden files too. */
const left = () => readdir(folder, { recursive: true });

describe.skipIf(process.platform !== 'linux')('checks of a real machine', () => {
  it('measures this one, and leaves nothing behind', async () => {
    const told: MachineCheck[] = [];
    const options = {
      folder: join(folder, 'not/there'),
      limits,
      seconds: 0.2,
      onCheck: (c: MachineCheck) => told.push(c),
    };
    const checks = await machineChecks(localRemote(), options, new AbortController().signal);
    expect(checks.map(({ id }) => id)).toEqual([
      ...['link', 'round-trip', 'throughput', 'clock', 'fsync'],
      ...['disk-sequential', 'disk-random-write', 'disk-random-read'],
    ]);
    expect(told).toEqual(checks);
    const value = (id: string) => checks.find((check) => check.id === id)?.value;
    for (const id of ['throughput', 'fsync', 'disk-sequential', 'disk-random-write', 'disk-random-read'])
      expect(value(id), id).toBeGreaterThan(0);
    expect(await left()).toEqual([]);
  });

  it('removes its file when it is cancelled half-way', async () => {
    const stop = new AbortController();
    const local = localRemote();
    const seen: string[] = [];
    // Cancelled as soon as the file is there and being written here and there.
    const remote: Remote = {
      ...local,
      script: (text, options = {}) =>
        local.script(text, {
          ...options,
          onOutput: (output) => {
            if (!output.includes('begin random-write')) return;
            void left().then((files) => {
              seen.push(...files);
              stop.abort();
            });
          },
        }),
    };
    const running = machineChecks(
      remote,
      { folder, limits: { ...limits, seconds: 2 }, seconds: 0.1 },
      stop.signal,
    );
    await expect(running).rejects.toMatchObject({ code: 'cancelled' });
    expect(seen.some((name) => name.endsWith('probe'))).toBe(true);
    expect(await left()).toEqual([]);
  });

  it('says so where there is no room', async () => {
    await mkdir(join(folder, 'x'));
    const huge = { ...limits, megabytes: 2 ** 40 };
    const checks = await machineChecks(
      localRemote(),
      { folder, limits: huge, seconds: 0.1 },
      new AbortController().signal,
    );
    expect(checks.at(-1)).toMatchObject({ result: 'unknown', detail: 'Too little free space to measure' });
    expect(await left()).toEqual(['x']);
  });

  it('asks the gate', async () => {
    const checks = await gate(localRemote(), new AbortController().signal, { folder: join(folder, 'later') });
    expect(checks.map(({ id }) => id)).toEqual([
      ...[
        'throttle',
        'temperature',
        'governor',
        'clock-set',
        'apt',
        'swap',
        'load',
        'space',
        'link',
        'reboot',
      ],
    ]);
    const by = (id: string) => checks.find((check) => check.id === id);
    expect(by('swap')?.result).toMatch(/pass|wait/);
    expect(by('load')?.value).toBeGreaterThanOrEqual(0);
    expect(by('space')?.value).toBeGreaterThan(0);
  });
});
