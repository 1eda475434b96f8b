import AxeBuilder from '@axe-core/playwright';
import { z } from 'zod';
import { runPlan } from './commandLine.ts';
import { openDoor } from './doors.ts';
import { test as base, expect } from './fixtures.ts';

const runSchema = z.object({
  status: z.literal('finished'),
  phases: z.array(
    z.object({ operations: z.array(z.object({ fetch: z.object({ cache: z.string() }).optional() })) }),
  ),
});

/** Select + fetch on the built-in PostgreSQL, by tag and by date, made by the command line. */
const test = base.extend({
  door: async ({ frontDoor, dataFolder }, use) => {
    for (const [name, select] of [
      ['By tag', 'tag'],
      ['By date', 'date-range'],
    ] as const) {
      const steps = [
        '  - fetch.load: { points: 20000, selected: 500, selections: 6, batchSize: 5000 }',
        `  - fetch.read: { select: ${select}, readers: [1, 2], fetches: 20, coldFetches: 2 }`,
      ].join('\n');
      const run = runSchema.parse(await runPlan(dataFolder, name, `steps:\n${steps}\n`));
      expect(run.phases[1]?.operations.map(({ fetch }) => fetch?.cache)).toEqual([
        'first',
        'warm',
        'first',
        'warm',
      ]);
    }
    const door = await openDoor(frontDoor, dataFolder);
    await use(door);
    await door.close();
  },
});

test('fetches are told apart by readers, cold and warm, and stand side by side', async ({ page }) => {
  await page.getByRole('link', { name: 'Runs', exact: true }).first().click();
  const list = page.getByRole('table', { name: 'Runs' });
  await list.getByRole('link', { name: 'By tag' }).click();
  await expect(
    page.getByText('6 different fetches compared with what was inserted: 3,000 rows'),
  ).toBeVisible();

  await page.getByRole('tab', { name: 'Tables' }).click();
  const fetches = page.getByRole('table', { name: 'Fetches of fetch.read' });
  await expect(fetches.getByRole('row')).toHaveCount(5);
  const cold = fetches.getByRole('row', { name: /^2 readers, first read/ });
  await expect(cold.getByRole('cell').nth(0)).toHaveText('4');
  await expect(
    fetches
      .getByRole('row', { name: /^2 readers, warm/ })
      .getByRole('cell')
      .nth(0),
  ).toHaveText('40');
  await expect(cold.getByRole('cell').nth(5)).toHaveText(/\d (µs|ms|s)$/);
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    const { violations } = await new AxeBuilder({ page }).setLegacyMode().analyze();
    expect(
      violations.map(({ id, nodes }) => `${id}: ${nodes.map((each) => each.target).join(', ')}`),
    ).toEqual([]);
  }

  await page.getByRole('link', { name: 'Runs', exact: true }).first().click();
  for (const name of ['By tag', 'By date'])
    await page.getByRole('checkbox', { name: new RegExp(`Choose ${name}`) }).check();
  await page.getByRole('button', { name: /^Compare/ }).click();
  const warm = page.getByRole('row', { name: /fetch\.read · 1 reader, warm/ });
  await expect(warm.filter({ hasText: 'MiB/s' })).toHaveCount(1);
  await expect(warm.filter({ hasText: 'rows/s' })).toHaveCount(1);
});
