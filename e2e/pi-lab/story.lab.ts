import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ensureRootFs } from './rootFs.ts';
import { openWorkbench, type Workbench } from './storyBook.ts';
import { bootPi, type VirtualPi } from './virtualPi.ts';

// From a bare board to what is wanted of it, by clicks only; with BENCHBERRY_PICTURES=1 a picture of each step goes
// into docs/screenshots/.
const log = (line: string) => process.stderr.write(`${line}\n`);
let bench: Workbench;
let desktop: VirtualPi;
let bare: VirtualPi;
/** The host as it was before anything was set up. */
let before: string[];

beforeAll(async () => {
  // Before the workbench gets a home folder of its own: the root file systems are kept in the user's.
  desktop = await bootPi(61, await ensureRootFs(log, 'desktop'));
  bare = await bootPi(62, await ensureRootFs(log, 'bare'));
  bench = await openWorkbench();
});
afterAll(async () => {
  await bench?.close();
  await desktop?.close();
  await bare?.close();
});

/** Without what looking leaves: the mark of Debian's sudo at its first use, and the sessions of signing in. */
async function snapshot(pi: VirtualPi): Promise<string[]> {
  const ofLooking =
    /\.sudo_as_admin_successful|^session-.*\.scope |^user@1000\.service |^user-runtime-dir@1000\.service /;
  return (await pi.snapshot()).filter((line) => !ofLooking.test(line));
}

async function fillIn(pi: VirtualPi, name: string, password: string): Promise<void> {
  const { page, button } = bench;
  await page.getByLabel('Address').fill(pi.address);
  await page.getByLabel('User name').fill(pi.user);
  await page.getByRole('textbox', { name: 'Password' }).fill(password);
  await button('Advanced: name, port, rack').click();
  await page.getByLabel('Name', { exact: true }).fill(name);
}

async function goTo(place: 'Hosts' | 'Home'): Promise<void> {
  await bench.page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: place }).click();
}

describe('a Raspberry Pi with a desktop', () => {
  it('is found by its address, and its key is shown once', async () => {
    const { page, button, heading, shoot } = bench;
    await goTo('Hosts');
    await page.getByText('No host yet').waitFor();
    await shoot('01-none');
    await goTo('Home');
    await page.getByRole('link', { name: 'Connect to a Pi' }).click();
    await page.getByText('Looking for hosts').waitFor();
    await fillIn(desktop, 'rpi-desk', desktop.password);
    await page.getByText(/Nothing announced itself|hosts? found/).waitFor();
    await shoot('02-add');
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
  it('asks for the password of sudo in a dialog', async () => {
    const { page, home, button, shoot } = bench;
    const { file, publicKey } = await home.key('lab', '-t', 'ed25519');
    await desktop.authorize(publicKey);
    await page.getByRole('link', { name: 'rpi-desk', exact: true }).click();
    await page.getByRole('link', { name: 'Change the sign-in' }).click();
    await page.getByText('Key file', { exact: true }).click();
    await page.getByLabel('Private key file').fill(file);
    await button('Connect to rpi-desk').click();
    await page.getByRole('link', { name: 'Provision', exact: true }).click();
    await button('Commands of your own, before and after').click();
    await page.getByLabel('Before the first step').fill('echo looking; test -e go-on');
    await button('Show every change').click();
    const dialog = page.getByRole('dialog', { name: 'Password for sudo on rpi-desk' });
    await dialog.waitFor();
    await shoot('13-sudo');
    await dialog.getByRole('textbox').fill(desktop.password);
    await dialog.getByRole('button', { name: 'Go on' }).click();
    await button(/^Apply \d+ change/).waitFor();
  });

  it('says which step failed, and goes on there when the cause is gone', async () => {
    const { page, button, heading, shoot } = bench;
    await button(/^Apply \d+ change/).click();
    await page.getByRole('alert').waitFor();
    await page.getByRole('textbox', { name: /^Log of/ }).waitFor();
    await shoot('14-failed');
    await desktop.exec('touch', '/home/pi/go-on');
    await button('Resume').click();
    await heading('rpi-desk is set up').waitFor();
    expect((await desktop.exec('systemctl', 'get-default')).trim()).toBe('multi-user.target');
  });
});

describe('a bare Raspberry Pi', () => {
  const secret = 'a secret for the lab';

  it('refuses a wrong password, and takes the right one', async () => {
    const { page, button, shoot } = bench;
    await goTo('Hosts');
    await page.getByRole('link', { name: 'Add a host' }).click();
    await fillIn(bare, 'rpi-bare', 'not the password');
    await button('Connect to rpi-bare').click();
    await button('Trust this key and sign in').click();
    await page.getByRole('alert').getByText('refuses this password').waitFor();
    await shoot('15-wrong-password');
    await button('Give another password').click();
    await page.getByRole('dialog').getByRole('textbox').fill(bare.password);
    await button('Go on').click();
    await page.getByRole('region', { name: 'Inventory' }).waitFor();
  });

  it('gets a database, which is a target at once', async () => {
    const { page, button, heading, shoot } = bench;
    before = await snapshot(bare);
    await page.getByRole('link', { name: 'Provision', exact: true }).click();
    await page.getByRole('checkbox', { name: /^Database from packages/ }).check();
    await page.getByRole('textbox', { name: 'Password' }).fill(secret);
    await shoot('16-recipe-database');
    await button('Show every change').click();
    await button(/^Apply \d+ change/).waitFor();
    await shoot('17-review-database');
    await button(/^Apply \d+ change/).click();
    await page.getByRole('textbox', { name: /^Log of/ }).waitFor();
    await shoot('18-apply');
    await heading('rpi-bare is set up').waitFor({ timeout: 240_000 });
    await page.getByText('The connection works').waitFor();
    await shoot('19-database');
  });

  it('is measured one click later', async () => {
    const { page, button, shoot } = bench;
    await button(/^Run the quick benchmark on rpi-bare/).click();
    await page.waitForURL(/#\/runs\/.+/);
    await page
      .getByRole('button', { name: /^Verdict: / })
      .first()
      .waitFor({ timeout: 180_000 });
    await shoot('20-run');
    expect(await page.getByRole('button', { name: /^Verdict: (Failed|Errors|Rows missing)/ }).count()).toBe(
      0,
    );
  });

  it('stops everything when its key has changed', async () => {
    const { page, button, heading, shoot } = bench;
    const known = await bare.hostKey();
    await bare.exec('sh', '-c', 'rm /etc/ssh/ssh_host_*; ssh-keygen -q -A; systemctl restart ssh');
    await bare.sshUp();
    await goTo('Hosts');
    await page.getByRole('link', { name: 'rpi-bare', exact: true }).click();
    await button('Read again').click();
    await heading(/^The key of rpi-bare has changed/).waitFor();
    await page.getByRole('alert').getByText(known).waitFor();
    await page
      .getByRole('alert')
      .getByText(await bare.hostKey())
      .waitFor();
    await shoot('21-key-changed');
    await goTo('Hosts');
    await page.getByRole('table', { name: 'Hosts' }).waitFor();
    await shoot('22-hosts');
  });
});
