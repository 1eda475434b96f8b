import { expect, test } from './fixtures.ts';

test('the workbench opens, connected with the core', async ({ page }) => {
  const complaints: string[] = [];
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) complaints.push(message.text());
  });
  await page.reload();
  await expect(page.getByRole('navigation', { name: 'Main' })).toBeVisible();
  await expect(page.getByRole('main')).toBeVisible();
  expect(page.url()).not.toContain('token');
  expect(complaints).toEqual([]);
});
