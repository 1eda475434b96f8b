import { chmod, mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** What a board tells of itself; every value can be changed while it runs. */
export interface Board {
  model: string;
  /** As on the box; Linux sees a little less. null (at boot only): this machine's own memory, with figures that move. */
  memoryGb: 1 | 2 | 4 | 8 | null;
  /** As `vcgencmd get_throttled` prints it, e.g. `0x50005`. Bit 0 is also the hwmon alarm. */
  throttled: string;
  temperatureC: number;
  clockMhz: number;
  maxClockMhz: number;
  /** Waiting tasks, averaged over a minute; that of this machine would not let a run begin. */
  load1: number;
}

export const pi4: Board = {
  model: 'Raspberry Pi 4 Model B Rev 1.4',
  memoryGb: 4,
  throttled: '0x0',
  temperatureC: 44.3,
  clockMhz: 1500,
  maxClockMhz: 1500,
  load1: 0.08,
};

/** kB that Linux reports as MemTotal on boards of so many GB. */
const memTotalKb = { 1: 892_376, 2: 1_893_172, 4: 3_885_300, 8: 7_998_776 };

const folder = 'var/lib/virtual-pi';

/**
 * The files that only a real board has, at their real paths: `vcgencmd`, /proc/meminfo, /proc/loadavg, the thermal zone, cpufreq, the
 * under-voltage alarm and the device tree; the kernel's command line where the firmware would read one, the account of
 * memory that Raspberry Pi OS keeps only when it says so, and a limit of the kernel that all virtual Pis would share. A unit
 * puts them there at each boot, before anybody can sign in.
 *
 * Three things cannot be: /proc/device-tree (no entry can be added to procfs; its target, /sys/firmware/devicetree/base,
 * is there), a memory figure that moves (/proc/meminfo is a file as of the last change), and another architecture.
 */
export async function installShims(root: string, board: Board): Promise<void> {
  await mkdir(join(root, folder), { recursive: true });
  await executable(join(root, 'usr/bin/vcgencmd'), vcgencmd);
  await executable(join(root, folder, 'mount'), mountScript);
  const units = join(root, 'etc/systemd/system');
  await writeFile(join(units, 'virtual-pi.service'), unit);
  await mkdir(join(units, 'sysinit.target.wants'), { recursive: true });
  await symlink('../virtual-pi.service', join(units, 'sysinit.target.wants/virtual-pi.service'));
  await setBoard(root, board);
}

/**
 * The boot partition of a Raspberry Pi, whose command line the kernel obeys at the next start: with `cgroup_enable=memory`
 * in it, control groups keep account of memory (that is told, not done).
 */
export async function installFirmware(root: string): Promise<void> {
  const boot = join(root, 'boot/firmware');
  await mkdir(boot, { recursive: true });
  await writeFile(join(boot, 'config.txt'), 'arm_64bit=1\n');
  await writeFile(
    join(boot, 'cmdline.txt'),
    'console=tty1 root=PARTUUID=4e2f8a1c-02 rootfstype=ext4 rootwait\n',
  );
  await writeFile(join(root, folder, 'firmware'), '');
}

/** Files are rewritten in place: what is mounted over others must stay the same file. */
export async function setBoard(root: string, board: Board): Promise<void> {
  const milli = Math.round(board.temperatureC * 1000);
  const files = {
    model: `${board.model}\0`,
    throttled: `${board.throttled}\n`,
    temperature: `${milli}\n`,
    clock: `${board.clockMhz * 1000}\n`,
    maxClock: `${board.maxClockMhz * 1000}\n`,
    loadavg: `${board.load1.toFixed(2)} 0.05 0.01 1/120 4711\n`,
    underVoltage: `${Number(board.throttled) & 1}\n`,
    meminfo: board.memoryGb === null ? '' : meminfo(memTotalKb[board.memoryGb]),
  };
  for (const [name, text] of Object.entries(files)) await writeFile(join(root, folder, name), text);
}

async function executable(path: string, text: string): Promise<void> {
  await writeFile(path, text);
  await chmod(path, 0o755);
}

function meminfo(total: number): string {
  const share = (part: number) => Math.round((total * part) / 4) * 4;
  const lines: [string, number][] = [
    ['MemTotal', total],
    ['MemFree', share(0.55)],
    ['MemAvailable', share(0.8)],
    ['Buffers', share(0.02)],
    ['Cached', share(0.25)],
    ['SwapCached', 0],
    ['SwapTotal', 0],
    ['SwapFree', 0],
    ['Dirty', 128],
    ['Writeback', 0],
    ['Shmem', share(0.01)],
  ];
  return lines.map(([name, kb]) => `${`${name}:`.padEnd(15)}${String(kb).padStart(9)} kB\n`).join('');
}

const unit = `[Unit]
Description=Files that a real board has
DefaultDependencies=no
Before=sysinit.target systemd-sysctl.service
[Service]
Type=oneshot
RemainAfterExit=yes
ExecStart=/${folder}/mount
`;

// The words are those of a real vcgencmd.
const vcgencmd = `#!/bin/sh
cd /${folder} || exit 1
case $1 in
  get_throttled) read -r v < throttled; echo "throttled=$v" ;;
  measure_temp) read -r v < temperature; echo "temp=$((v / 1000)).$((v % 1000 / 100))'C" ;;
  measure_clock) read -r v < clock; echo "frequency(48)=\${v}000" ;;
  measure_volts) echo "volt=0.8500V" ;;
  *) echo 'error=1 error_msg="Command not registered"'; exit 1 ;;
esac
`;

// Layers over sysfs: its own entries stay, the board's are added.
const mountScript = `#!/bin/sh
set -eu
here=/${folder}
[ ! -s $here/meminfo ] || mount --bind $here/meminfo /proc/meminfo
mount --bind $here/loadavg /proc/loadavg
mount -t tmpfs -o mode=755 tmpfs /sys/firmware
mkdir -p /sys/firmware/devicetree/base
ln -s $here/model /sys/firmware/devicetree/base/model
top=/run/virtual-pi
mkdir -p $top/sys
# The container shows this machine's network devices: those of its own namespace come from a sysfs mounted in it.
mount -t sysfs sysfs $top/sys
mount --bind $top/sys/devices/virtual/net /sys/devices/virtual/net
# The firmware hands its file to the kernel; without the switch in it Raspberry Pi OS keeps no account of memory.
if [ -e /boot/firmware/cmdline.txt ]; then
  cp /boot/firmware/cmdline.txt $top/cmdline
  mount --bind $top/cmdline /proc/cmdline
fi
if ! grep -qw cgroup_enable=memory /proc/cmdline && grep -qw memory /sys/fs/cgroup/cgroup.controllers; then
  sed 's/ *memory//' /sys/fs/cgroup/cgroup.controllers > $top/controllers
  mount --bind $top/controllers /sys/fs/cgroup/cgroup.controllers
fi
# Debian's value; systemd-sysctl, which finds /proc/sys closed in a container, would read these files.
echo 65530 > $top/max_map_count
cat /etc/sysctl.d/*.conf 2>/dev/null | sed -n 's/^vm.max_map_count *= *//p' >> $top/max_map_count
sed -i '$!d' $top/max_map_count
mount --bind $top/max_map_count /proc/sys/vm/max_map_count
mkdir -p $top/class/thermal/thermal_zone0 $top/class/hwmon/hwmon0 $top/cpu
echo cpu-thermal > $top/class/thermal/thermal_zone0/type
ln -s $here/temperature $top/class/thermal/thermal_zone0/temp
echo rpi_volt > $top/class/hwmon/hwmon0/name
ln -s $here/underVoltage $top/class/hwmon/hwmon0/in0_lcrit_alarm
for cpu in /sys/devices/system/cpu/cpu[0-9]*; do
  f=$top/cpu/\${cpu##*/}/cpufreq
  mkdir -p $f
  ln -s $here/clock $f/scaling_cur_freq
  ln -s $here/maxClock $f/cpuinfo_max_freq
  ln -s $here/maxClock $f/scaling_max_freq
  echo ondemand > $f/scaling_governor
done
mount -t overlay overlay -o lowerdir=$top/class:$top/sys/class /sys/class
mount -t overlay overlay -o lowerdir=$top/cpu:/sys/devices/system/cpu /sys/devices/system/cpu
if [ -e $here/firmware ] && grep -qw cgroup_enable=memory /boot/firmware/cmdline.txt; then
  echo "$(cat /sys/fs/cgroup/cgroup.controllers) memory" > $here/controllers
  mount --bind $here/controllers /sys/fs/cgroup/cgroup.controllers
fi
`;
