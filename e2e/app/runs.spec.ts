import AxeBuilder from '@axe-core/playwright';
import { test as empty, expect } from './fixtures.ts';
import { test } from './recordedRuns.ts';

empty('a list without runs teaches and offers the next step', async ({ page }) => {
  await page.getByRole('link', { name: 'Runs', exact: true }).click();
  await expect(page.getByRole('heading', { name: 'No run yet' })).toBeVisible();
  await page.getByRole('main').getByRole('link', { name: 'New benchmark' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'New benchmark' })).toBeVisible();
});

test.describe('with three runs', () => {
  test.use({
    recordings: {
      'Small batches': 1000,
      'Large batches': 20_000,
      'Large batches again': 20_000,
    },
  });

  test('runs are found by words, by a filter, and by lists that write it', async ({ page }) => {
    await page.getByRole('link', { name: 'Runs', exact: true }).click();
    const table = page.getByRole('table', { name: 'Runs' });
    const links = table.getByRole('link');
    await expect(links).toHaveText(['Large batches again', 'Large batches', 'Small batches']);

    await page.getByRole('button', { name: 'Actions for Small batches' }).click();
    await page.getByRole('menuitem', { name: 'Name, tags and notes' }).click();
    const dialog = page.getByRole('dialog');
    // A dialog takes the focus once it is there, and the field of tags takes it back after each: each comes before the next key.
    await expect(dialog.locator(':focus')).toHaveCount(1);
    await dialog.getByLabel('Notes').fill('# Cooling\n\nThe **fan** <img src=x> was off');
    await dialog.getByLabel('Tags').fill('odd one');
    await dialog.getByLabel('Tags').press('Enter');
    await expect(dialog.getByText('odd one', { exact: true })).toBeVisible();
    await dialog.getByRole('button', { name: 'Save' }).click();
    await expect(dialog).toHaveCount(0);
    await expect(table).toContainText('odd one');

    const search = page.getByRole('textbox', { name: 'Search runs' });
    await search.fill('large');
    await expect(links).toHaveText(['Large batches again', 'Large batches']);
    await search.fill('fan -again since:7d');
    await expect(links).toHaveText(['Small batches']);
    await search.fill('large egnine:x');
    await expect(page.getByText('A filter has no key egnine')).toBeVisible();
    await expect(links).toHaveText(['Large batches again', 'Large batches']);
    await search.fill('nothing like it');
    await page.getByRole('button', { name: 'Show all runs' }).click();
    await expect(links).toHaveCount(3);
    await page.getByRole('combobox', { name: 'Only runs with this tag' }).click();
    await page.getByRole('option', { name: 'odd one (1)' }).click();
    await expect(search).toHaveValue('tag:"odd one"');
    await expect(links).toHaveText(['Small batches']);
    await expect(page.getByText('1 run; 3 in all')).toBeVisible();

    // Notes are Markdown where the run is; what is found stays found for when one comes back.
    await links.first().click();
    await expect(page.getByRole('heading', { name: 'Cooling' })).toBeVisible();
    await expect(page.getByRole('main').locator('strong', { hasText: 'fan' })).toBeVisible();
    await expect(page.getByRole('main')).toContainText('<img src=x>');
    await page.goBack();
    await expect(search).toHaveValue('tag:"odd one"');
  });

  test('several are tagged and archived at once; the seconds of all are thinned once that is confirmed', async ({
    page,
  }) => {
    await page.getByRole('link', { name: 'Runs', exact: true }).click();
    const table = page.getByRole('table', { name: 'Runs' });
    const links = table.getByRole('link');
    await page.getByRole('checkbox', { name: 'Choose all runs' }).check();
    await page.getByRole('button', { name: 'Tag 3' }).click();
    await page.getByRole('dialog').getByLabel('Add').fill('nvme');
    await page.getByRole('dialog').getByLabel('Add').press('Enter');
    await page.getByRole('button', { name: 'Change tags of 3 runs' }).click();
    await expect(table.getByText('nvme', { exact: true })).toHaveCount(3);
    await page.getByRole('button', { name: 'Undo' }).click();
    await expect(table.getByText('nvme', { exact: true })).toHaveCount(0);

    await page.getByRole('checkbox', { name: 'Choose all runs' }).uncheck();
    await page.getByRole('checkbox', { name: 'Choose Small batches on null' }).check();
    await page.getByRole('button', { name: 'Archive 1' }).click();
    await expect(links).toHaveText(['Large batches again', 'Large batches']);
    await page.getByRole('checkbox', { name: 'Archived (1)' }).check();
    await expect(links).toHaveText(['Small batches']);
    await page.getByRole('checkbox', { name: 'Choose Small batches on null' }).check();
    await page.getByRole('button', { name: 'Take 1 back' }).click();
    await expect(page.getByRole('heading', { name: 'No run fits' })).toBeVisible();
    await page.getByRole('button', { name: 'Show all runs' }).click();
    await expect(links).toHaveCount(3);

    await page.getByRole('link', { name: 'Settings', exact: true }).click();
    await page.getByRole('button', { name: 'Thin old runs' }).click();
    const dialog = page.getByRole('dialog', { name: 'Thin old runs' });
    await dialog.getByRole('combobox', { name: 'Which' }).click();
    await page.getByRole('option', { name: 'all that have ended' }).click();
    await expect(dialog).toContainText('Lost for good');
    await dialog.getByRole('button', { name: 'Thin 3 runs' }).click();
    await expect(page.getByText(/^3 runs thinned/)).toBeVisible();
    await expect(page.getByRole('button', { name: 'Thin old runs' })).toBeDisabled();
  });

  test('rows are walked, chosen and opened by keyboard', async ({ page }) => {
    await page.getByRole('link', { name: 'Runs', exact: true }).click();
    const link = (name: string) => page.getByRole('link', { name, exact: true });
    await link('Large batches again').focus();
    await page.keyboard.press('x');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    await expect(link('Small batches')).toBeFocused();
    await page.keyboard.press('ArrowUp');
    await expect(link('Large batches')).toBeFocused();
    await expect(page.getByRole('button', { name: /^Compare/ })).toHaveCount(0);
    await page.keyboard.press('x');
    await expect(page.getByRole('button', { name: 'Compare 2 runs' })).toBeVisible();
    await page.keyboard.press('Enter');
    await expect(page.getByRole('heading', { level: 1, name: 'Large batches on null' })).toBeVisible();
  });

  test('several are deleted at once and come back', async ({ page }) => {
    await page.getByRole('link', { name: 'Runs', exact: true }).click();
    const links = page.getByRole('table', { name: 'Runs' }).getByRole('link');
    await page.getByRole('checkbox', { name: 'Choose Small batches on null' }).check();
    await page.getByRole('checkbox', { name: 'Choose Large batches on null', exact: true }).check();
    await page.getByRole('button', { name: 'Delete 2' }).click();
    await expect(links).toHaveText(['Large batches again']);
    await page.getByRole('button', { name: 'Undo' }).click();
    await expect(links).toHaveCount(3);
  });

  test('the list breaks no rule of accessibility', async ({ page }) => {
    await page.getByRole('link', { name: 'Runs', exact: true }).click();
    await page.getByRole('checkbox', { name: 'Choose Small batches on null' }).check();
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      const { violations } = await new AxeBuilder({ page }).setLegacyMode().analyze();
      const found = violations.map(
        ({ id, nodes }) => `${id}: ${nodes.map((node) => node.target).join(', ')}`,
      );
      expect(found, colorScheme).toEqual([]);
    }
  });
});
