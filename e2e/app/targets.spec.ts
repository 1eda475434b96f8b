import { startTestServer, type TestServer } from '../../src-main/databases/testServer.ts';
import { expect, test } from './fixtures.ts';

let server: TestServer;
test.beforeAll(async () => {
  server = await startTestServer();
});
test.afterAll(async () => {
  await server.stop();
});

test('a server of one’s own is tested, saved, removed and brought back', async ({ page }) => {
  await page.getByRole('link', { name: 'Targets' }).click();
  await page.getByRole('link', { name: 'Add a target' }).first().click();
  await expect(page.getByRole('heading', { name: 'Add a target' })).toBeVisible();

  await page.getByLabel('Host').fill('127.0.0.1');
  await page.getByLabel('Port').fill(String(server.port));
  await page.getByLabel('User').fill('postgres');
  await page.getByLabel('Password', { exact: true }).fill('not the password');
  await page.getByLabel('Name').fill('My server');
  await page.getByRole('button', { name: 'Test connection' }).click();

  const refusal = page.getByRole('alert').filter({ hasText: '127.0.0.1' });
  await expect(refusal).toContainText(`127.0.0.1:${server.port}`);
  await expect(page.getByLabel('Password', { exact: true })).toHaveAttribute('aria-invalid', 'true');
  await expect(page.getByLabel('Password', { exact: true })).toBeFocused();

  await page.getByLabel('Password', { exact: true }).fill(server.password);
  await expect(refusal).toBeHidden();
  await page.getByRole('button', { name: 'Test connection' }).click();
  await expect(page.getByText('The connection works')).toBeVisible();
  const version = server.psql('show server_version').trim().split(' ')[0] ?? '';
  await expect(page.getByLabel('What the server says')).toContainText(`PostgreSQL ${version}`);

  await page.getByRole('button', { name: 'Save My server' }).click();
  const row = page.getByRole('row').filter({ hasText: 'My server' });
  await expect(row).toContainText(`127.0.0.1:${server.port}`);
  // What the draft's test saw is there without another click.
  await expect(row).toContainText(`PostgreSQL ${version}`);
  expect(await page.getByRole('main').textContent()).not.toContain(server.password);

  await row.getByRole('button', { name: 'What can be done with My server' }).click();
  await page.getByRole('menuitem', { name: 'Remove' }).click();
  await expect(row).toBeHidden();
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(row).toBeVisible();
});

test('a plan may name its server by a URL, whose password is shown nowhere', async ({ page }) => {
  await page.getByRole('link', { name: 'Plans', exact: true }).click();
  await page.getByRole('button', { name: 'Import YAML' }).click();
  const url = `postgresql://postgres:${server.password}@127.0.0.1:${server.port}/postgres`;
  await page
    .getByRole('textbox', { name: 'Plan as YAML' })
    .fill(`version: 1\nname: By URL\ntarget: ${url}\nsteps:\n  - tsbs.load: { scale: 1, limit: 200 }\n`);
  await page.getByRole('button', { name: 'Import', exact: true }).click();
  await expect(page.getByRole('heading', { name: 'By URL' })).toBeVisible();
  const run = page.getByRole('complementary', { name: 'Run' });
  await expect(run.getByLabel('Target', { exact: true })).toContainText(
    `postgresql://postgres@127.0.0.1:${server.port}`,
  );
  // Kept without its password, the plan asks for it.
  await run.getByRole('button', { name: /^Load 200 rows/ }).click();
  const dialog = page.getByRole('dialog', { name: /^Password for/ });
  await dialog.getByLabel('Password', { exact: true }).fill(server.password);
  await dialog.getByRole('button', { name: 'Go on' }).click();
  await expect(page).toHaveURL(/#\/runs\/.+/);
  await page.getByRole('link', { name: 'Home' }).click();
  const runs = page.getByRole('table', { name: 'Last runs' });
  await expect(runs).toContainText('By URL');
  expect(await page.getByRole('main').textContent()).not.toContain(server.password);
});

test('the form says what is wrong as a field is left, and a port that nothing listens on is named', async ({
  page,
}) => {
  await page.getByRole('link', { name: 'Targets' }).click();
  await page.getByRole('link', { name: 'Add a target' }).first().click();
  const port = page.getByLabel('Port');
  await port.fill('70000');
  await expect(page.getByText('Port is between 1 and 65535')).toBeHidden();
  await port.blur();
  await expect(page.getByText('Port is between 1 and 65535')).toBeVisible();

  await page.getByLabel('Host').fill('127.0.0.1');
  await port.fill('1');
  await page.getByRole('button', { name: 'Test connection' }).click();
  await expect(page.getByRole('alert')).toContainText('127.0.0.1:1');
});

test('the sandbox is started by a test, and emptied only after a question', async ({ page }) => {
  await page.getByRole('link', { name: 'Targets' }).click();
  await page.getByRole('link', { name: 'sandbox', exact: true }).click();
  await page.getByRole('button', { name: 'Test connection' }).click();
  await expect(page.getByText('The connection works')).toBeVisible({ timeout: 60_000 });
  await expect(page.getByLabel('What the server says')).toContainText('PostgreSQL 18');

  await page.getByRole('button', { name: 'Reset' }).click();
  const dialog = page.getByRole('dialog', { name: 'Reset the sandbox' });
  await dialog.getByRole('button', { name: 'Keep' }).click();
  await expect(dialog).toBeHidden();
  await page.getByRole('button', { name: 'Reset' }).click();
  await dialog.getByRole('button', { name: 'Delete the sandbox’s databases' }).click();
  await expect(page.getByText('The sandbox is empty')).toBeVisible({ timeout: 60_000 });
});
