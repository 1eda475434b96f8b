import AxeBuilder from '@axe-core/playwright';
import { expect, test } from './recordedRuns.ts';

test.use({
  recordings: {
    'Small batches': 4000,
    'Large batches': 20_000,
    'Large batches again': 20_000,
  },
});

test('two runs chosen in the list are put side by side: sentence, differences, figures, charts', async ({
  page,
  recorded,
}) => {
  await page.getByRole('link', { name: 'Runs', exact: true }).click();
  await page.getByRole('checkbox', { name: 'Choose Small batches on null' }).check();
  await page.getByRole('checkbox', { name: 'Choose Large batches on null', exact: true }).check();
  await page.getByRole('button', { name: 'Compare 2 runs' }).click();
  // The address holds the runs in the order in which they were chosen.
  await expect(page).toHaveURL(new RegExp(`#/compare/${recorded[0]},${recorded[1]}$`));

  await expect(
    page.getByText("Large batches against Small batches: can't tell: one run against one."),
  ).toBeVisible();
  await expect(page.getByText(/^How much runs of one set-up vary/)).toBeVisible();
  await expect(page.getByRole('main')).not.toContainText(/significan/i);

  const differences = page.getByRole('table', { name: 'Differences of the set-ups' });
  await expect(differences.getByRole('rowheader')).toHaveText(['tsbs.load · batchSize', 'tsbs.load · limit']);
  const [first] = await differences.getByRole('row').nth(1).getByRole('cell').allTextContents();
  expect(first).toMatch(/^(May explain it|Breaks it|Harmless)$/);
  await expect(differences.getByRole('row').nth(1).getByRole('cell')).toHaveText([
    /./,
    'Plan',
    '4000',
    '20000',
  ]);

  const rates = page
    .getByRole('table', { name: 'Figures of the runs' })
    .getByRole('row')
    .nth(2)
    .getByRole('cell');
  const [base = '', side = '', versus = ''] = await rates.allTextContents();
  const number = (text: string) => Number(/^[\d,]+/.exec(text)?.[0].replaceAll(',', ''));
  const change = (number(side) / number(base) - 1) * 100;
  const shown = Number(/([+−±][\d.]+) %/.exec(versus)?.[1]?.replace('−', '-').replace('±', ''));
  expect(Math.abs(shown - change)).toBeLessThan(0.06);
  await rates.last().getByRole('button', { name: "Can't tell. Why?" }).click();
  await expect(page.getByRole('dialog')).toContainText('one run against one');
  await page.keyboard.press('Escape');

  for (const name of [/^Rows written/, /^Latency p50/, /^Latency p99/]) {
    const lines = page.getByRole('region', { name }).locator('path.recharts-line-curve:not([stroke=none])');
    await expect(lines).toHaveCount(2);
    const colors = await lines.evaluateAll((paths) => paths.map((path) => path.getAttribute('stroke')));
    expect(colors).toEqual(['var(--chart-1)', 'var(--chart-2)']);
  }
  await expect(page.getByRole('region', { name: 'Latency by percentile' }).getByRole('row')).toHaveCount(3);
  for (const name of ['Small batches', 'Large batches']) {
    const map = page.getByRole('region', { name: `Latency over time, ${name}` });
    await expect(map.getByRole('img', { name: /latencies from .* to / })).toBeVisible();
  }
  await page.getByText('By rows loaded').click();
  const rate = page.getByRole('region', { name: /^Rows written/ });
  await expect(rate.getByRole('slider', { name: 'Rows written: rows loaded' })).toBeVisible();
  // 30 batches of 20,000 rows: the axis goes to where the larger load ended.
  await expect(rate.getByText('600k', { exact: true })).toBeVisible();
});

