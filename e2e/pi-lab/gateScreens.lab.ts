import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ensureRootFs } from './rootFs.ts';
import { pi4 } from './shims.ts';
import { openWorkbench, type Workbench } from './storyBook.ts';
import { bootPi, type VirtualPi } from './virtualPi.ts';

// A database that was not set up by Benchberry, on a host that it knows: by clicks only.
let bench: Workbench;
let pi: VirtualPi;

beforeAll(async () => {
  pi = await bootPi(112, await ensureRootFs((line) => process.stderr.write(`${line}\n`)));
  bench = await openWorkbench();
});
afterAll(async () => {
  await bench?.close();
  await pi?.close();
});

const goTo = (place: 'Hosts' | 'Home' | 'Targets' | 'Runs') =>
  bench.page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: place }).click();

async function addHost(): Promise<void> {
  const { page, button } = bench;
  await goTo('Home');
  await page.getByRole('link', { name: 'Connect to a Pi' }).click();
  await page.getByLabel('Address').fill(pi.address);
  await page.getByLabel('User name').fill(pi.user);
  await page.getByRole('textbox', { name: 'Password' }).fill(pi.password);
  await button('Advanced: name, port, rack').click();
  await page.getByLabel('Name', { exact: true }).fill('rpi-gate');
  await button('Connect to rpi-gate').click();
  await button('Trust this key and sign in').click();
  await page.getByRole('region', { name: 'Inventory' }).waitFor();
}

/** The button that runs the plan: it says what it does. */
const runButton = () => bench.button(/ on lab$/);
const dialog = () => bench.page.getByRole('dialog', { name: 'Is rpi-gate ready for a run?' });

async function ended(): Promise<void> {
  const { page } = bench;
  await page.waitForURL(/#\/runs\/.+/);
  await page
    .getByRole('button', { name: /^Verdict: / })
    .first()
    .waitFor({ timeout: 180_000 });
}

describe('a target made by hand', () => {
  it('is proposed to run on the host of its address', async () => {
    await addHost();
    const { page, button, shoot } = bench;
    const url = new URL(pi.postgresUrl);
    await goTo('Targets');
    await page.getByRole('link', { name: 'Add a target' }).first().click();
    await page.getByLabel('Name', { exact: true }).fill('lab');
    await page.getByLabel('Host', { exact: true }).fill(url.hostname);
    await page.getByLabel('Port', { exact: true }).fill(url.port);
    await page.getByLabel('User', { exact: true }).fill(url.username);
    await page.getByRole('textbox', { name: 'Password' }).fill(decodeURIComponent(url.password));
    const chosen = page.getByLabel('Runs on').locator('option:checked');
    expect(await chosen.textContent()).toBe(`rpi-gate (${pi.address})`);
    await shoot('30-target');
    await button('Save lab').click();
    await page.getByRole('link', { name: 'lab', exact: true }).click();
    expect(await chosen.textContent()).toBe(`rpi-gate (${pi.address})`);
    await page.getByRole('link', { name: 'New benchmark on it' }).click();
  });

  it('has a plan that keeps the host quiet, and says what that stops', async () => {
    const { page, button, shoot } = bench;
    // Little enough for any machine.
    await page.getByLabel('Simulated hosts').first().fill('20');
    await button(/^Remove /)
      .nth(1)
      .click();
    await page.getByRole('checkbox', { name: 'Keep rpi-gate quiet during the run' }).check();
    await page.getByText(/^Will be stopped: .*apt-daily\.timer/).waitFor();
    await shoot('31-quiet');
  });

  it('waits for a host that is too warm, and can be cancelled', async () => {
    const { page, shoot } = bench;
    await pi.board({ temperatureC: 71.2 });
    await runButton().click();
    await dialog().getByText('Waiting for temperature').waitFor();
    await shoot('32-gate-waits');
    await dialog().getByRole('button', { name: 'Cancel' }).click();
    await dialog().waitFor({ state: 'hidden' });
    expect(page.url()).not.toContain('#/runs/');
  });

  it('is not measured on a host that is not ready, unless one says why', async () => {
    const { page, shoot } = bench;
    await pi.board({ ...pi4, throttled: '0x50005' });
    await runButton().click();
    await dialog().getByRole('alert').getByText('rpi-gate is not ready for a run').waitFor();
    await shoot('33-gate-refuses');
    await dialog().getByLabel('Begin all the same, because').fill('The new supply comes tomorrow');
    await dialog().getByRole('button', { name: 'Begin all the same' }).click();
    await ended();
    await page.getByRole('tab', { name: 'Set-up' }).click();
    await page.getByText('Not passed; begun all the same: The new supply comes tomorrow').waitFor();
    await page.getByText(/^yes; stopped: .*apt-daily\.timer/).waitFor();
    await page.getByText(/^the one under \/.*, of the cluster /).waitFor();
    await page.getByText('rpi-gate was not ready (throttling). Begun all the same:').waitFor();
    await shoot('34-run');
  });

  it('is compared by it', async () => {
    const { page, button, shoot } = bench;
    await pi.board(pi4);
    const first = page.url();
    await button('Run again').click();
    await page.waitForURL((url) => url.href !== first);
    await ended();
    await goTo('Runs');
    const boxes = page.getByRole('checkbox', { name: /^(Choose|Select) / });
    await boxes.nth(0).check();
    await boxes.nth(1).check();
    await page.getByRole('link', { name: 'Compare 2 runs' }).or(button('Compare 2 runs')).click();
    const row = page.getByRole('row').filter({ has: page.getByRole('rowheader', { name: 'Gate' }) });
    await row.getByText('overridden: The new supply comes tomorrow').waitFor();
    await shoot('35-compare');
  });

  it('leaves what was last seen with its host', async () => {
    const { page, shoot } = bench;
    await goTo('Hosts');
    await page.getByRole('link', { name: 'rpi-gate', exact: true }).click();
    await page.getByRole('tab', { name: 'Checks' }).click();
    await page.getByRole('list', { name: 'May a run begin?' }).waitFor();
    await shoot('36-host');
  });
});
