import { describe, expect, it } from 'vitest';
import {
  parseThermalZones,
  parseThrottled,
  parseVcgencmdClock,
  parseVcgencmdTemperature,
} from './firmware.ts';
import {
  parsePing,
  parsePorts,
  parsePowerSaving,
  parseRouteDevice,
  parseSpeed,
  parseTcpRoundTrip,
  parseWifiRate,
} from './network.ts';
import { parsedBy, recorded } from './recorded.ts';
import {
  parseAptBusy,
  parseClusters,
  parseDefaultTarget,
  parseDisplayManager,
  parseDockerInfo,
  parseDockerVersion,
  parseGuiRunning,
  parseMemoryCgroup,
  parseRebootPending,
  parseSudo,
} from './services.ts';

/** Names of the bits that are set. */
const bits = (text: string) => {
  const throttle = parseThrottled(text);
  return throttle && Object.entries(throttle).flatMap(([name, set]) => (set ? [name] : []));
};

describe('the firmware', () => {
  it('reads throttling out of every recorded answer, and nothing out of every recorded error', () => {
    const read = parsedBy(/vcgencmd|ls-cpufreq/, bits);
    const said = Object.fromEntries(Object.entries(read).filter(([, value]) => value && value.length > 0));
    expect(said).toEqual({
      'misc/vcgencmd-get_throttled-0x50000-pi3.txt': ['underVoltageOccurred', 'throttledOccurred'],
      'misc/vcgencmd-get_throttled-0x80008-osmc-sysfs-says-0.txt': [
        'softTemperatureLimit',
        'softTemperatureLimitOccurred',
      ],
      'misc/vcgencmd-temp-and-throttled-pi3.txt': [
        ...['underVoltage', 'throttled', 'underVoltageOccurred', 'throttledOccurred'],
      ],
    });
    expect(Object.values(read).filter((value) => value?.length === 0)).toHaveLength(8); // 0x0
    for (const error of ['sh-vcgencmd-not-found', 'vcgencmd-no-vcio-device', 'vcgencmd-illegal-instruction'])
      expect(read[`misc/${error}.txt`]).toBeNull();
    expect(bits('throttled=0x20002')).toEqual(['frequencyCapped', 'frequencyCappedOccurred']);
  });

  it('reads temperature and clock', () => {
    expect(parseVcgencmdTemperature(recorded('misc/vcgencmd-temp-clock-throttled-pi5-stress.txt'))).toBe(
      70.3,
    );
    expect(parseVcgencmdClock(recorded('misc/vcgencmd-temp-clock-throttled-pi5-stress.txt'))).toBe(2400);
    expect(Object.values(parsedBy(/measure_clock-(arm|all)/, parseVcgencmdClock))).toEqual([
      ...[1400, 1400, 2001, 2001],
    ]);
    expect(parseThermalZones('gpu-thermal 51000\ncpu-thermal 48312\n')).toBe(48.312);
    expect(parseThermalZones('acpitz 27800')).toBeNull();
  });
});

