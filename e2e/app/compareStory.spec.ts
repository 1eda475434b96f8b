import AxeBuilder from '@axe-core/playwright';
import type { Page } from '@playwright/test';
import { expect, test } from './fixtures.ts';

/** A load into the built-in server, five times, from the form. */
async function repeatFiveTimes(page: Page, batchSize: string): Promise<void> {
  await page.getByLabel('Batch size', { exact: true }).fill(batchSize);
  await page.getByLabel('Repeat', { exact: true }).fill('5');
  const run = page.getByRole('complementary', { name: 'Run' });
  await run.getByRole('button', { name: /, 5 times on sandbox$/ }).click();
  await expect(page.getByRole('status').filter({ hasText: 'runs finished' })).toHaveText(
    '5 of 5 runs finished.',
    { timeout: 240_000 },
  );
}

async function openRun(page: Page, series: number, round: number): Promise<void> {
  await page.getByRole('link', { name: 'Runs', exact: true }).first().click();
  const list = page.getByRole('table', { name: 'Runs', exact: true });
  await list.getByRole('button', { name: 'Show the runs of How large a batch' }).nth(series).click();
  await list.getByRole('link', { name: `How large a batch (round ${round} of 5)` }).click();
}

test('a baseline, the same plan with one setting changed, five times each: the screen says in one sentence what it did', async ({
  page,
}) => {
  test.setTimeout(600_000);
  await page.getByRole('link', { name: 'New benchmark' }).first().click();
  await page.getByLabel('Name', { exact: true }).fill('How large a batch');
  await page.getByRole('button', { name: 'Remove Run queries' }).click();
  await page.getByLabel('Simulated hosts', { exact: true }).fill('10');
  await page.getByLabel('End', { exact: true }).fill('2016-01-01T01:00:00Z');
  await repeatFiveTimes(page, '1000');
  await openRun(page, 0, 1);
  await page.getByRole('button', { name: 'Make it the baseline' }).click();
  await expect(page.getByRole('button', { name: 'Baseline', exact: true })).toHaveAttribute(
    'aria-pressed',
    'true',
  );

  // The form still has what was begun in it.
  await page.getByRole('link', { name: 'Plans', exact: true }).first().click();
  await page.getByRole('link', { name: 'New benchmark' }).first().click();
  await expect(page.getByLabel('Name', { exact: true })).toHaveValue('How large a batch');
  // A transaction for every five rows: a server has a hundred times as many to bring to its disk.
  await repeatFiveTimes(page, '5');
  await openRun(page, 0, 5);
  const against = page.getByRole('group', { name: 'Against the baseline' });
  const sentence = /[\d.]+ % fewer rows\/s \(95 % interval [\d.]+ to [\d.]+ %\), five against five/;
  await expect(against).toContainText(sentence);
  await against.getByRole('link', { name: 'Compare' }).click();

  await expect(page.getByText(sentence).first()).toBeVisible();
  const differences = page.getByRole('table', { name: 'Differences of the set-ups' });
  await expect(
    differences.getByRole('row', { name: /^May explain it.* Plan tsbs.load · batchSize 1000 5$/ }),
  ).toBeVisible();
  const rows = page.getByRole('table', { name: 'Figures of the runs' }).getByRole('row');
  await expect(rows.nth(2)).toContainText(/−[\d.]+ % ?−[\d.]+ to −[\d.]+ %, n=5\+5$/);
  await expect(rows.getByRole('button', { name: 'Worse. Why?' }).first()).toBeVisible();
  await expect(
    page.getByRole('region', { name: /^Rows per second/ }).getByRole('img', { name: /5 runs; .*5 runs$/ }),
  ).toBeVisible();

  // A run is left out with a reason, which is shown wherever the figures are; then taken in again.
  const slow = page
    .getByRole('listitem')
    .filter({ has: page.getByText('Five runs') })
    .last();
  await slow.getByText('Five runs').click();
  await slow.getByRole('button', { name: /^Leave out run 2 of/ }).click();
  const dialog = page.getByRole('dialog', { name: 'Leave a run out of its group' });
  await expect(dialog.getByRole('button', { name: 'Leave it out' })).toBeDisabled();
  await dialog.getByLabel('Reason').fill('a backup was on');
  await dialog.getByRole('button', { name: 'Leave it out' }).click();
  await expect(page.getByText(/, four against five/).first()).toBeVisible();
  await expect(page.getByText(/^Left out: .*\(a backup was on\)\.$/)).toBeVisible();
  await expect(page.getByText('Left out: a backup was on')).toBeVisible();
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    const { violations } = await new AxeBuilder({ page }).setLegacyMode().analyze();
    expect(
      violations.map(({ id, nodes }) => [id, nodes[0]?.html]),
      colorScheme,
    ).toEqual([]);
  }
  await page.getByRole('button', { name: /^Take in run 2 of/ }).click();
  await expect(page.getByText(sentence).first()).toBeVisible();

  // The same from the list: all repeats of a set-up are one side.
  await page.getByRole('link', { name: 'Runs', exact: true }).first().click();
  const boxes = page.getByRole('checkbox', { name: 'Choose the 5 runs of How large a batch' });
  await boxes.nth(0).check();
  await boxes.nth(1).check();
  await page.getByRole('button', { name: 'Compare 2 groups' }).click();
  await expect(page.getByText(/% more rows\/s|times the rows\/s/).first()).toBeVisible();
});
