import { rm } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { snapshot } from './provisionBench.ts';
import { ensureRootFs } from './rootFs.ts';
import { until } from './shell.ts';
import { openWorkbench, type Workbench } from './storyBook.ts';
import { bootPi, type VirtualPi } from './virtualPi.ts';

// From a bare board to what is wanted of it, by clicks only; with BENCHBERRY_PICTURES=1 a picture of each step goes
// into docs/screenshots/.
const log = (line: string) => process.stderr.write(`${line}\n`);
let bench: Workbench;
let desktop: VirtualPi;
/** The host as it was before anything was set up. */
let before: string[];

beforeAll(async () => {
  // Before the workbench gets a home folder of its own: the root file systems are kept in the user's.
  desktop = await bootPi(61, await ensureRootFs(log, 'desktop'));
  await desktop.announce('rpi-desk');
  bench = await openWorkbench();
});
afterAll(async () => {
  await bench?.close();
  await desktop?.close();
});

describe('a Raspberry Pi with a desktop', () => {
  it('is found on the network and picked, and its key is shown once', async () => {
    const { page, button, heading, goTo, shoot } = bench;
    await goTo('Hosts');
    await page.getByText('No host yet').waitFor();
    await shoot('01-none');
    await goTo('Home');
    await page.getByRole('link', { name: 'Connect to a Pi' }).click();
    await page.getByText('Looking for hosts').waitFor();
    const found = button(/^rpi-desk\.local/);
    await found.click();
    await shoot('02-add');
    expect(await found.getAttribute('aria-pressed')).toBe('true');
    expect(await page.getByLabel('Address').inputValue()).toBe(desktop.address);
    await page.getByLabel('User name').fill(desktop.user);
    await page.getByRole('textbox', { name: 'Password' }).fill(desktop.password);
    await button('Connect to rpi-desk').click();
    await heading('Is this the right host?').waitFor();
    await page.getByText(await desktop.hostKey()).waitFor();
    await shoot('03-key');
  });

  it('says what it is', async () => {
    const { page, button, shoot } = bench;
    await button('Trust this key and sign in').click();
    await page.getByRole('region', { name: 'Inventory' }).waitFor();
    await page.getByRole('region', { name: 'Board' }).getByText('Raspberry Pi 4 Model B Rev 1.4').waitFor();
    await shoot('04-inventory');
    await page.getByRole('tab', { name: 'Health now' }).click();
    await page.getByRole('term').filter({ hasText: 'Network received' }).waitFor();
    await shoot('05-health');
    await page.getByRole('tab', { name: 'Checks' }).click();
    await button('Look now').click();
    await page.getByRole('list', { name: 'May a run begin?' }).waitFor();
    await button('Measure').click();
    await page.getByRole('list', { name: 'What can it do?' }).waitFor({ timeout: 120_000 });
    await shoot('05-checks');
  });

  it('shows every change before it is made, and is not changed by that', async () => {
    const { page, button, shoot } = bench;
    before = await snapshot(desktop);
    await page.getByRole('link', { name: 'Provision', exact: true }).click();
    await page.getByRole('checkbox', { name: /^Headless/ }).check();
    await shoot('06-recipe');
    await button('Show every change').click();
    await button(/^Apply \d+ change/).waitFor();
    await shoot('07-review');
    await button('Commands').first().click();
    await page.getByRole('textbox', { name: /^Commands of/ }).waitFor();
    await button('As a script').click();
    expect(await page.getByRole('textbox', { name: 'Script' }).inputValue()).toContain('multi-user.target');
    await shoot('08-script');
    const download = page.waitForEvent('download');
    await button('Download').click();
    expect((await download).suggestedFilename()).toBe('set-up-rpi-desk.sh');
    await page.keyboard.press('Escape');
    expect(await snapshot(desktop)).toEqual(before);
  });

  it('boots without its desktop when that is applied', async () => {
    const { button, heading } = bench;
    await button(/^Apply \d+ change/).click();
    await heading('rpi-desk is set up').waitFor();
    await bench.shoot('09-done');
    expect((await desktop.exec('systemctl', 'get-default')).trim()).toBe('multi-user.target');
  });

  it('is not changed a second time', async () => {
    const { button, heading, shoot } = bench;
    const made = await snapshot(desktop);
    await button('Provision again').click();
    await heading('Everything is so already on rpi-desk').waitFor();
    expect(await button('Nothing to change').isDisabled()).toBe(true);
    await shoot('10-again');
    expect(await snapshot(desktop)).toEqual(made);
  });

  it('is brought back as it was', async () => {
    const { page, button, heading, shoot } = bench;
    await page.getByRole('link', { name: 'rpi-desk', exact: true }).click();
    await page.getByRole('tab', { name: 'Set up' }).click();
    await page.getByRole('row', { name: /Done/ }).getByRole('link').click();
    await button('Undo').click();
    await page.getByRole('dialog').waitFor();
    await shoot('11-undo');
    await button(/^Undo \d+ change/).click();
    await heading('rpi-desk is as it was before').waitFor();
    await shoot('12-undone');
    expect(await snapshot(desktop)).toEqual(before);
  });
});

