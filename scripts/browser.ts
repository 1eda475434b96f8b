import { execFile, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import process from 'node:process';
import { promisify } from 'node:util';
import { chromium } from 'playwright-core';
import { browserCandidates } from '../src-main/cli/programs.ts';

const run = promisify(execFile);
const versionMs = 20_000;

/** A browser that answers: some systems have a script of that name that only says what to install. */
async function works(path: string): Promise<boolean> {
  if (!existsSync(path)) return false;
  // Windows browsers open a window instead of printing their version.
  if (process.platform === 'win32') return true;
  try {
    const { stdout } = await run(path, ['--version'], { timeout: versionMs });
    return /\d+\.\d+/.test(stdout);
  } catch {
    return false;
  }
}

/**
 * The executable of a browser for the tests: `BENCHBERRY_BROWSER`, else an installed Chromium, Chrome or Edge, else
 * Playwright's own; null where there is none.
 */
export async function findBrowser(env: NodeJS.ProcessEnv = process.env): Promise<string | null> {
  if (env.BENCHBERRY_BROWSER) return (await works(env.BENCHBERRY_BROWSER)) ? env.BENCHBERRY_BROWSER : null;
  for (const path of [...browserCandidates(env), chromium.executablePath()]) {
    if (await works(path)) return path;
  }
  return null;
}

/** Finds a browser or, as root on a system with apt, installs Chromium. Throws with the one command to run. */
export async function ensureBrowser(): Promise<string> {
  const found = await findBrowser();
  if (found) return found;
  if (process.env.BENCHBERRY_BROWSER) {
    throw new Error(`BENCHBERRY_BROWSER is ${process.env.BENCHBERRY_BROWSER}, and no browser answers there.`);
  }
  const apt = process.platform === 'linux' && existsSync('/usr/bin/apt-get');
  if (apt && process.getuid?.() === 0) {
    process.stderr.write('No browser is installed: installing Chromium with apt-get.\n');
    await aptGet('update');
    await aptGet('install', '--yes', '--no-install-recommends', 'chromium');
    const installed = await findBrowser();
    if (installed) return installed;
  }
  throw new Error(
    'The tests need a Chromium, Chrome or Edge. Run: npx playwright install --with-deps chromium',
  );
}

function aptGet(...args: string[]): Promise<void> {
  const child = spawn('apt-get', ['--quiet', ...args], {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
  });
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    // What is missing afterwards is told by the search that follows.
    child.on('exit', () => resolve());
  });
}
