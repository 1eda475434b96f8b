import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { snapshot } from './provisionBench.ts';
import { ensureRootFs } from './rootFs.ts';
import { until } from './shell.ts';
import { openWorkbench, type Workbench } from './storyBook.ts';
import { bootPi, type VirtualPi } from './virtualPi.ts';

// From a bare board to a measured database and back, by clicks only; its pictures follow those of story.lab.ts.
let bench: Workbench;
let pi: VirtualPi;
/** The host as it was before anything was set up. */
let before: string[];

beforeAll(async () => {
  // Before the workbench gets a home folder of its own: the root file systems are kept in the user's.
  const rootFs = await ensureRootFs((line) => process.stderr.write(`${line}\n`), 'bare');
  pi = await bootPi(62, rootFs, { firmware: true });
  // In a container dockerd finds no way to close off IPv6, and stops for that.
  await pi.exec('sh', '-c', dropIn);
  bench = await openWorkbench();
});
afterAll(async () => {
  await bench?.close();
  await pi?.close();
});

const dropIn = `mkdir -p /etc/systemd/system/docker.service.d
printf '[Service]\\nEnvironment=DOCKER_ALLOW_IPV6_ON_IPV4_INTERFACE=1\\n' > /etc/systemd/system/docker.service.d/lab.conf`;

/** The page of what was set up, from the host's list of it. */
async function toSetUp(name: RegExp): Promise<void> {
  const { page, goTo } = bench;
  await goTo('Hosts');
  await page.getByRole('link', { name: 'rpi-bare', exact: true }).click();
  await page.getByRole('tab', { name: 'Set up' }).click();
  await page.getByRole('row', { name }).filter({ hasText: 'Done' }).first().getByRole('link').click();
}

describe('a bare Raspberry Pi', () => {
  const secret = 'a secret for the lab';

  it('refuses a wrong password, and takes the right one', async () => {
    const { page, button, goTo, shoot } = bench;
    await goTo('Hosts');
    await page.getByText('No host yet').waitFor();
    await page.getByRole('link', { name: 'Add a host' }).first().click();
    await page.getByLabel('Address').fill(pi.address);
    await page.getByLabel('User name').fill(pi.user);
    await page.getByRole('textbox', { name: 'Password' }).fill('not the password');
    await button('Advanced: name, port, rack').click();
    await page.getByLabel('Name', { exact: true }).fill('rpi-bare');
    await button('Connect to rpi-bare').click();
    await button('Trust this key and sign in').click();
    await page.getByRole('alert').getByText('refuses this password').waitFor();
    await shoot('17-wrong-password');
    await button('Give another password').click();
    await page.getByRole('dialog').getByRole('textbox').fill(pi.password);
    await button('Go on').click();
    await page.getByRole('region', { name: 'Inventory' }).waitFor();
  });

  it('gets a database, which is a target at once', async () => {
    const { page, button, heading, shoot } = bench;
    before = await snapshot(pi);
    await page.getByRole('link', { name: 'Provision', exact: true }).click();
    await page.getByRole('checkbox', { name: /^Database from packages/ }).check();
    await page.getByRole('textbox', { name: 'Password' }).fill(secret);
    await shoot('18-recipe-database');
    await button('Show every change').click();
    await button(/^Apply \d+ change/).waitFor();
    await shoot('19-review-database');
    await button(/^Apply \d+ change/).click();
    await page.getByRole('textbox', { name: /^Log of/ }).waitFor();
    await shoot('20-apply');
    await heading('rpi-bare is set up').waitFor({ timeout: 240_000 });
    await page.getByText('The connection works').waitFor();
    await shoot('21-database');
  });

  it('is not changed a second time', async () => {
    const { page, button, heading } = bench;
    const made = await snapshot(pi);
    await button('Provision again').click();
    await heading('Everything is so already on rpi-bare').waitFor();
    expect(await button('Nothing to change').isDisabled()).toBe(true);
    expect(await snapshot(pi)).toEqual(made);
    await page.goBack();
  });

  it('is measured one click later', async () => {
    const { page, button, shoot } = bench;
    await toSetUp(/Database from packages/);
    await button(/^Run the quick benchmark on rpi-bare/).click();
    await page.waitForURL(/#\/runs\/.+/);
    const verdict = page.getByRole('button', { name: /^Verdict: / }).first();
    await verdict.waitFor();
    await shoot('22-run');
    // Nothing is wrong with it, unless this very machine had no time for its client.
    expect(await verdict.textContent()).toMatch(/^(Valid|Client-bound)/);
  });

  it('is brought back as it was', async () => {
    const { page, button, heading, shoot } = bench;
    await toSetUp(/Database from packages/);
    await button('Undo').click();
    await page.getByRole('dialog').waitFor();
    await shoot('23-undo-database');
    expect(await button(/^Undo \d+ change/).isDisabled()).toBe(true);
    await page.getByLabel('Type rpi-bare to go on').fill('rpi-bare');
    await button(/^Undo \d+ change/).click();
    await heading('rpi-bare is as it was before').waitFor({ timeout: 240_000 });
    expect(await snapshot(pi)).toEqual(before);
  });

  it('is restarted for what holds after a restart only', async () => {
    const { page, button, heading, goTo, shoot } = bench;
    await goTo('Hosts');
    await page.getByRole('link', { name: 'rpi-bare', exact: true }).click();
    await page.getByRole('link', { name: 'Provision', exact: true }).click();
    // What was chosen last is chosen still.
    await page.getByRole('checkbox', { name: /^Database from packages/ }).uncheck();
    await page.getByRole('checkbox', { name: /^Docker engine/ }).check();
    await button('Show every change').click();
    await button(/^Apply \d+ change/).waitFor();
    await shoot('24-review-restart');
    await button(/^Apply \d+ change/).click();
    const failed = page.getByRole('alert');
    await until(
      'the restart',
      async () => (pi.boots() === 2 || (await failed.count()) > 0 ? true : null),
      240,
    );
    expect(await failed.allInnerTexts()).toEqual([]);
    await shoot('25-restart');
    await heading('rpi-bare is set up').waitFor({ timeout: 240_000 });
    await shoot('26-restarted');
    expect(await pi.exec('cat', '/boot/firmware/cmdline.txt')).toMatch(/ cgroup_enable=memory\n$/);
  });

  it('stops everything when its key has changed', async () => {
    const { page, button, heading, goTo, shoot } = bench;
    const known = await pi.hostKey();
    await pi.exec('sh', '-c', 'rm /etc/ssh/ssh_host_*; ssh-keygen -q -A; systemctl restart ssh');
    await pi.sshUp();
    await goTo('Hosts');
    await page.getByRole('link', { name: 'rpi-bare', exact: true }).click();
    await button('Read again').click();
    await heading(/^The key of rpi-bare has changed/).waitFor();
    await page.getByRole('alert').getByText(known).waitFor();
    await page
      .getByRole('alert')
      .getByText(await pi.hostKey())
      .waitFor();
    await shoot('27-key-changed');
    await goTo('Hosts');
    await page.getByRole('table', { name: 'Hosts' }).waitFor();
    await shoot('28-hosts');
  });
});
