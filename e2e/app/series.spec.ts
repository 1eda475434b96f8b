import AxeBuilder from '@axe-core/playwright';
import type { Page } from '@playwright/test';
import { expect, test } from './fixtures.ts';

/** A benchmark of a load alone, which the null target can take. */
async function newLoad(page: Page, name: string): Promise<void> {
  await page.getByRole('link', { name: 'Home', exact: true }).first().click();
  await page.getByRole('link', { name: 'New benchmark' }).first().click();
  await page.getByLabel('Name', { exact: true }).fill(name);
  await page.getByRole('button', { name: 'Remove Run queries' }).click();
  await page.getByLabel('Target', { exact: true }).selectOption('null');
  await page.getByLabel('End', { exact: true }).fill('2016-01-01T01:00:00Z');
}

async function accessible(page: Page): Promise<void> {
  // Not in legacy mode axe opens a page of its own, which a desktop window does not have.
  const { violations } = await new AxeBuilder({ page }).setLegacyMode().analyze();
  expect(violations.map(({ id, nodes }) => [id, nodes[0]?.html])).toEqual([]);
}

test('a sweep is started in the form, watched, and each cell of its table opens; repeats take targets in turn', async ({
  page,
}) => {
  const run = page.getByRole('complementary', { name: 'Run' });
  await newLoad(page, 'Two by two');
  await page.getByLabel('Simulated hosts', { exact: true }).fill('10, 20');
  await page.getByLabel('Batch size', { exact: true }).fill('100, 1,000');
  const comesTo = run.getByRole('region', { name: 'What the series comes to' });
  await expect(comesTo).toContainText('4 runs');
  await expect(comesTo).toContainText('Simulated hosts: 10, 20');
  // An hour of 10 and of 20 hosts, a row every 10 s, with two sizes of batches.
  await expect(comesTo).toContainText('21,600 rows in all');
  await expect(page.getByRole('group', { name: 'Between the runs' })).toBeVisible();
  await accessible(page);
  await run.getByRole('button', { name: 'Sweep Simulated hosts × Batch size, 4 cells on null' }).click();

  await expect(page.getByRole('heading', { name: 'Two by two on null' })).toBeVisible();
  await expect(page.getByRole('status').filter({ hasText: 'runs finished' })).toHaveText(
    '4 of 4 runs finished.',
    {
      timeout: 60_000,
    },
  );
  const cells = page.getByRole('table', { name: 'Cells of the series' });
  const rows = cells.getByRole('row');
  await expect(rows).toHaveCount(5);
  await expect(rows.nth(3)).toContainText(/^20100[\d,.]+/);
  await expect(page.getByRole('region', { name: /^Rate by Simulated hosts/ })).toBeVisible();
  await accessible(page);
  await cells.getByRole('link', { name: 'Run 1 of Simulated hosts 20, Batch size 100 on null' }).click();
  await expect(
    page.getByRole('heading', { name: 'Two by two (Simulated hosts 20, Batch size 100) on null' }),
  ).toBeVisible();
  await expect(page.getByText('Run 3 of 4 of the series Two by two on null')).toBeVisible();

  // What was begun in the form is still there.
  await page.getByRole('link', { name: 'Plans', exact: true }).first().click();
  await page.getByRole('link', { name: 'New benchmark' }).first().click();
  await page.getByRole('button', { name: 'Discard changes' }).click();
  await newLoad(page, 'In turn');
  await page.getByLabel('Repeat', { exact: true }).fill('2');
  await run.getByRole('combobox', { name: 'In turn with' }).click();
  await page.getByRole('listbox', { name: 'In turn with' }).getByRole('option', { name: 'sandbox' }).click();
  await page.keyboard.press('Escape');
  await page.getByLabel('Idle for').fill('1h');
  await expect(comesTo).toContainText('Round by round: one run on null, then sandbox, then all again.');
  await run.getByRole('button', { name: /, 2 times on null, then sandbox$/ }).click();
  const now = page.getByRole('region', { name: 'What it does now' });
  for (const next of [
    '2 of 4: on sandbox, round 1',
    '3 of 4: on null, round 2',
    '4 of 4: on sandbox, round 2',
  ]) {
    await expect(now).toContainText(`Waiting for run ${next} of 2`, { timeout: 60_000 });
    await expect(now).toContainText('idle for 1:00:00');
    await now.getByRole('button', { name: 'Begin now' }).click();
  }
  await expect(page.getByRole('status').filter({ hasText: 'runs finished' })).toHaveText(
    '4 of 4 runs finished.',
    {
      timeout: 60_000,
    },
  );

  await page.getByRole('link', { name: 'Runs', exact: true }).first().click();
  const list = page.getByRole('table', { name: 'Runs', exact: true });
  await expect(list.getByRole('row')).toHaveCount(3);
  await expect(list).toContainText(/median [\d,.]+ rows\/snull: [\d,.]+–[\d,.]+, CV [\d.]+ %, 2 runs/);
  await list.getByRole('button', { name: 'Show the runs of In turn' }).click();
  await expect(list.getByRole('row')).toHaveCount(7);
  await accessible(page);
  await list.getByRole('link', { name: 'In turn (round 2 of 2)' }).first().click();
  await expect(page.getByRole('heading', { name: 'In turn (round 2 of 2) on sandbox' })).toBeVisible();
});
