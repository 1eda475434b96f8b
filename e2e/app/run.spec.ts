import AxeBuilder from '@axe-core/playwright';
import type { Page } from '@playwright/test';
import { openDoor } from './doors.ts';
import { test as empty, expect } from './fixtures.ts';
import { test } from './recordedRuns.ts';

/** A load that goes on until it is stopped. */
async function startLongRun(page: Page): Promise<void> {
  await page.getByRole('link', { name: 'New benchmark' }).first().click();
  await page.getByRole('button', { name: 'Remove Run queries' }).click();
  await page.getByLabel('Simulated hosts', { exact: true }).fill('4000');
  await page.getByLabel('Target').selectOption('null');
  await page
    .getByRole('complementary', { name: 'Run' })
    .getByRole('button', { name: /^Load .* on null$/ })
    .click();
}

const panel = (page: Page, name: RegExp | string) => page.getByRole('region', { name });

empty('a run is watched live and stopped; what was measured is kept', async ({ page }) => {
  await startLongRun(page);
  await expect(page.getByText('Running', { exact: true })).toBeVisible();
  const figures = page.getByLabel('Figures of this run');
  await expect(figures).toContainText('Rows now');
  const rows = panel(page, /^Rows written/);
  await expect(rows.locator('path.recharts-line-curve').first()).toHaveAttribute('d', /L/);
  await expect(page.getByRole('button', { name: /tsbs\.load starts/ })).toBeVisible();
  await page.getByRole('button', { name: 'Stop' }).click();
  await expect(page.getByRole('button', { name: 'Verdict: Stopped. Why?' })).toBeVisible();
  // Stop is gone; the keyboard goes on from the page.
  await expect(page.getByRole('main')).toBeFocused();
  await expect(page.getByRole('button', { name: 'Run again' })).toBeEnabled();
  await expect(figures).toContainText('Rows per second');
  await page.reload();
  await expect(rows.locator('path.recharts-line-curve').first()).toHaveAttribute('d', /L/);
  await page.getByRole('tab', { name: 'Tables' }).click();
  await expect(page.getByRole('table', { name: 'Phases' })).toContainText('tsbs.load');
});

empty(
  'an app that is killed leaves an interrupted run with its seconds',
  async ({ door, dataFolder, frontDoor }) => {
    await startLongRun(door.page);
    const rows = panel(door.page, /^Rows written/);
    await expect(rows.locator('path.recharts-line-curve').first()).toHaveAttribute('d', /L/);
    await door.kill();
    const again = await openDoor(frontDoor, dataFolder);
    try {
      await again.page.getByRole('link', { name: 'Runs', exact: true }).click();
      await expect(again.page.getByRole('button', { name: 'Verdict: Interrupted. Why?' })).toBeVisible();
      await again.page.getByRole('table', { name: 'Runs' }).getByRole('link').first().click();
      await expect(again.page.getByText('Benchberry ended in the middle of this run')).toBeVisible();
      await expect(
        panel(again.page, /^Rows written/)
          .locator('path.recharts-line-curve')
          .first(),
      ).toHaveAttribute('d', /L/);
    } finally {
      await again.close();
    }
  },
);

async function openFirst(page: Page): Promise<void> {
  await page.getByRole('link', { name: 'Runs', exact: true }).click();
  await page.getByRole('table', { name: 'Runs' }).getByRole('link').first().click();
  await expect(panel(page, /^Rows written/)).toBeVisible();
}

test('charts share crosshair and zoom, by mouse and by keyboard', async ({ page }) => {
  await openFirst(page);
  const rows = panel(page, /^Rows written/);
  const latency = panel(page, /^Latency/);
  const moment = rows.getByRole('slider');
  await moment.focus();
  await page.keyboard.press('Home');
  await expect(moment).toHaveAttribute('aria-valuetext', /this interval [\d,]+, overall [\d,]+$/);
  // The other panel shows its values of the same moment.
  const at = (await rows.locator('thead th').last().textContent()) ?? '';
  expect(at).toMatch(/^at \d/);
  await expect(latency.locator('thead th').last()).toHaveText(at);
  await page.keyboard.press('Escape');
  await expect(latency.locator('thead th').last()).toHaveText('at the crosshair');

  const box = await moment.boundingBox();
  if (box === null) throw new Error('the chart is not shown');
  await page.mouse.move(box.x + 150, box.y + 80);
  await page.mouse.down();
  await page.mouse.move(box.x + 260, box.y + 80, { steps: 4 });
  await page.mouse.up();
  await expect(latency.getByRole('button', { name: 'Show all' })).toBeVisible();
  await latency.getByRole('slider').dblclick();
  await expect(rows.getByRole('button', { name: 'Show all' })).toHaveCount(0);
});

test('a legend entry isolates its line, with a modifier it toggles', async ({ page }) => {
  await openFirst(page);
  const latency = panel(page, /^Latency/);
  const lines = latency.locator('path.recharts-line-curve:not([stroke=none])');
  await expect(lines).toHaveCount(4);
  await latency.getByRole('button', { name: 'p99' }).click();
  await expect(lines).toHaveCount(1);
  await latency.getByRole('button', { name: 'p50' }).click({ modifiers: ['Control'] });
  await expect(lines).toHaveCount(2);
  await latency.getByRole('button', { name: 'p50' }).click();
  await latency.getByRole('button', { name: 'p50' }).click();
  await expect(lines).toHaveCount(4);
});

