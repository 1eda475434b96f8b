import { spawn } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import process from 'node:process';
import type { Page } from 'playwright-core';
import { openDoor } from './doors.ts';

// npm run screenshots: every screen, light and dark, small and large, from real runs on the built-in PostgreSQL, into
// docs/screenshots/. Takes some minutes, most of them for the runs.
const root = path.join(import.meta.dirname, '../..');
const folder = path.join(root, 'docs', 'screenshots');
const data = await mkdtemp(path.join(tmpdir(), 'benchberry-screenshots-'));
const sizes = [
  { width: 1280, height: 800 },
  { width: 1920, height: 1080 },
];

function benchberry(...args: string[]): Promise<number> {
  const child = spawn(process.execPath, [path.join(root, 'src-main/cli/main.ts'), ...args], {
    cwd: root,
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { ...process.env, BENCHBERRY_DATA: data },
  });
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('exit', (code) => resolve(code ?? 1));
  });
}

/** Waits until nothing is being loaded and no chart is still to be drawn. */
async function settled(page: Page): Promise<void> {
  await page.waitForLoadState('networkidle');
  await page.waitForFunction(() => document.querySelector('[aria-busy="true"]') === null);
  await page.evaluate(() => document.fonts.ready);
}

/** One picture for each scheme and size. */
async function shoot(page: Page, name: string): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    for (const size of sizes) {
      await page.setViewportSize(size);
      await settled(page);
      await page.screenshot({ path: path.join(folder, `${name}-${colorScheme}-${size.width}.png`) });
    }
  }
}

async function visit(page: Page, rail: string): Promise<void> {
  await page.getByRole('link', { name: rail, exact: true }).first().click();
  await page.getByRole('heading', { level: 1 }).first().waitFor();
}

async function emptyScreens(): Promise<void> {
  const door = await openDoor('serve', data);
  try {
    await shoot(door.page, 'home-first-start');
    await visit(door.page, 'Runs');
    await shoot(door.page, 'runs-empty');
    await visit(door.page, 'Compare');
    await shoot(door.page, 'compare-empty');
  } finally {
    await door.close();
  }
}

/** A sweep, loads that differ in one thing each, and the demo with its queries. */
async function recordRuns(): Promise<void> {
  const load = (name: string, options: string) =>
    `version: 1\nname: ${name}\ntarget: sandbox\nsteps:\n  - tsbs.load: { scale: 400, limit: 1500000, workers: 2, ${options} }\n`;
  const plans = {
    'sweep.yaml': `version: 1\nname: Hosts and workers\ntarget: sandbox\nrepeat: 2\nsteps:\n  - tsbs.load: { scale: [10, 100, 1000], workers: [1, 2, 4], limit: 300000 }\n`,
    'copy.yaml': load('Binary COPY', 'writeMode: binary'),
    'text.yaml': load('Text COPY', 'writeMode: text'),
  };
  for (const [name, text] of Object.entries(plans)) {
    await writeFile(path.join(data, name), text);
    await benchberry('run', path.join(data, name), '--quiet');
  }
  await benchberry('run', path.join(root, 'assets/plans/demo.yaml'), '--quiet');
}

async function filledScreens(): Promise<void> {
  const door = await openDoor('serve', data);
  const { page } = door;
  try {
    await shoot(page, 'home');
    await visit(page, 'Targets');
    await shoot(page, 'targets');
    await page.getByRole('link', { name: 'Add a target' }).first().click();
    await page.getByLabel('Name', { exact: true }).fill('rpi-5');
    await page.getByLabel('Host', { exact: true }).fill('127.0.0.1');
    await page.getByLabel('Port', { exact: true }).fill('9');
    await page.getByRole('button', { name: 'Test connection' }).click();
    await page.getByRole('alert').waitFor();
    await shoot(page, 'target-error');
    await visit(page, 'Plans');
    await shoot(page, 'plans');
    await page.getByRole('link', { name: 'New benchmark' }).first().click();
    await page.getByRole('complementary', { name: 'Run' }).waitFor();
    await shoot(page, 'new-benchmark');
    await visit(page, 'Settings');
    await shoot(page, 'settings');

    await visit(page, 'Runs');
    await shoot(page, 'runs');
    await page.getByRole('table', { name: 'Runs' }).getByRole('link').first().click();
    await page.getByRole('tab', { name: 'Charts' }).waitFor();
    await shoot(page, 'run');
    for (const tab of ['Tables', 'How the figures were made', 'Set-up', 'Text']) {
      await page.getByRole('tab', { name: tab }).click();
      await shoot(page, `run-${tab.toLowerCase().replaceAll(' ', '-')}`);
    }

    await visit(page, 'Runs');
    await page.getByRole('link', { name: 'Hosts and workers', exact: true }).click();
    await page.getByRole('table', { name: 'Cells of the series' }).waitFor();
    await shoot(page, 'series');

    await visit(page, 'Runs');
    const boxes = page.getByRole('table', { name: 'Runs' }).locator('tbody').getByRole('checkbox');
    await boxes.nth(1).check();
    await boxes.nth(2).check();
    await page.getByText('Compare 2 runs').click();
    await page.getByRole('heading', { name: 'What differs' }).waitFor();
    await shoot(page, 'compare');
    await page.keyboard.press('ControlOrMeta+k');
    await page.getByRole('dialog').waitFor();
    await shoot(page, 'palette');
    await page.keyboard.press('Escape');

    await visit(page, 'Plans');
    await page.getByRole('link', { name: 'New benchmark' }).first().click();
    await page
      .getByRole('complementary', { name: 'Run' })
      .getByRole('button', { name: / on sandbox$/ })
      .click();
    await page.locator('path.recharts-line-curve').first().waitFor();
    await shoot(page, 'run-live');
    await page.getByRole('button', { name: 'Stop' }).first().click();
    await page.getByRole('button', { name: 'Verdict: Stopped. Why?' }).first().waitFor();
    await shoot(page, 'run-stopped');
  } finally {
    await door.close();
  }
}

await mkdir(folder, { recursive: true });
try {
  await emptyScreens();
  await recordRuns();
  await filledScreens();
} finally {
  await rm(data, { recursive: true, force: true, maxRetries: 5 });
}
