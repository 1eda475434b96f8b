import AxeBuilder from '@axe-core/playwright';
import { z } from 'zod';
import { runPlan } from './commandLine.ts';
import { openDoor } from './doors.ts';
import { test as base, expect } from './fixtures.ts';

const runSchema = z.object({
  status: z.literal('finished'),
  phases: z.array(z.object({ transactions: z.object({ tps: z.number().positive() }).optional() })),
});

/** Two short runs of pgbench's transactions on the built-in PostgreSQL, made by the command line. */
const test = base.extend({
  door: async ({ frontDoor, dataFolder }, use) => {
    for (const [name, clients] of [
      ['Two clients', 2],
      ['Four clients', 4],
    ] as const) {
      const run = `{ clients: ${clients}, seconds: 3, reportPerCommand: true }`;
      const steps = `steps:\n  - pgbench.init: { scale: 1 }\n  - pgbench.run: ${run}\n`;
      runSchema.parse(await runPlan(dataFolder, name, steps));
    }
    const door = await openDoor(frontDoor, dataFolder);
    await use(door);
    await door.close();
  },
});

test('transactions are shown in TPS: in the list, on the run with its statements, beside another run', async ({
  page,
}) => {
  await page.getByRole('link', { name: 'Runs', exact: true }).first().click();
  const list = page.getByRole('table', { name: 'Runs' });
  await expect(list.getByRole('row', { name: /Two clients/ })).toContainText(/\d TPS/);
  await list.getByRole('link', { name: 'Two clients' }).click();
  const figures = page.getByLabel('Figures of this run');
  await expect(figures).toContainText('Transactions per second');
  await expect(figures).toContainText('2 clients');
  const chart = page.getByRole('region', { name: /^Transactions/ });
  await expect(chart.locator('path.recharts-line-curve').first()).toHaveAttribute('d', /L/);

  await page.getByRole('tab', { name: 'Tables' }).click();
  await expect(page.getByRole('table', { name: 'Steps of pgbench.init' })).toContainText(
    'client-side generate',
  );
  const statements = page.getByRole('table', { name: 'Statements of pgbench.run' });
  await expect(statements.getByRole('row')).toHaveCount(12);
  await expect(statements.getByRole('row', { name: /UPDATE pgbench_branches/ })).toContainText(/\d (µs|ms)/);
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    for (const tab of ['Tables', 'How the figures were made', 'Charts']) {
      await page.getByRole('tab', { name: tab }).click();
      await expect(page.locator('[aria-busy=true]')).toHaveCount(0);
      const { violations } = await new AxeBuilder({ page }).setLegacyMode().analyze();
      expect(
        violations.map(({ id, nodes }) => `${id}: ${nodes.map((each) => each.target).join(', ')}`),
      ).toEqual([]);
    }
  }

  await page.getByRole('link', { name: 'Runs', exact: true }).first().click();
  for (const name of ['Two clients', 'Four clients'])
    await page.getByRole('checkbox', { name: new RegExp(`Choose ${name}`) }).check();
  await page.getByRole('button', { name: /^Compare/ }).click();
  await expect(page.getByText(/^Transactions per second/).first()).toBeVisible();
  await expect(page.getByRole('row', { name: /pgbench\.run · transactions/ }).first()).toContainText('TPS');
});
