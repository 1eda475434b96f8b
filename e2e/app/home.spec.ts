import { expect, test } from './fixtures.ts';

test('from the first start, one click leads to a running benchmark, which can be stopped from anywhere', async ({
  page,
}) => {
  await page.getByRole('button', { name: 'Run the quick benchmark' }).click();
  await expect(page).toHaveURL(/#\/runs\/.+/, { timeout: 60_000 });
  await page.getByRole('link', { name: 'Settings' }).click();
  const pill = page.getByRole('region', { name: 'Running benchmark' });
  await expect(pill).toContainText('sandbox');
  await pill.getByRole('button', { name: 'Stop' }).click();
  await expect(pill).toBeHidden({ timeout: 60_000 });
  // The end is spoken once, for those who do not see the pill go.
  await expect(page.getByRole('status').filter({ hasText: 'stopped' })).toHaveCount(1);

  await page.getByRole('link', { name: 'Home' }).click();
  const runs = page.getByRole('table', { name: 'Last runs' });
  await runs.getByRole('button', { name: 'Verdict: Stopped. Why?' }).click();
  await expect(page.getByText('What to do:')).toBeVisible();
});

test('everything is reached by keyboard: skip link, palette, shortcuts and their list', async ({ page }) => {
  await expect(page.getByRole('heading', { name: 'Home' })).toBeVisible();
  await page.keyboard.press('Tab');
  await expect(page.getByRole('button', { name: 'Skip to content' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('main')).toBeFocused();

  await page.keyboard.press('g');
  await page.keyboard.press('t');
  await expect(page.getByRole('heading', { name: 'Targets' })).toBeVisible();

  await page.keyboard.press('ControlOrMeta+k');
  await expect(page.getByPlaceholder('Find a command, plan, target or run')).toBeFocused();
  await page.keyboard.type('settin');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { name: 'Settings' })).toBeVisible();

  await page.keyboard.press('?');
  const help = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
  await expect(help).toContainText('New benchmark');
  await page.keyboard.press('Escape');
  await expect(help).toBeHidden();

  // Letters are letters where one types.
  await page.keyboard.press('n');
  await page.getByLabel('Name', { exact: true }).fill('');
  await page.getByLabel('Name', { exact: true }).press('g');
  await page.getByLabel('Name', { exact: true }).press('t');
  await expect(page.getByLabel('Name', { exact: true })).toHaveValue('gt');
  await expect(page.getByRole('heading', { name: 'New benchmark' })).toBeVisible();
});

test('the theme is chosen and remembered', async ({ page, dataFolder }) => {
  await page.getByRole('link', { name: 'Settings' }).click();
  await expect(page.getByText(dataFolder)).toBeVisible();
  await page.getByText('Dark', { exact: true }).click();
  await expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', 'dark');
  await page.reload();
  await expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', 'dark');
  await expect(page.getByRole('radio', { name: 'Dark' })).toBeChecked();
});

test('an address that leads nowhere says so and offers the way home', async ({ page }) => {
  await page.evaluate(() => {
    window.location.hash = '/nowhere';
  });
  await page.getByRole('link', { name: 'Go home' }).click();
  await expect(page.getByRole('heading', { name: 'Home' })).toBeVisible();
});
