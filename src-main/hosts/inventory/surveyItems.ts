import type { SurveyItem } from './survey.ts';

/**
 * What is asked: a name and shell text. Each must cope with its commands and files missing. Known to all: `$dev`, the
 * network device that leads to the workbench; `$client` and `$client_port`, the workbench's end of the SSH connection;
 * `$as_root`, `sudo -n` where that works without a password, else empty. Serial numbers are never read.
 */
export const surveyItems: readonly SurveyItem[] = [
  ['boot-id', 'cat /proc/sys/kernel/random/boot_id'],
  ['uname', 'uname -a'],
  ['arch', 'dpkg --print-architecture'],
  ['page-size', 'getconf PAGESIZE'],
  ['os-release', 'cat /etc/os-release || cat /usr/lib/os-release'],
  ['rpi-issue', 'cat /etc/rpi-issue'],
  ['apt-raspberry', 'grep -rhs "archive\\.raspberrypi" /etc/apt/sources.list /etc/apt/sources.list.d'],
  ['dietpi', 'ls -d /boot/dietpi /boot/firmware/dietpi 2>/dev/null | grep .'],
  ['armbian', 'cat /etc/armbian-release'],
  [
    'ubuntu-mate',
    `dpkg-query -W -f '\${db:Status-Abbrev} \${Package}\\n' ubuntu-mate-desktop ubuntu-mate-core | grep '^ii'`,
  ],
  [
    'model',
    '(cat /proc/device-tree/model 2>/dev/null || cat /sys/firmware/devicetree/base/model) | tr -d "\\000"',
  ],
  ['cpuinfo', "grep -E '^(processor|model name|CPU part|Hardware|Revision|Model)' /proc/cpuinfo"],
  ['serial', "grep -q '^Serial' /proc/cpuinfo || [ -e /sys/firmware/devicetree/base/serial-number ]"],
  ['lscpu', 'lscpu'],
  ['nproc', 'nproc'],
  ['meminfo', 'head -n 20 /proc/meminfo'],
  ['root', 'findmnt -no SOURCE,FSTYPE / || awk \'$2 == "/" { print $1, $3 }\' /proc/mounts | tail -n 1'],
  ['df', 'df -PB1 /'],
  [
    'disks',
    `for b in /sys/block/*; do
  [ -e "$b/size" ] || continue
  read -r size < "$b/size"
  type=; [ -r "$b/device/type" ] && read -r type < "$b/device/type"
  echo "\${b##*/}|$size|$type|$(readlink -f "$b")"
done`,
  ],
  ['lsblk', 'lsblk -b'],
  ['route', `ip -o route get "\${client:-1.1.1.1}"`],
  [
    'wireless',
    '[ -n "$dev" ] && ls -d /sys/class/net/$dev/wireless /sys/class/net/$dev/phy80211 2>/dev/null | grep .',
  ],
  ['speed', '[ -n "$dev" ] && { cat "/sys/class/net/$dev/speed" || ethtool "$dev"; }'],
  ['wifi', '[ -n "$dev" ] && { iw dev "$dev" get power_save; iw dev "$dev" link; iwconfig "$dev"; }'],
  ['ping', '[ -n "$client" ] && ping -n -c 5 -i 0.2 -W 1 "$client"'],
  ['tcp', '[ -n "$client_port" ] && ss -Htin "dport = :$client_port"'],
  ['default-target', 'systemctl get-default'],
  [
    'display-manager',
    'readlink /etc/systemd/system/display-manager.service || cat /etc/X11/default-display-manager',
  ],
  [
    'gui',
    'systemctl is-active display-manager.service; pgrep -l "^(Xorg|Xwayland|labwc|wayfire|gnome-shell|mate-session)"',
  ],
  ['clusters', 'pg_lsclusters -h'],
  ['docker-version', 'command -v docker && $as_root docker version'],
  ['docker-info', 'command -v docker && $as_root docker info'],
  ['ports', '$as_root ss -Hltnp'],
  ['cgroup-controllers', 'cat /sys/fs/cgroup/cgroup.controllers'],
  ['cgroups', 'cat /proc/cgroups'],
  ['psi', 'cat /proc/pressure/cpu'],
  ['clock-synchronized', 'timedatectl show -p NTPSynchronized || timedatectl'],
  [
    'sudo',
    '[ "$(id -u)" != 0 ] || { echo root; exit 0; }; command -v sudo || { echo "sudo is not installed"; exit 1; }; sudo -n true',
  ],
  ['groups', 'id -nG'],
  ['locks', 'cat /proc/locks'],
  [
    'apt-lock-files',
    'for f in /var/lib/dpkg/lock-frontend /var/lib/dpkg/lock /var/lib/apt/lists/lock /var/cache/apt/archives/lock; do stat -c "%i %n" "$f"; done',
  ],
  ['apt-processes', 'ps -eo comm=,args='],
  [
    'reboot',
    `[ -e /run/reboot-required ] && echo required
if [ -d /lib/modules ] && [ -n "$(ls /lib/modules)" ]; then
  [ -d "/lib/modules/$(uname -r)" ] || echo "no modules for the running kernel"
fi
echo 'nothing else pending'`,
  ],
  ['vcgencmd-temp', 'vcgencmd measure_temp'],
  ['vcgencmd-throttled', 'vcgencmd get_throttled'],
  ['vcgencmd-clock', 'vcgencmd measure_clock arm'],
  [
    'thermal',
    'for z in /sys/class/thermal/thermal_zone*; do [ -r "$z/temp" ] && echo "$(cat "$z/type") $(cat "$z/temp")"; done',
  ],
  ['clock', 'cat /sys/devices/system/cpu/cpu0/cpufreq/scaling_cur_freq'],
  ['max-clock', 'cat /sys/devices/system/cpu/cpu0/cpufreq/cpuinfo_max_freq'],
];