test('a panel is copied as CSV, SVG and PNG', async ({ page }) => {
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await openFirst(page);
  const rows = panel(page, /^Rows written/);
  const copy = async (kind: string): Promise<void> => {
    await rows.getByRole('button', { name: 'Rows written: copy' }).click();
    await page.getByRole('menuitem', { name: `Copy as ${kind}` }).click();
    await expect(page.getByText(`Rows written copied as ${kind}`)).toBeVisible();
  };
  await copy('CSV');
  const csv = await page.evaluate(() => navigator.clipboard.readText());
  expect(csv).toMatch(/^elapsed s,this interval \(rows\/s\),overall \(rows\/s\)\n\d+(\.\d+)?,\d+/);
  await copy('SVG');
  const svg = await page.evaluate(() => navigator.clipboard.readText());
  expect(svg).toMatch(/^<svg /);
  expect(svg).not.toContain('var(--');
  await copy('PNG');
  const types = await page.evaluate(async () =>
    (await navigator.clipboard.read()).flatMap((item) => item.types),
  );
  expect(types).toContain('image/png');
});

test('the same figure stands in the list, on the run and in its tables; its making is one click away', async ({
  page,
}) => {
  await page.getByRole('link', { name: 'Runs', exact: true }).click();
  const row = page.getByRole('table', { name: 'Runs' }).getByRole('row').nth(1);
  const shown = await row.getByRole('cell').nth(4).textContent();
  const rate = /^([\d,]{5,}) rows\/s$/.exec(shown ?? '')?.[1] ?? `no rate in ${shown}`;
  await row.getByRole('link').click();
  await expect(page.getByLabel('Figures of this run')).toContainText(rate);
  await page.getByRole('tab', { name: 'Tables' }).click();
  await expect(page.getByRole('table', { name: 'Phases' })).toContainText(rate);
  await page.getByRole('tab', { name: 'How the figures were made' }).click();
  await expect(page.getByText(new RegExp(`^150,000 rows ÷ [\\d.]+ s = ${rate} rows/s$`))).toBeVisible();
  await page.getByRole('tab', { name: 'Set-up' }).click();
  await expect(page.getByRole('table', { name: 'Parameters of tsbs.load' })).toContainText('batchSize');
  await page.getByRole('tab', { name: 'Text' }).click();
  await expect(
    page.getByRole('textbox', { name: 'In the words of the program that each step re-creates' }),
  ).toHaveValue(/loaded 150000 rows in/);
});

test('name, tags and notes are kept', async ({ page }) => {
  await openFirst(page);
  await page.getByRole('button', { name: 'Add tags or notes' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name').fill('Renamed');
  await dialog.getByLabel('Tags').fill('nvme');
  await page.keyboard.press('Enter');
  await dialog.getByLabel('Notes').fill('Fan at full speed.');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Renamed on null' })).toBeVisible();
  await page.reload();
  await expect(page.getByRole('main')).toContainText('nvme');
  await expect(page.getByRole('main')).toContainText('Fan at full speed.');
});

test('a run is started once more, and a deleted one comes back', async ({ page }) => {
  await openFirst(page);
  const former = page.url();
  await page.getByRole('button', { name: 'Run again' }).click();
  await expect(page).not.toHaveURL(former);
  await expect(page.getByRole('button', { name: /^Verdict: / }).first()).toBeVisible({ timeout: 60_000 });
  await page.getByRole('button', { name: 'Delete' }).click();
  const rows = page.getByRole('table', { name: 'Runs' }).getByRole('row');
  await expect(rows).toHaveCount(2);
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(rows).toHaveCount(3);
});

for (const scheme of ['light', 'dark'] as const) {
  test(`a run breaks no rule of accessibility and does not scroll sideways, ${scheme}`, async ({ page }) => {
    await page.emulateMedia({ colorScheme: scheme, reducedMotion: 'reduce' });
    await openFirst(page);
    for (const tab of ['Charts', 'Server', 'Tables', 'How the figures were made', 'Set-up', 'Text']) {
      await page.getByRole('tab', { name: tab }).click();
      await expect(page.locator('[aria-busy=true]')).toHaveCount(0);
      const { violations } = await new AxeBuilder({ page }).setLegacyMode().analyze();
      const found = violations.map(
        ({ id, nodes }) => `${id}: ${nodes.map((node) => node.target).join(', ')}`,
      );
      expect(found, tab).toEqual([]);
      for (const width of [1280, 640]) {
        await page.setViewportSize({ width, height: width * 0.625 });
        const over = await page.evaluate(
          () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
        );
        expect(over, `${tab} at ${width}`).toBeLessThanOrEqual(0);
      }
      await page.setViewportSize({ width: 1280, height: 800 });
    }
  });
}

empty('a run that does not exist says so and leads to those that do', async ({ page }) => {
  await page.evaluate(() => {
    window.location.hash = '/runs/nothing';
  });
  await expect(page.getByRole('alert')).toContainText('nothing');
  await page.getByRole('button', { name: 'All runs' }).click();
  await expect(page.getByRole('heading', { name: 'No run yet' })).toBeVisible();
});