describe('a host that is signed in to with a key', () => {
  const passphrase = 'a phrase: "quoted" é';

  it('asks for the password of sudo in a dialog', async () => {
    const { page, home, button, shoot } = bench;
    const { publicKey } = await home.key('lab', '-t', 'ed25519', '-N', passphrase);
    await desktop.authorize(publicKey);
    await page.getByRole('link', { name: 'rpi-desk', exact: true }).click();
    await page.getByRole('link', { name: 'Change the sign-in' }).click();
    await page.getByText('Key file', { exact: true }).click();
    await page.getByLabel('Private key file').fill('~/.ssh/lab');
    await page.getByRole('textbox', { name: 'Passphrase of the key' }).fill(passphrase);
    await shoot('13-key-file');
    await button('Connect to rpi-desk').click();
    await page.getByRole('link', { name: 'Provision', exact: true }).click();
    await button('Commands of your own, before and after').click();
    await page.getByLabel('Before the first step').fill('echo looking; test -e go-on');
    await button('Show every change').click();
    const dialog = page.getByRole('dialog', { name: 'Password for sudo on rpi-desk' });
    await dialog.waitFor();
    await shoot('14-sudo');
    await dialog.getByRole('textbox').fill(desktop.password);
    await dialog.getByRole('button', { name: 'Go on' }).click();
    await button(/^Apply \d+ change/).waitFor();
  });

  it('says which step failed, and goes on there when the cause is gone', async () => {
    const { page, button, heading, shoot } = bench;
    await button(/^Apply \d+ change/).click();
    await page.getByRole('alert').waitFor();
    await page.getByRole('textbox', { name: /^Log of/ }).waitFor();
    await shoot('15-failed');
    await desktop.exec('touch', '/home/pi/go-on');
    await button('Resume').click();
    await heading('rpi-desk is set up').waitFor();
    expect((await desktop.exec('systemctl', 'get-default')).trim()).toBe('multi-user.target');
  });

  it('is signed in to with a key that only the agent holds', async () => {
    const { page, home, button, shoot } = bench;
    const { file, publicKey } = await home.key('agent', '-t', 'ed25519');
    await desktop.authorize(publicKey);
    await home.addToAgent(file);
    await rm(file);
    await page.getByRole('link', { name: 'rpi-desk', exact: true }).click();
    await page.getByRole('link', { name: 'Change the sign-in' }).click();
    await page.getByText('SSH agent', { exact: true }).click();
    await shoot('16-agent');
    await button('Connect to rpi-desk').click();
    await button('Read again').click();
    const print = (await desktop.exec('sh', '-c', 'echo "$1" | ssh-keygen -lf -', 'sh', publicKey)).split(
      ' ',
    )[1];
    await until('the sign-in with that key', async () => {
      const log = await desktop.exec('journalctl', '--no-pager', '-o', 'cat', '-u', 'ssh');
      return log.includes(`ED25519 ${print}`) ? true : null;
    });
    await button('Read again').waitFor();
    expect(await page.getByRole('alert').count()).toBe(0);
  });
});
