import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Provisioning } from '../../src-shared/model/provision.ts';
import { type Bench, openBench } from './provisionBench.ts';
import { ensureRootFs } from './rootFs.ts';
import { bootPi, type VirtualPi } from './virtualPi.ts';

let pi: VirtualPi;
let bench: Bench;
let pristine: string[];

beforeAll(async () => {
  pi = await bootPi(123, await ensureRootFs((line) => process.stderr.write(`${line}\n`)), {
    disks: [{ path: '/mnt/ssd', megabytes: 400 }],
  });
  await pi.exec('sh', '-c', dietPi);
  bench = await openBench(pi);
  pristine = await bench.snapshot();
});
afterAll(async () => {
  await bench?.close();
  await pi?.close();
});

/** What a DietPi has in place of a desktop's boot target: its own folder, and a tool that keeps an index and a sign-in. */
const dietPi = `mkdir -p /boot/dietpi
printf 'G_DIETPI_VERSION_CORE=9\\nG_DIETPI_VERSION_SUB=8\\n' > /boot/dietpi/.version
cat > /boot/dietpi/dietpi-autostart <<'end_of_tool'
#!/bin/sh
case $1 in ''|*[!0-9]*) echo 'This would be a menu' >&2; exit 1 ;; esac
folder=/etc/systemd/system/getty@tty1.service.d
echo "$1" > /boot/dietpi/.dietpi-autostart_index
rm -f $folder/dietpi-autologin.conf
[ "$1" = 0 ] || {
  mkdir -p $folder
  printf '[Service]\\nExecStart=\\nExecStart=-/sbin/agetty -a root -J %%I $TERM\\n' > $folder/dietpi-autologin.conf
}
systemctl daemon-reload
end_of_tool
chmod 755 /boot/dietpi/dietpi-autostart
/boot/dietpi/dietpi-autostart 7`;

const main = (text: string) =>
  pi.exec('sh', '-c', 'cd / && runuser -u postgres -- psql -XqAt --cluster 17/main -c "$1"', 'sh', text);
/** The server of the cluster main and all of its configuration, as they would change if anybody touched them. */
const ofMain = async () => [
  await main(
    'select pg_postmaster_start_time(), pg_conf_load_time(), system_identifier from pg_control_system()',
  ),
  await main('table kept'),
  await pi.exec('sh', '-c', 'find /etc/postgresql/17/main -type f -exec sha256sum {} + | sort'),
  await pi.exec(
    'sh',
    '-c',
    'stat -c "%n %u %a %y" /etc/postgresql/17/main/* /var/lib/postgresql/17/main/PG_VERSION',
  ),
];

describe('a database from packages beside a cluster main, its data in a folder of another disk', () => {
  let made: Provisioning;
  let before: string[];
  const recipe = { id: 'database-from-packages', parameters: { dataFolder: '/mnt/ssd/bench' } };

  it('is made and takes a load; main is not touched and answers', async () => {
    await main("create table kept as select 'a row' as what");
    before = await ofMain();
    made = await bench.apply([recipe]);
    expect(made.status, bench.logOf(made)).toBe('done');
    expect(await pi.exec('pg_lsclusters', '-h')).toMatch(
      /17 +bench +5433 +online +postgres +\/mnt\/ssd\/bench .*\n17 +main +5432 +online /,
    );
    expect(await ofMain()).toEqual(before);
    // In with the password that was made for it: the target has it.
    expect(made.generated).toEqual(['recipes[0].password']);
    await bench.loads(made);
    const used = Number(await pi.exec('sh', '-c', 'du -sm /mnt/ssd/bench | cut -f 1'));
    expect(used).toBeGreaterThan(30);
    expect(await ofMain()).toEqual(before);
  });

  it('applied again changes nothing, and makes no other password', async () => {
    const settled = await bench.snapshot();
    const again = await bench.apply([recipe]);
    expect(new Set(again.steps.map(({ state }) => state))).toEqual(new Set(['already-so']));
    expect(again.generated).toEqual([]);
    expect(await bench.snapshot()).toEqual(settled);
  });

  it('undone leaves main, the packages it needs, and an empty disk', async () => {
    await bench.undo(made.id);
    expect(await ofMain()).toEqual(before);
    expect(await pi.exec('ls', '/mnt/ssd')).toBe('lost+found\n');
    expect(await bench.snapshot()).toEqual(pristine);
  });
});

describe('headless on a DietPi', () => {
  const index = () => pi.exec('cat', '/boot/dietpi/.dietpi-autostart_index');

  it('goes by its own tool, and back to the index that was there', async () => {
    const made = await bench.apply([{ id: 'headless', parameters: {} }]);
    expect(made.status, bench.logOf(made)).toBe('done');
    expect(bench.states(made)).toContain('headless.dietpi-autostart done');
    expect(await index()).toBe('0\n');
    const settled = await bench.snapshot();
    expect(settled.join('\n')).not.toContain('dietpi-autologin');
    const again = await bench.apply([{ id: 'headless', parameters: {} }]);
    expect(new Set(again.steps.map(({ state }) => state))).toEqual(new Set(['already-so']));
    expect(await bench.snapshot()).toEqual(settled);
    await bench.undo(made.id);
    expect(await index()).toBe('7\n');
    expect(await bench.snapshot()).toEqual(pristine);
  });
});