test('the base is chosen, runs are left out, the order stays', async ({ page, recorded }) => {
  await page.evaluate(
    (hash) => {
      window.location.hash = hash;
    },
    `/compare/${recorded.join(',')}`,
  );
  const heads = page.getByRole('table', { name: 'Figures of the runs' }).getByRole('columnheader');
  await expect(heads).toHaveText([
    'Operation',
    /^Small batches \(base\)/,
    'Large batches',
    'vs base',
    'Large batches again',
    'vs base',
  ]);
  await page.getByRole('listitem').filter({ hasText: 'Large batches again' }).getByRole('radio').check();
  await expect(page).toHaveURL(/,\*[^,]+$/);
  await expect(page.getByText(/^Small batches against Large batches again: /)).toBeVisible();
  await page.getByRole('button', { name: 'Move Large batches again to the left' }).click();
  await expect(heads).toHaveText([
    'Operation',
    'Small batches',
    'vs base',
    /^Large batches again \(base\)/,
    'Large batches',
    'vs base',
  ]);
  const stroke = (name: string) =>
    page
      .getByRole('region', { name: /^Rows written/ })
      .getByRole('row', { name })
      .locator('line');
  await expect(stroke('Large batches again')).toHaveAttribute('stroke', 'var(--chart-3)');
  await page.getByRole('button', { name: 'Leave Large batches out', exact: true }).click();
  await expect(heads).toHaveText(['Operation', 'Small batches', 'vs base', /^Large batches again \(base\)/]);
  // A colour belongs to its run: nobody moves up when one goes.
  await expect(stroke('Large batches again')).toHaveAttribute('stroke', 'var(--chart-3)');
  await page.getByRole('button', { name: 'Add', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'Add runs or groups' });
  await dialog.getByRole('checkbox', { name: 'Choose Large batches on null', exact: true }).check();
  await dialog.getByRole('button', { name: 'Add one' }).click();
  await expect(heads).toHaveText([
    'Operation',
    'Small batches',
    'vs base',
    /^Large batches again \(base\)/,
    'Large batches',
    'vs base',
  ]);
  await expect(stroke('Large batches again')).toHaveAttribute('stroke', 'var(--chart-3)');
  await page.goBack();
  await expect(heads).toHaveCount(4);
});

test('runs are chosen on the screen itself, and a missing one can be left out', async ({
  page,
  recorded,
}) => {
  await page.getByRole('link', { name: 'Compare', exact: true }).click();
  await expect(page.getByRole('button', { name: 'Compare', exact: true })).toBeDisabled();
  await page.getByRole('checkbox', { name: 'Choose Large batches again on null' }).check();
  await page.getByRole('checkbox', { name: 'Choose Large batches on null', exact: true }).check();
  await page.getByRole('button', { name: 'Compare 2 runs' }).click();
  await expect(page.getByText('Nothing that is recorded')).toBeVisible();

  await page.evaluate((hash) => {
    window.location.hash = hash;
  }, `/compare/${recorded[0]},gone,${recorded[1]}`);
  await page.getByRole('button', { name: 'Leave this run out' }).click();
  await expect(page.getByText(/^Large batches against Small batches: /)).toBeVisible();
});

test('a comparison breaks no rule of accessibility and does not scroll sideways', async ({
  page,
  recorded,
}) => {
  await page.evaluate(
    (hash) => {
      window.location.hash = hash;
    },
    `/compare/${recorded.join(',')}`,
  );
  await expect(page.getByRole('region', { name: /^Latency p99/ })).toBeVisible();
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    const { violations } = await new AxeBuilder({ page }).setLegacyMode().analyze();
    const found = violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.target).join(', ')}`);
    expect(found, colorScheme).toEqual([]);
  }
  await page.emulateMedia({ colorScheme: 'dark', media: 'print' });
  await expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', 'light');
  await expect(page.getByRole('navigation', { name: 'Main' })).toBeHidden();
  await expect(page.getByRole('button', { name: 'Print' })).toBeHidden();
  await page.emulateMedia({ colorScheme: 'dark', media: 'screen' });
  await expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', 'dark');
  for (const width of [1280, 640]) {
    await page.setViewportSize({ width, height: width * 0.625 });
    const over = await page.evaluate(
      () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
    );
    expect(over, String(width)).toBeLessThanOrEqual(0);
  }
});
