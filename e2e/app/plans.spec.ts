import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { wholeDataFile } from '../../src-main/workloads/tsbs/files.ts';
import { articleConfig } from '../../src-main/workloads/tsbs/testing/articleConfig.ts';
import { expect, test } from './fixtures.ts';

test('a new benchmark says what it will do, and what is wrong beside the field', async ({ page }) => {
  await page.getByRole('link', { name: 'New benchmark' }).first().click();
  const run = page.getByRole('complementary', { name: 'Run' });
  const load = page.getByRole('region', { name: 'Step 1: Load a data set' });
  const hosts = load.getByLabel('Simulated hosts', { exact: true });
  const batch = load.getByLabel('Batch size', { exact: true });
  await expect(load).toContainText('all defaults');
  const untouched = await hosts.inputValue();

  // 20 hosts, a row every 10 s, for a day: 20 × 8,640.
  await hosts.fill('20');
  await load.getByLabel('End', { exact: true }).fill('2016-01-02T00:00:00Z');
  await expect(
    run.getByRole('button', { name: /^Load 172,800 rows into benchmark, .* on sandbox$/ }),
  ).toBeVisible();
  await expect(load).toContainText(/[12] changed from the defaults/);

  await batch.fill('0');
  await batch.blur();
  await expect(batch).toHaveAttribute('aria-invalid', 'true');
  await page.getByLabel('Name', { exact: true }).focus();
  await run.getByRole('button', { name: 'One value to correct first' }).click();
  await expect(batch).toBeFocused();
  await load.getByRole('button', { name: 'Set Batch size back to its default' }).click();
  await expect(batch).toHaveValue('10,000');

  const thresholds = page.getByLabel('Thresholds', { exact: true });
  await thresholds.fill('rowsPerSecond >= 100\np99 < 50');
  await thresholds.blur();
  await expect(thresholds).toHaveAttribute('aria-invalid', 'true');
  await expect(page.getByText('"50" is no time: p99 needs one with its unit, as 50ms')).toBeVisible();
  await thresholds.fill('rowsPerSecond >= 100\nnoWorseThan: baseline 5%');
  await expect(thresholds).not.toHaveAttribute('aria-invalid', 'true');

  // Unsaved changes are still there after another screen.
  await page.getByRole('link', { name: 'Home' }).click();
  await page.getByRole('link', { name: 'New benchmark' }).first().click();
  await expect(hosts).toHaveValue('20');
  await page.getByRole('button', { name: 'Discard changes' }).click();
  await expect(hosts).toHaveValue(untouched);
});

test('steps are added, moved and removed, with a way back; a data file is looked at', async ({
  page,
  dataFolder,
}) => {
  await page.getByRole('link', { name: 'New benchmark' }).first().click();
  const steps = page.getByRole('region', { name: /^Step \d: / });
  await expect(steps).toHaveCount(2);
  await page.getByRole('button', { name: 'Move Run queries up' }).click();
  await expect(steps.first()).toHaveAccessibleName('Step 1: Run queries');
  await page.getByRole('button', { name: 'Remove Run queries' }).click();
  await expect(steps).toHaveCount(1);
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(steps).toHaveCount(2);
  await page.getByRole('button', { name: 'Add a step' }).click();
  await page.getByRole('menuitem', { name: /^Run queries/ }).click();
  await expect(steps).toHaveCount(3);

  const file = join(dataFolder, 'cpu.gz');
  const parameters = {
    ...{ useCase: 'cpu-only', seed: 1, scale: 7, logInterval: '10s' },
    ...{ timestampStart: '2016-01-01T00:00:00Z', timestampEnd: '2016-01-01T00:10:00Z' },
  };
  const rows = wholeDataFile({ workload: 'tsbs', parameters }, 'timescaledb');
  await writeFile(file, gzipSync(rows));
  await page.getByRole('button', { name: 'Add a step' }).click();
  await page.getByRole('menuitem', { name: /^Load a data file/ }).click();
  const field = page.getByRole('textbox', { name: 'Data file' });
  await field.fill(join(dataFolder, 'none'));
  await expect(page.getByText('There is no such file')).toBeVisible();
  await field.fill(file);
  await expect(
    page.getByText(/^cpu-only · TimescaleDB format · .* with gzip · 420 rows · .* · 7 hosts · /),
  ).toBeVisible();
});

