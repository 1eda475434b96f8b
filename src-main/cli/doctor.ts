import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rm, statfs } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { toAppError } from '../../src-shared/errors.ts';
import { formatBytes, formatLatency } from '../../src-shared/units.ts';
import type { App } from '../app/createApp.ts';
import { textTable } from '../reports/table.ts';
import { type Cli, exitCodes, jsonText } from './cli.ts';
import { browserCandidates, installedElectron } from './programs.ts';

/** One thing that was looked at. */
export interface Finding {
  name: string;
  /** `note`: goes without it, less comfortably. */
  state: 'ok' | 'note' | 'problem';
  /** What was seen. */
  detail: string;
  /** What to do; empty for `ok`. */
  next: string;
}

const freeDiskWanted = 2 * 1024 ** 3;
const freeMemoryWanted = 512 * 1024 ** 2;

/**
 * `doctor`: what Benchberry needs on this machine, each thing tried for real.
 * @returns exit code 0 without a problem, 1 with one
 */
export async function doctor(cli: Cli, { json }: { json?: boolean }): Promise<number> {
  const folder = await checked('Data folder', () => checkFolder(cli.dataFolder));
  const findings: Finding[] = [
    checkNode(process.versions.node),
    folder,
    ...(folder.state === 'problem' ? [] : [await checked('Disk space', () => checkDisk(cli.dataFolder))]),
    checkMemory(availableMemory()),
    ...(await checkCore(cli)),
    checkBrowser(),
    await checkElectron(),
  ];
  cli.terminal.out(json ? jsonText(findings) : findingsText(findings));
  return findings.some((finding) => finding.state === 'problem') ? exitCodes.notValid : exitCodes.ok;
}

function findingsText(findings: readonly Finding[]): string {
  const lines = textTable(
    findings.map(({ state, name, detail }) => [state, name, detail]),
    'lll',
  );
  return findings
    .flatMap(({ next }, i) => [lines[i] ?? '', ...(next === '' ? [] : [`         next: ${next}`])])
    .join('\n');
}

/** Node's release line is what package.json asks for. */
export function checkNode(version: string): Finding {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const good = major > 22 || (major === 22 && minor >= 14);
  return {
    name: 'Node',
    state: good ? 'ok' : 'problem',
    detail: version,
    next: good
      ? ''
      : 'Node 22.14 or later is needed. npm ci installs one for the npm scripts of this project.',
  };
}

async function checkFolder(folder: string): Promise<Finding> {
  await mkdir(folder, { recursive: true });
  await rm(await mkdtemp(path.join(folder, 'doctor-')), { recursive: true });
  return { name: 'Data folder', state: 'ok', detail: `${folder} can be written`, next: '' };
}

async function checkDisk(folder: string): Promise<Finding> {
  const disk = await statfs(folder);
  const free = disk.bavail * disk.bsize;
  const good = free >= freeDiskWanted;
  return {
    name: 'Disk space',
    state: good ? 'ok' : 'problem',
    detail: `${formatBytes(free)} free at the data folder`,
    next: good
      ? ''
      : `Free at least ${formatBytes(freeDiskWanted)}, or set BENCHBERRY_DATA to a folder elsewhere.`,
  };
}

/** What a process may still take; in a container its limit, not the machine's memory. */
function availableMemory(): number {
  return Math.min(process.availableMemory(), os.totalmem());
}

export function checkMemory(available: number): Finding {
  const good = available >= freeMemoryWanted;
  return {
    name: 'Memory',
    state: good ? 'ok' : 'problem',
    detail: `${formatBytes(available)} available`,
    next: good ? '' : `Close other programs: ${formatBytes(freeMemoryWanted)} are wanted for a run.`,
  };
}

/** Opens the core: that is SQLite and the folder's lock. Then starts the embedded server. */
async function checkCore(cli: Cli): Promise<Finding[]> {
  let app: App;
  try {
    app = await cli.openApp();
  } catch (error) {
    return [problem('SQLite', error)];
  }
  try {
    const info = await app.api.call('app.info', null);
    const store: Finding = {
      name: 'SQLite',
      state: info.notices.length > 0 ? 'note' : 'ok',
      detail: info.notices.length > 0 ? info.notices.join(' ') : 'the store opens',
      next: info.notices.length > 0 ? 'Read the notice; benchberry list shows the runs that are there.' : '',
    };
    return [store, await checked('Embedded PostgreSQL', () => checkSandbox(app))];
  } finally {
    await app.close();
  }
}

async function checkSandbox({ api }: App): Promise<Finding> {
  const server = await api.call('targets.test', { id: 'sandbox', secret: null });
  return {
    name: 'Embedded PostgreSQL',
    state: 'ok',
    detail: `${server.product} ${server.version} starts, round trip ${formatLatency(server.roundTripUs)}`,
    next: '',
  };
}

function checkBrowser(): Finding {
  const name = 'Browser';
  const browser = browserCandidates().find(existsSync);
  if (browser !== undefined) return { name, state: 'ok', detail: browser, next: '' };
  return {
    name,
    state: 'note',
    detail: 'no Chromium or Chrome found',
    next: 'benchberry serve --no-open prints an address for any browser; npm test installs a Chromium where it can.',
  };
}

async function checkElectron(): Promise<Finding> {
  const name = 'Electron';
  const binary = await installedElectron();
  if (binary !== null) return { name, state: 'ok', detail: binary, next: '' };
  return {
    name,
    state: 'note',
    detail: 'its binary has not been downloaded',
    next: 'npm start downloads it, or opens the workbench in a browser where that is not possible.',
  };
}

async function checked(name: string, work: () => Promise<Finding>): Promise<Finding> {
  try {
    return await work();
  } catch (error) {
    return problem(name, error);
  }
}

function problem(name: string, thrown: unknown): Finding {
  const { message, detail, hint } = toAppError(thrown);
  return {
    name,
    state: 'problem',
    detail: [message, detail].filter(Boolean).join(': '),
    next: hint ?? 'Run it again after looking at the cause above.',
  };
}