describe('the network', () => {
  it('reads every recorded speed', () => {
    const read = parsedBy(/ethtool/, parseSpeed);
    expect(Object.entries(read).filter(([, speed]) => speed !== null)).toEqual([
      ['pi4b-8gb-raspbian-buster-kernel64/ethtool.txt', 1000],
    ]);
    expect(parseSpeed('100\n')).toBe(100);
    expect(parseSpeed('-1')).toBeNull();
    expect(parseSpeed('cat: /sys/class/net/wlan0/speed: Invalid argument')).toBeNull();
  });

  it('reads Wi-Fi', () => {
    expect(parseWifiRate(recorded('misc/iw-link-not-a-pi-qualcomm-board.txt'))).toBe(58.5);
    expect(parseWifiRate(recorded('pi3bplus-raspbian-buster-32/iwconfig.txt'))).toBe(72.2);
    expect(parsePowerSaving(recorded('pi4b-8gb-raspbian-buster-kernel64/iwconfig.txt'))).toBe(false);
    expect(parsePowerSaving('Power save: on\n')).toBe(true);
    expect(parsePowerSaving('command failed: Operation not permitted')).toBeNull();
  });

  it('reads round trips and the way', () => {
    const ping = [21.4, 0.412, 0.398].map(
      (t, i) => `64 bytes from 10.0.0.2: icmp_seq=${i} ttl=64 time=${t} ms`,
    );
    expect(parsePing(ping.join('\n'))).toBe(412);
    expect(parsePing('5 packets transmitted, 0 received, 100% packet loss')).toBeNull();
    expect(parseTcpRoundTrip('cubic wscale:7,7 rto:201 rtt:0.81/0.3 ato:40 minrtt:0.044 snd_wnd:65536')).toBe(
      44,
    );
    expect(parseTcpRoundTrip('')).toBeNull();
    expect(parseRouteDevice('192.168.1.20 dev wlan0 src 192.168.1.33 uid 1000 \\    cache')).toBe('wlan0');
    expect(parseRouteDevice('RTNETLINK answers: Network is unreachable')).toBeNull();
  });

  it('reads who listens', () => {
    expect(parsePorts(recorded('misc/ss-ltnp-docker-proxy-and-postgres-not-a-pi.txt'))).toEqual([
      { port: 2019, process: 'caddy' },
      { port: 5432, process: 'postgres' },
      { port: 6379, process: 'docker-proxy' },
      { port: 8000, process: 'python' },
      { port: 9090, process: 'docker-proxy' },
      { port: 16_686, process: 'docker-proxy' },
    ]);
    const twice =
      'LISTEN 0 128 0.0.0.0:22 0.0.0.0:*\nLISTEN 0 128 [::]:22 [::]:* users:(("sshd: a b",pid=1,fd=3))';
    expect(parsePorts(twice)).toEqual([{ port: 22, process: 'sshd: a b' }]);
    expect(parsePorts(recorded('misc/ss-ltn-port-names-instead-of-numbers-not-a-pi.txt'))).toEqual([]);
  });
});

