import { describe, expect, it } from 'vitest';
import { parsedBy, recorded } from './recorded.ts';
import {
  codenameOf,
  type DistributionHints,
  distributionOf,
  parseArchitecture,
  parseClockSynchronized,
  parseDate,
  parseOsRelease,
  parsePageSize,
  parseUname,
} from './system.ts';

const nothing: DistributionHints = {
  rpiIssue: '',
  aptRaspberry: '',
  dietpi: '',
  armbian: '',
  ubuntuMate: '',
};
const release = (name: string) => parseOsRelease(recorded(`os-release-files/${name}.txt`));

describe('the operating system', () => {
  it('reads every recorded os-release', () => {
    const read = (text: string) => {
      const os = parseOsRelease(text);
      return `${distributionOf(os, nothing)} ${codenameOf(os)}`;
    };
    expect(Object.values(parsedBy(/os-release-files/, read))).toEqual([
      ...['debian buster', 'debian bullseye', 'debian bookworm', 'debian trixie'],
      ...['raspbian buster', 'raspbian bullseye', 'raspbian bookworm'],
      ...['ubuntu focal', 'ubuntu jammy', 'ubuntu noble', 'ubuntu noble'],
    ]);
    // Excerpts without ID or VERSION_CODENAME.
    expect(Object.values(parsedBy(/^p.*os-release/, read))).toEqual([
      ...['debian trixie', 'ubuntu focal', 'raspbian buster', 'debian buster', 'raspbian buster'],
      ...['ubuntu bionic', 'debian bookworm', 'debian bookworm', 'debian trixie'],
    ]);
    expect(release('debian-13').get('PRETTY_NAME')).toBe('Debian GNU/Linux 13 (trixie)');
    expect(release('raspbian-11').get('PRETTY_NAME')).toBe('Raspbian GNU/Linux 11 (bullseye)');
    expect(parseOsRelease('NAME=\'one\'\nX="a \\"b\\" \\$c"').get('X')).toBe('a "b" $c');
  });

  it('tells the Debians apart by what lies beside os-release', () => {
    const debian = release('debian-13');
    const issue = recorded('pi5-8gb-rpios-trixie-64/rpi-issue.txt');
    expect(distributionOf(debian, nothing)).toBe('debian');
    expect(distributionOf(debian, { ...nothing, rpiIssue: issue })).toBe('raspberry-pi-os');
    expect(distributionOf(debian, { ...nothing, aptRaspberry: 'deb … trixie main' })).toBe('raspberry-pi-os');
    expect(distributionOf(debian, { ...nothing, dietpi: '/boot/dietpi\n' })).toBe('dietpi');
    expect(distributionOf(debian, { ...nothing, armbian: 'BOARD=rpi4b' })).toBe('armbian');
    expect(distributionOf(release('raspbian-12'), { ...nothing, rpiIssue: issue })).toBe('raspbian');
    const mate = { ...nothing, ubuntuMate: 'ii ubuntu-mate-core' };
    expect(distributionOf(release('ubuntu-mate-24.04'), mate)).toBe('ubuntu-mate');
    expect(distributionOf(parseOsRelease('ID=fedora'), nothing)).toBe('fedora');
    expect(distributionOf(parseOsRelease('garbage'), nothing)).toBeNull();
    for (const text of Object.values(parsedBy(/rpi-issue/, (t) => t)))
      expect(distributionOf(debian, { ...nothing, rpiIssue: text })).toBe('raspberry-pi-os');
  });

  it('takes 32-bit packages on a 64-bit kernel for what they are', () => {
    const kernel = parseUname(recorded('pi4b-8gb-raspbian-buster-kernel64/uname-a.txt'));
    expect(kernel).toEqual({ release: '5.10.17-v8+', machine: 'aarch64' });
    expect(parsedBy(/dpkg-architecture/, parseArchitecture)).toEqual({
      'cm5-rpios-bookworm-64/dpkg-architecture.txt': 'arm64',
      'pi3b-raspbian-bookworm-kernel64/dpkg-architecture.txt': 'armhf',
      'pi400-raspbian-buster-32/dpkg-architecture.txt': 'armhf',
      'pi4b-1gb-rpios-bullseye-64/dpkg-architecture.txt': 'arm64',
      'pi4b-1gb-ubuntu-22.04-armhf/dpkg-architecture.txt': 'armhf',
      'pi4b-4gb-raspbian-bullseye-kernel64/dpkg-architecture.txt': 'armhf',
      'pi5-16gb-rpios-bookworm-64/dpkg-architecture.txt': 'arm64',
      'pi5-8gb-rpios-bookworm-64/dpkg-architecture.txt': 'arm64',
      'zero2w-raspbian-buster-32/dpkg-architecture.txt': 'armhf',
    });
    expect(parseArchitecture('sh: 1: dpkg: not found')).toBeNull();
  });

  it('reads every recorded uname', () => {
    const read = parsedBy(/uname|psi-missing/, parseUname);
    expect(Object.keys(read)).toHaveLength(20);
    for (const { machine, release: kernel } of Object.values(read)) {
      expect(['aarch64', 'armv7l']).toContain(machine);
      expect(kernel).toMatch(/^\d+\.\d+\.\d+[-+]/);
    }
    expect(Object.values(read).filter(({ machine }) => machine === 'armv7l')).toHaveLength(5);
  });

  it('reads whether the clock is set, and what it says', () => {
    expect(Object.values(parsedBy(/timedatectl/, parseClockSynchronized))).toEqual([true, false, true, true]);
    expect(parseClockSynchronized('System has not been booted with systemd')).toBeNull();
    expect(parseDate('1764512668.250000000\n')).toBe(1764512668.25);
    expect(parseDate('1764512668.%N')).toBe(1764512668);
    expect(parseDate('Mon Nov 30 14:24:29 UTC 2026')).toBeNull();
    expect(parsePageSize('16384\n')).toBe(16384);
    expect(parsePageSize('')).toBeNull();
  });
});
