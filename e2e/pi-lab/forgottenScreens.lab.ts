import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { buildIfStale } from '../../scripts/build.ts';
import { type Door, openDoor } from '../app/doors.ts';
import { ensureRootFs } from './rootFs.ts';
import { until } from './shell.ts';
import { bootPi, type VirtualPi } from './virtualPi.ts';

// Passwords are kept in memory: what was begun before the workbench was killed asks for each of them, by clicks only.
let pi: VirtualPi;
let data: string;
let door: Door;

beforeAll(async () => {
  pi = await bootPi(114, await ensureRootFs((line) => process.stderr.write(`${line}\n`), 'bare'));
  await buildIfStale('renderer');
  data = await mkdtemp(join(tmpdir(), 'benchberry-forgotten-'));
  door = await open();
});
afterAll(async () => {
  await door?.close();
  if (data) await rm(data, { recursive: true, force: true, maxRetries: 5 });
  await pi?.close();
});

async function open(): Promise<Door> {
  const opened = await openDoor('serve', data);
  opened.page.setDefaultTimeout(60_000);
  return opened;
}
const click = (page: Page, name: string | RegExp) => page.getByRole('button', { name }).click();

async function give(page: Page, label: string, secret: string): Promise<void> {
  await click(page, 'Give the password');
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel(label, { exact: true }).fill(secret);
  await dialog.getByRole('button', { name: 'Go on' }).click();
  await dialog.waitFor({ state: 'hidden' });
}

it('asks for the password of the host, then for that of the database, and goes on', async () => {
  const { page } = door;
  await page.getByRole('link', { name: 'Connect to a Pi' }).click();
  await page.getByLabel('Address').fill(pi.address);
  await page.getByLabel('User name').fill(pi.user);
  await page.getByRole('textbox', { name: 'Password' }).fill(pi.password);
  await click(page, /^Connect to /);
  await click(page, 'Trust this key and sign in');
  await page.getByRole('region', { name: 'Inventory' }).waitFor();
  await page.getByRole('link', { name: 'Provision' }).click();
  await page.getByRole('checkbox', { name: /^Database from packages/ }).check();
  await page.getByRole('textbox', { name: 'Password' }).fill('the first');
  await click(page, 'Commands of your own, before and after');
  await page
    .getByLabel('Before the first step')
    .fill('touch ~/begun; while [ ! -e ~/go ]; do sleep 0.2; done');
  await click(page, 'Show every change');
  await click(page, /^Apply \d+ change/);
  await until('the first step', async () => (await pi.exec('ls', '/home/pi')).includes('begun') || null);
  const address = page.url().split('#')[1] ?? '';

  await door.kill();
  await pi.exec('touch', '/home/pi/go');
  door = await open();
  const again = door.page;
  await again.evaluate((hash) => {
    location.hash = hash;
  }, address);
  await click(again, 'Resume');
  await again.getByText(/^The password of pi on .* is needed$/).waitFor();
  await give(again, 'Password', pi.password);
  await again.getByText('The password given with this plan is kept no longer').waitFor();
  await give(again, 'Password of the database', 'the second');
  await again.getByRole('heading', { name: / is set up$/ }).waitFor({ timeout: 300_000 });
  await again.getByText('The connection works').waitFor();
  const login = await pi.exec(
    'sh',
    '-c',
    'PGPASSWORD="the second" psql -XAtw -h 127.0.0.1 -p 5433 -U benchberry -d postgres -c "select 42"',
  );
  expect(login).toBe('42\n');
});