describe('services', () => {
  it('reads clusters', () => {
    const main = { version: '17', name: 'main', dataFolder: '/var/lib/postgresql/17/main' };
    expect(parseClusters(recorded('misc/pg_lsclusters-debian-13-not-a-pi.txt'))).toEqual([
      { ...main, port: 5432, running: true },
    ]);
    expect(parseClusters(recorded('misc/pg_lsclusters-two-clusters-one-down-not-a-pi.txt'))).toEqual([
      { ...main, port: 5433, running: false },
      { version: '18', name: 'main', port: 5432, running: true, dataFolder: '/var/lib/postgresql/18/main' },
    ]);
    expect(parseClusters('15 my 5434 online,recovery pi /media/my disk/pg /var/log/pg.log')).toEqual([
      { version: '15', name: 'my', port: 5434, running: true, dataFolder: '/media/my disk/pg' },
    ]);
  });

  it('reads Docker with a server, without one, and one that lets nobody ask', () => {
    const version = (name: string) => parseDockerVersion(recorded(name));
    expect(version('pi4b-8gb-raspbian-buster-kernel64/docker-version.txt')).toEqual({
      version: '20.10.6',
      arch: 'arm', // on a 64-bit kernel
      serverAnswers: true,
    });
    expect(version('pi4b-4gb-raspbian-buster-32-docker/docker-version.txt').version).toBe('18.09.1');
    expect(version('misc/docker-version-client-ok-server-denied.txt')).toEqual({
      version: '18.06.3-ce',
      arch: 'arm',
      serverAnswers: false,
    });
    const info = parsedBy(/docker-(info|permission|run)/, parseDockerInfo);
    expect(info).toMatchObject({
      'misc/docker-info-pi3-stretch-cgroup-warnings.txt': {
        rootFolder: '/var/lib/docker',
        memoryLimit: false,
      },
      'misc/docker-info-warnings-pi-2020.txt': { memoryLimit: false },
      'misc/docker-info-rpios-buster-64-server-excerpt.txt': { rootFolder: null, memoryLimit: null },
      'misc/docker-permission-denied.txt': { rootFolder: null, memoryLimit: null },
      'pi4b-8gb-raspbian-buster-kernel64/docker-info.txt': {
        rootFolder: '/var/lib/docker',
        memoryLimit: true,
      },
    });
  });

  it('reads whether memory can be limited', () => {
    expect(parseMemoryCgroup('cpuset cpu io pids', '')).toBe(false);
    expect(parseMemoryCgroup('cpuset cpu io memory pids\n', '')).toBe(true);
    expect(parseMemoryCgroup(null, recorded('misc/proc-cgroups-memory-0-pi5-excerpt.txt'))).toBe(false);
    expect(parseMemoryCgroup('\n', 'memory 4 28 1')).toBe(false);
    expect(parseMemoryCgroup(null, '')).toBeNull();
  });

  it('reads how to become root', () => {
    const asked = recorded('misc/sudo-no-tty.txt');
    expect(parseSudo('root\n', true, 'root')).toBe('root');
    expect(parseSudo('/usr/bin/sudo\n', true, 'pi sudo')).toBe('none');
    expect(parseSudo(asked, false, 'pi adm sudo video')).toBe('password');
    expect(parseSudo(asked, false, 'guest')).toBeNull();
    expect(parseSudo('sudo is not installed', false, 'pi sudo')).toBe('impossible');
    for (const name of ['lecture-then-password-required', 'prompt-german', 'prompt-french'])
      expect(parseSudo(recorded(`misc/sudo-${name}.txt`), false, 'sudo')).toBe('password');
    const noise = recorded('misc/sudo-unable-to-resolve-host.txt');
    expect(parseSudo(noise + asked, false, 'sudo')).toBe('password');
  });

  it('reads whether packages are being worked on', () => {
    const files = '4242 /var/lib/dpkg/lock-frontend\n77 /var/lib/apt/lists/lock';
    const lock = (inode: number) => `1: POSIX  ADVISORY  WRITE 812 b3:02:${inode} 0 EOF`;
    const idle =
      'systemd /sbin/init\nunattended-upgr /usr/bin/python3 /usr/share/unattended-upgrades/unattended-upgrade-shutdown --wait-for-signal';
    expect(parseAptBusy(lock(4242), files, idle)).toBe(true);
    expect(parseAptBusy(lock(4243), files, idle)).toBe(false);
    expect(parseAptBusy('', files, `${idle}\napt-get apt-get update`)).toBe(true);
    expect(parseAptBusy('', '', 'unattended-upgr /usr/bin/python3 /usr/bin/unattended-upgrade')).toBe(true);
    expect(parseAptBusy('', '', '')).toBeNull();
  });

  it('reads the desktop and a pending restart', () => {
    expect(parseDefaultTarget('graphical.target\n')).toBe('graphical.target');
    expect(parseDefaultTarget('System has not been booted with systemd as init system')).toBeNull();
    expect(parseDisplayManager('/usr/lib/systemd/system/lightdm.service')).toBe('lightdm');
    expect(parseDisplayManager('/usr/sbin/gdm3')).toBe('gdm3');
    expect(parseGuiRunning('inactive\n')).toBe(false);
    expect(parseGuiRunning('inactive\n812 labwc')).toBe(true);
    expect(parseGuiRunning('sh: systemctl: not found')).toBeNull();
    expect(parseRebootPending('required\nnothing else pending')).toBe(true);
    expect(parseRebootPending('no modules for the running kernel\nnothing else pending')).toBe(true);
    expect(parseRebootPending('nothing else pending')).toBe(false);
    expect(parseRebootPending('')).toBeNull();
  });
});
