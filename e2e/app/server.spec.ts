import AxeBuilder from '@axe-core/playwright';
import { z } from 'zod';
import { runPlan } from './commandLine.ts';
import { openDoor } from './doors.ts';
import { test as base, expect } from './fixtures.ts';

const runSchema = z.object({ status: z.literal('finished') });

/** Two runs on the built-in PostgreSQL, the second with telemetry off: some seconds of load without a pause each, so that sessions are found at it. */
const test = base.extend({
  door: async ({ frontDoor, dataFolder }, use) => {
    const load =
      "{ scale: 100, timestampEnd: '2016-01-04T00:00:00Z', limit: 2000000, batchSize: 2000, workers: 2 }";
    for (const [name, more] of [
      ['Watched', ''],
      ['Left alone', 'telemetry: false\n'],
    ] as const) {
      runSchema.parse(await runPlan(dataFolder, name, `${more}steps:\n  - tsbs.load: ${load}\n`));
    }
    const door = await openDoor(frontDoor, dataFolder);
    await use(door);
    await door.close();
  },
});

test('what the server did is on the run, under the same crosshair, and beside another run', async ({
  page,
}) => {
  await page.getByRole('link', { name: 'Runs', exact: true }).first().click();
  await page.getByRole('link', { name: /Watched/ }).click();
  const waits = page.getByRole('region', { name: /^What the server's sessions do/ });
  await expect(waits.locator('path.recharts-area-area').first()).toHaveAttribute('d', /L/);
  await expect(page.getByRole('list', { name: 'What the sessions wait for' })).toContainText('%');
  // The crosshair of one panel is that of all.
  await waits.getByRole('slider').focus();
  await page.keyboard.press('ArrowRight');
  await expect(page.getByRole('region', { name: /^Rows written/ })).toContainText(/at \d/);
  await expect(page.getByRole('region', { name: /^Log written/ })).toContainText(/at \d/);

  await page.getByRole('tab', { name: 'Server' }).click();
  const phase = page.getByRole('region', { name: 'The server during tsbs.load' });
  await expect(phase).toContainText('Too short to judge whether the rate is steady');
  await expect(phase).toContainText('of log (WAL)');
  await expect(page.getByText(/pg_stat_statements is not in the database benchmark/)).toBeVisible();
  await expect(page.getByRole('table', { name: 'Largest tables' })).toContainText('cpu');
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    for (const tab of ['Server', 'Charts']) {
      await page.getByRole('tab', { name: tab }).click();
      await expect(page.locator('[aria-busy=true]')).toHaveCount(0);
      const { violations } = await new AxeBuilder({ page }).setLegacyMode().analyze();
      expect(
        violations.map(({ id, nodes }) => `${id}: ${nodes.map((each) => each.target).join(', ')}`),
      ).toEqual([]);
    }
  }

  await page.getByRole('link', { name: 'Runs', exact: true }).first().click();
  await page.getByRole('link', { name: /Left alone/ }).click();
  await page.getByRole('tab', { name: 'Server' }).click();
  await expect(page.getByText('its plan says telemetry: false')).toBeVisible();

  await page.getByRole('link', { name: 'Runs', exact: true }).first().click();
  const boxes = page.getByRole('table', { name: 'Runs' }).locator('tbody').getByRole('checkbox');
  await boxes.nth(0).check();
  await boxes.nth(1).check();
  await page.getByText('Compare 2 runs').click();
  await expect(page.getByRole('table', { name: 'Waits of the servers' })).toContainText('–');
});
