import { expect, test } from './fixtures.ts';

// What needs no Pi; the whole story is told on virtual ones, in e2e/pi-lab.

test('the form of a host takes apart what is pasted, and says what is missing', async ({ page }) => {
  await page.getByRole('link', { name: 'Connect to a Pi' }).click();
  await page.getByRole('button', { name: 'Connect', exact: true }).click();
  await expect(page.getByText('Where is it? A name such as raspberrypi.local')).toBeVisible();
  await expect(page.getByLabel('Address')).toBeFocused();

  await page.getByLabel('Address').fill('ssh mira@127.0.0.1:1');
  await page.getByLabel('Address').blur();
  await expect(page.getByLabel('Address')).toHaveValue('127.0.0.1');
  await expect(page.getByLabel('User name')).toHaveValue('mira');
  await page.getByText('Key file', { exact: true }).click();
  await expect(page.getByRole('textbox', { name: 'Passphrase of the key' })).toBeVisible();
  await page.getByRole('button', { name: 'Connect to 127.0.0.1' }).click();
  await expect(page.getByText('Name the private key file')).toBeVisible();
});

test('a host that does not answer is named, and removing it can be undone', async ({ page }) => {
  await page.getByRole('link', { name: 'Hosts', exact: true }).click();
  await expect(page.getByText('No host yet')).toBeVisible();
  await page.getByRole('link', { name: 'Add a host' }).click();
  await page.getByLabel('Address').fill('127.0.0.1:1');
  await page.getByText('SSH agent').click();
  await page.getByRole('button', { name: 'Connect to 127.0.0.1' }).click();
  await expect(page.getByRole('alert')).toContainText('127.0.0.1:1');
  await expect(page.getByRole('link', { name: 'Provision', exact: true })).toHaveCount(0);

  await page.getByRole('button', { name: 'Remove' }).click();
  await expect(page.getByText('No host yet')).toBeVisible();
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(page.getByRole('table', { name: 'Hosts' })).toContainText('Not connected yet');
});
