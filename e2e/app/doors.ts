import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { _electron, chromium, type Page } from '@playwright/test';
import { ensureBrowser } from '../../scripts/browser.ts';
import { launchDouble } from '../electron-double/launch.ts';

export type FrontDoor = 'serve' | 'double' | 'electron';

/** The workbench, opened through one of its front doors. */
export interface Door {
  page: Page;
  /** Ends it in good order; a run that is on is stopped. */
  close(): Promise<void>;
  /** Ends its processes at once, as a crash of the machine would. The page is gone too. */
  kill(): Promise<void>;
}

const root = fileURLToPath(new URL('../..', import.meta.url));
const node = join(root, 'node_modules', '.bin', process.platform === 'win32' ? 'node.exe' : 'node');

/** Opens the workbench on a data folder of its own. */
export function openDoor(front: FrontDoor, dataFolder: string): Promise<Door> {
  return { serve: openServe, double: openDouble, electron: openElectron }[front](dataFolder);
}

async function openServe(dataFolder: string): Promise<Door> {
  const main = join(root, 'src-main', 'cli', 'main.ts');
  const server = spawn(node, [main, 'serve', '--port', '0', '--no-open'], {
    env: { ...process.env, BENCHBERRY_DATA: dataFolder },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(server, 'exit');
  const url = await Promise.race([
    once(createInterface({ input: server.stdout }), 'line').then(([line]) => String(line)),
    ended.then(([code]) => Promise.reject(new Error(`serve ended with ${code}`))),
  ]);
  const browser = await chromium.launch({ executablePath: await ensureBrowser() });
  const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
  await page.goto(url);
  // The token leaves the address bar by a second page.
  await page.waitForURL(new URL('/', url).href);
  return {
    page,
    async close() {
      await browser.close();
      server.kill('SIGINT');
      await ended;
    },
    async kill() {
      server.kill('SIGKILL');
      await ended;
      await browser.close();
    },
  };
}

async function openDouble(dataFolder: string): Promise<Door> {
  const double = launchDouble(dataFolder);
  const page = await double.page();
  await page.setViewportSize({ width: 1280, height: 800 });
  return {
    page,
    close: () => double.close(),
    async kill() {
      double.process.kill('SIGKILL');
      await double.ended;
    },
  };
}

async function openElectron(dataFolder: string): Promise<Door> {
  const app = await _electron.launch({ args: [root], env: { ...process.env, BENCHBERRY_DATA: dataFolder } });
  const page = await app.firstWindow();
  return {
    page,
    close: () => app.close(),
    async kill() {
      const child = app.process();
      const ended = once(child, 'exit');
      child.kill('SIGKILL');
      await ended;
    },
  };
}