test('a plan is saved, shown as YAML, deleted and brought back', async ({ page }) => {
  await page.getByRole('link', { name: 'New benchmark' }).first().click();
  await page.getByLabel('Name', { exact: true }).fill('Nightly load');
  await page.getByLabel('Simulated hosts', { exact: true }).first().fill('7');
  await page.getByRole('button', { name: 'Save as a plan' }).click();
  await expect(page.getByRole('heading', { name: 'Nightly load' })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Save', exact: true })).toBeDisabled();

  await page.getByRole('button', { name: 'What else can be done with this plan' }).click();
  await page.getByRole('menuitem', { name: 'Show as YAML' }).click();
  const yaml = page.getByRole('textbox', { name: 'nightly-load.yaml' });
  await expect(yaml).toHaveValue(/name: Nightly load\n/);
  await expect(yaml).toHaveValue(/scale: 7\n/);
  await page.keyboard.press('Escape');

  await page.getByRole('button', { name: 'What else can be done with this plan' }).click();
  await page.getByRole('menuitem', { name: 'Delete' }).click();
  const card = page.getByRole('article').filter({ hasText: 'Nightly load' });
  await expect(page.getByRole('heading', { name: 'Samples' })).toBeVisible();
  await expect(card).toBeHidden();
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(card).toBeVisible();
});

test('a pasted plan is read, its mistakes named with their line', async ({ page }) => {
  await page.getByRole('link', { name: 'Plans', exact: true }).click();
  await page.getByRole('button', { name: 'Import YAML' }).click();
  const text = page.getByRole('textbox', { name: 'Plan as YAML' });
  const plan = (key: string) =>
    `version: 1\nname: Pasted\ntarget: "null"\nsteps:\n  - tsbs.load:\n      ${key}: 3\n`;
  await text.fill(plan('scal'));
  await page.getByRole('button', { name: 'Import', exact: true }).click();
  const error = page.getByRole('dialog').getByRole('alert');
  await expect(error).toContainText('scal');
  await expect(error).toContainText('scale');
  await error.getByRole('button', { name: 'Go to line 6' }).click();
  await expect(text).toBeFocused();
  await text.fill(plan('scale'));
  await page.getByRole('button', { name: 'Import', exact: true }).click();
  await expect(page.getByRole('heading', { name: 'Pasted' })).toBeVisible();
  await expect(page.getByLabel('Simulated hosts', { exact: true })).toHaveValue('3');
});

test('a plan is checked, then run, and its run is opened', async ({ page }) => {
  await page.getByRole('link', { name: 'New benchmark' }).first().click();
  await page.getByRole('button', { name: 'Remove Run queries' }).click();
  await page.getByLabel('Most rows', { exact: true }).fill('5000');
  await page.getByLabel('Target', { exact: true }).selectOption('null');
  const run = page.getByRole('complementary', { name: 'Run' });
  await run.getByRole('button', { name: 'Check first' }).click();
  await expect(run.getByText('The check found nothing in the way')).toBeVisible();
  await run.getByRole('button', { name: 'Load 5,000 rows into benchmark on null' }).click();
  await expect(page).toHaveURL(/#\/runs\/.+/);
  await expect(page.getByRole('heading', { level: 1 })).toContainText('TSBS');
  await page.getByRole('link', { name: 'Home' }).click();
  await expect(page.getByRole('table', { name: 'Last runs' })).toContainText('5,000');
});

test('a sample opens from its card', async ({ page }) => {
  await page.getByRole('link', { name: 'Plans', exact: true }).first().click();
  await page.getByRole('link', { name: 'sysbench read-write on the built-in PostgreSQL' }).click();
  const step = page.getByRole('region', { name: 'Step 2: Run a sysbench script' });
  await expect(step.getByLabel('Threads', { exact: true })).toHaveValue('8');
  await expect(step.getByLabel('Script', { exact: true })).toHaveValue('oltp_read_write');
});

test('a configuration of tsbs_load dropped on the window becomes a plan: broken lines are named, corrected, and it goes back', async ({
  page,
}) => {
  const config = articleConfig.replace('    host: 192.168.1.20\n', '').replace('    user: postgres\n', '');
  const dropped = await page.evaluateHandle((text) => {
    const transfer = new DataTransfer();
    transfer.items.add(new File([text], 'config.yaml', { type: 'application/yaml' }));
    return transfer;
  }, config);
  await page.dispatchEvent('main', 'drop', { dataTransfer: dropped });
  const dialog = page.getByRole('dialog', { name: 'Import a plan' });
  const text = dialog.getByRole('textbox', { name: 'Configuration of tsbs_load, from config.yaml' });
  await expect(text).toHaveValue(config);
  await expect(dialog).toContainText('Load 1,000,000 rows into benchmark');
  const lines = dialog.getByRole('region', { name: 'Lines to correct' });
  await expect(lines.getByRole('button', { name: /^Line/ })).toHaveText([
    'Line 23, column 5',
    'Line 29, column 5',
  ]);
  await expect(lines).toContainText('log-batches: false');
  await expect(dialog.getByRole('region', { name: 'Left out' })).toContainText(
    'a password has no place in a plan',
  );
  await lines.getByRole('button', { name: 'Correct these 2 lines' }).click();
  await expect(lines).toBeHidden();
  await expect(dialog).toContainText(/\d+ keys are taken over/);
  await dialog.getByRole('button', { name: 'Make a plan' }).click();
  const step = page.getByRole('region', { name: 'Step 1: Load a data set' });
  await expect(step.getByLabel('Chunk length', { exact: true })).toHaveValue('4h');
  await expect(step.getByLabel('Most rows', { exact: true })).toHaveValue('1,000,000');
  await page.getByRole('button', { name: 'What else can be done with this plan' }).click();
  await page.getByRole('menuitem', { name: 'Show for tsbs_load' }).click();
  const back = page.getByRole('dialog', { name: 'TSBS cpu-only, scale 40 for tsbs_load' });
  await expect(back).toContainText('chunk-time: 4h');
  await expect(back).toContainText('time-partition-index: false');
});

test('a pasted command line of pgbench becomes a plan, and what it cannot say is named', async ({ page }) => {
  await page.getByRole('link', { name: 'Plans', exact: true }).click();
  await page.getByRole('button', { name: 'Paste a command line' }).click();
  const dialog = page.getByRole('dialog', { name: 'Plan from a command line' });
  const line = dialog.getByRole('textbox', { name: 'Command line of TSBS, pgbench or sysbench' });
  const make = dialog.getByRole('button', { name: 'Make a plan' });
  await expect(make).toBeDisabled();
  await line.fill('pgbench -c 10 "bench');
  await expect(dialog.getByRole('alert')).toContainText('The quote " is not closed');
  await line.fill('pgbench -c 10 -j 2 --verbose-errors -T 3600 -P 60 -f my.sql bench_test');
  await expect(dialog.getByRole('region', { name: 'Left out' }).getByRole('listitem')).toHaveText([
    /^--verbose-errors conflicts are counted by SQLSTATE/,
    /^-f my\.sql the file’s text is not known here/,
  ]);
  const chooser = page.waitForEvent('filechooser');
  await dialog.getByRole('button', { name: 'Choose my.sql' }).click();
  await (await chooser).setFiles({
    name: 'my.sql',
    mimeType: 'text/plain',
    buffer: Buffer.from('SELECT :scale;'),
  });
  await expect(dialog).toContainText('Run my.sql on bench_test for 3600 s with 10 clients');
  await make.click();
  const step = page.getByRole('region', { name: 'Step 1: Run pgbench’s scripts' });
  await expect(step.getByRole('textbox', { name: 'Text of script 1' })).toHaveValue('SELECT :scale;');
  await expect(step.getByLabel('Clients', { exact: true })).toHaveValue('10');
  await expect(step.getByLabel('Time', { exact: true })).toHaveValue('3,600');

  // A second script, each with a weight.
  await step.getByRole('button', { name: 'Add a script' }).click();
  await step.getByRole('combobox', { name: 'Script 2' }).selectOption('select-only');
  await step.getByRole('textbox', { name: 'Weight of script 2' }).fill('9');
  await expect(page.getByRole('button', { name: /^Run 2 scripts on bench_test for 3600 s/ })).toBeVisible();
  await step.getByRole('button', { name: 'Remove script 1' }).click();
  await expect(page.getByRole('button', { name: /^Run select-only on bench_test for 3600 s/ })).toBeVisible();
});

test('a new benchmark is of the workload that is chosen', async ({ page }) => {
  await page.getByRole('link', { name: 'New benchmark' }).first().click();
  await page.getByRole('radiogroup', { name: 'Benchmark' }).getByText('pgbench', { exact: true }).click();
  await expect(page.getByRole('region', { name: /^Step \d: / })).toHaveCount(2);
  const make = page.getByRole('region', { name: 'Step 1: Make pgbench’s tables' });
  await make.getByLabel('Scale', { exact: true }).fill('10');
  await expect(
    page.getByRole('button', {
      name: /^Make pgbench’s tables in pgbench with 1,000,000 accounts, then run tpcb-like/,
    }),
  ).toBeVisible();
});
