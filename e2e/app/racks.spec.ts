import AxeBuilder from '@axe-core/playwright';
import type { Page } from '@playwright/test';
import { openDoor } from './doors.ts';
import { test as base, expect } from './fixtures.ts';
import { makeRack } from './racks.ts';

// A rack of hosts that nobody answers for, with benchmarks that were recorded: what needs no Pi.

const test = base.extend<{ slowId: string }>({
  slowId: async ({ dataFolder }, use) => use(makeRack(dataFolder)),
  door: async ({ frontDoor, dataFolder, slowId }, use) => {
    if (slowId === '') throw new Error('no rack was made');
    const door = await openDoor(frontDoor, dataFolder);
    await use(door);
    await door.close();
  },
});

async function openRack(page: Page): Promise<void> {
  await page.getByRole('link', { name: 'Hosts', exact: true }).click();
  await page.getByRole('link', { name: 'shelf', exact: true }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'shelf' })).toBeVisible();
}

async function expectAccessible(page: Page): Promise<void> {
  await expect(page.locator('[aria-busy=true]')).toHaveCount(0);
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    const { violations } = await new AxeBuilder({ page }).setLegacyMode().analyze();
    const found = violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target).join(', ')}`);
    expect(found, colorScheme).toEqual([]);
  }
}

test('the slow host of a rack is named with what explains it, and is left out only with a reason, which stays in sight', async ({
  page,
}) => {
  await openRack(page);
  await expectAccessible(page);
  await page.getByRole('link', { name: 'TSBS cpu-only' }).click();
  const outlier = page.getByRole('region', { name: 'Outlier' });
  await expect(outlier).toContainText(
    'rpi-4 wrote 8,000 rows/s, 42.0 % below the median of the others (13,802): it was throttled for 2 s (the others 0 s)',
  );
  await expect(outlier).toContainText('an fsync takes 12.0 ms (on the others 2.00 ms)');
  const comesTo = page.getByRole('region', { name: 'What the rack comes to' });
  await expect(comesTo).toHaveText('Mean 12,352, median 13,801 rows/s of 4 hosts');
  await expectAccessible(page);

  await page.getByRole('button', { name: 'Leave rpi-4 out' }).click();
  await page.getByRole('textbox', { name: 'Why?' }).fill('a worn card');
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Leave it out' }).click();
  await expect(comesTo).toHaveText(
    'Mean 13,802, median 13,802 rows/s of 3 hosts, without rpi-4 (left out: a worn card)',
  );
  await page.reload();
  await expect(comesTo).toContainText('without rpi-4 (left out: a worn card)');
  await page.getByRole('button', { name: 'Take rpi-4 in again' }).click();
  await expect(comesTo).toHaveText('Mean 12,352, median 13,801 rows/s of 4 hosts');

  await page.getByRole('link', { name: 'Run 1 on rpi-4' }).click();
  await expect(page.getByText('One of the runs of')).toContainText('TSBS cpu-only on shelf');
});

test('a plan runs on every host of a rack, each for itself; nobody answers, and each run says so', async ({
  page,
}) => {
  await openRack(page);
  await page.getByRole('button', { name: 'Run a plan on all' }).click();
  const dialog = page.getByRole('dialog', { name: 'Run on a rack' });
  await expect(dialog.getByText('Has no database yet: provision it first')).toHaveCount(1);
  await dialog.getByText('All at once').click();
  await dialog.getByLabel('Begin whatever the gate says, because').fill('there is no host behind it');
  await expectAccessible(page);
  await dialog.getByRole('checkbox', { name: 'rpi-2' }).uncheck();
  await dialog.getByRole('button', { name: 'Run on 3 hosts' }).click();
  const table = page.getByRole('table', { name: 'Hosts of the rack' });
  await expect(table.getByRole('button', { name: 'Verdict: Failed. Why?' })).toHaveCount(3, {
    timeout: 60_000,
  });
  await expect(table).not.toContainText('rpi-2');
  await expect(page.getByRole('button', { name: 'Run again' })).toBeEnabled();
  await expect(page.getByRole('region', { name: 'Running benchmark' })).toHaveCount(0);
});

test('the hosts of a rack are set up side by side: each has its own failure, and can be tried again', async ({
  page,
}) => {
  await openRack(page);
  await page.getByRole('link', { name: 'Provision all' }).click();
  await expect(page.getByText('What should be set up on all 5 hosts of shelf?')).toBeVisible();
  await page.getByRole('checkbox', { name: 'Headless' }).check();
  await page.getByRole('button', { name: 'Show every change' }).click();
  for (const name of ['rpi-1', 'rpi-5']) {
    const part = page.getByRole('region', { name });
    await expect(part.getByRole('alert')).toContainText('127.0.0.1', { timeout: 60_000 });
    await expect(part.getByRole('button', { name: 'Try again' })).toBeVisible();
  }
  await expect(page.getByRole('button', { name: /^Apply/ })).toHaveCount(0);
  await expectAccessible(page);
});
