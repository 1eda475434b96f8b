import { describe, expect, it } from 'vitest';
import { parsedBy, recorded } from './recorded.ts';
import { diskUnder, mountPointsOf, parseDf, parseDisks, parseLsblk, parseRoot } from './storage.ts';

const sysfs = (lines: readonly string[]) => parseDisks(lines.join('\n'));
const pi4 = '/sys/devices/platform';

describe('disks', () => {
  it('tells cards, eMMC, USB, NVMe and the rest apart', () => {
    const disks = sysfs([
      `loop0|100|||`,
      `ram0|8192||/sys/devices/virtual/block/ram0`,
      `zram0|8192||/sys/devices/virtual/block/zram0`,
      `mmcblk0|61071360|MMC|${pi4}/soc/fe340000.mmc/mmc_host/mmc0/mmc0:0001/block/mmcblk0`,
      `mmcblk0boot0|8192||${pi4}/soc/fe340000.mmc/mmc_host/mmc0/mmc0:0001/block/mmcblk0/mmcblk0boot0`,
      `mmcblk2|62333952|SD|${pi4}/soc/fe300000.mmc/mmc_host/mmc2/mmc2:aaaa/block/mmcblk2`,
      `sda|1953525168|0|${pi4}/scb/fd500000.pcie/pci0000:00/0000:01:00.0/usb2/2-1/2-1:1.0/host0/target0:0:0/block/sda`,
      `sdb|0|0|${pi4}/scb/fd500000.pcie/pci0000:00/0000:00:00.0/0000:01:00.0/ata1/host0/block/sdb`,
      `nvme0n1|250069680||${pi4}/axi/1000110000.pcie/pci0001:00/0001:01:00.0/nvme/nvme0/nvme0n1`,
    ]);
    expect(disks).toEqual([
      { name: 'mmcblk0', kind: 'emmc', sizeBytes: 31_268_536_320 },
      { name: 'mmcblk2', kind: 'sd', sizeBytes: 31_914_983_424 },
      { name: 'sda', kind: 'usb', sizeBytes: 1_000_204_886_016 },
      { name: 'sdb', kind: 'other', sizeBytes: null },
      { name: 'nvme0n1', kind: 'nvme', sizeBytes: 128_035_676_160 },
    ]);
  });

  it('finds the root in every recorded lsblk of the usual columns', () => {
    const roots = parsedBy(/lsblk/, (text) => {
      const root = parseLsblk(text).find((device) => device.mountPoints.includes('/'));
      return root && `${root.name} on ${root.disk}`;
    });
    expect(roots).toEqual({
      'misc/lsblk-cm5-emmc-sd-two-nvme.txt': 'mmcblk0p2 on mmcblk0',
      'misc/lsblk-emmc-boot-partitions-and-nvme.txt': 'mmcblk0p2 on mmcblk0',
      'misc/lsblk-fstype-ptuuid-cm4-emmc-and-nvme.txt': undefined,
      'misc/lsblk-mountpoint-with-space.txt': 'mmcblk0p2 on mmcblk0',
      'misc/lsblk-old-column-MOUNTPOINT-bullseye.txt': 'mmcblk0p2 on mmcblk0',
      'misc/lsblk-root-on-usb-ssd-boot-on-sd-zram.txt': 'sda1 on sda',
      'misc/lsblk-ubuntu-snaps-header-truncated.txt': 'mmcblk0p2 on mmcblk0',
      'pi3bplus-raspbian-buster-32/lsblk.txt': undefined,
      'pi4b-4gb-raspbian-buster-kernel64-2020/lsblk-o.txt': undefined,
      'pi4b-8gb-raspbian-buster-kernel64/lsblk.txt': undefined,
      'pi4b-8gb-raspbian-buster-ssd/lsblk.txt': 'sda2 on sda',
    });
    const blank = parseLsblk(recorded('misc/lsblk-mountpoint-with-space.txt'));
    expect(mountPointsOf('sda', blank)).toEqual(['/media/userpi/Samsung USB']);
    expect(blank.find(({ name }) => name === 'mmcblk0')?.sizeBytes).toBe(Math.round(29.7 * 1024 ** 3));
  });

  it('reads several mount points of one device, in bytes, drawn in ASCII', () => {
    const devices = parseLsblk(
      [
        'NAME        MAJ:MIN RM        SIZE RO TYPE MOUNTPOINTS',
        'mmcblk0     179:0    0 31914983424  0 disk ',
        '|-mmcblk0p1 179:1    0   536870912  0 part /boot/firmware',
        '`-mmcblk0p2 179:2    0 31373918208  0 part /var/log',
        '                                           /',
        'zram0       254:0    0  2147483648  0 disk [SWAP]',
      ].join('\n'),
    );
    expect(devices.map(({ name, mountPoints }) => [name, mountPoints])).toEqual([
      ['mmcblk0', []],
      ['mmcblk0p1', ['/boot/firmware']],
      ['mmcblk0p2', ['/var/log', '/']],
      ['zram0', ['[SWAP]']],
    ]);
    expect(devices[2]?.sizeBytes).toBe(31_373_918_208);
  });

  it('finds the disk under the root without lsblk, and through LVM with it', () => {
    const disks = sysfs([`nvme0n1|1|||`, `sda|1||/sys/x/usb1/block/sda`, `mmcblk0|1|SD|/sys/x`]);
    expect(diskUnder('/', '/dev/nvme0n1p2', [], disks)?.name).toBe('nvme0n1');
    expect(diskUnder('/', '/dev/sda', [], disks)?.name).toBe('sda');
    expect(diskUnder('/', '/dev/mmcblk0p2', [], disks)?.kind).toBe('sd');
    expect(diskUnder('/', 'overlay', [], disks)).toBeNull();
    const lvm = parseLsblk('sda 8:0 0 10G 0 disk\n└─sda1 8:1 0 10G 0 part\n  └─vg-root 254:0 0 10G 0 lvm /');
    expect(diskUnder('/', '/dev/mapper/vg-root', lvm, disks)?.name).toBe('sda');
  });

  it('reads findmnt', () => {
    expect(parseRoot('/dev/mmcblk0p2 ext4\n')).toEqual({ device: '/dev/mmcblk0p2', fileSystem: 'ext4' });
    expect(parseRoot('/dev/sda2[/@] btrfs')).toEqual({ device: '/dev/sda2', fileSystem: 'btrfs' });
    expect(parseRoot('overlayroot overlay')).toEqual({ device: 'overlayroot', fileSystem: 'overlay' });
    expect(parseRoot(recorded('misc/findmnt-root-sd.txt'))).toEqual({
      device: '/dev/mmcblk0p2',
      fileSystem: 'ext4',
    });
    expect(parseRoot('sh: findmnt: not found')).toEqual({ device: null, fileSystem: null });
  });

  it('reads the space of every recorded df', () => {
    const k = 1024;
    const g = k ** 3;
    const size = (totalBytes: number, freeBytes: number) => ({ totalBytes, freeBytes });
    expect(parsedBy(/\/df/, (text) => parseDf(text, '/'))).toEqual({
      'cm4-2gb-raspbian-buster-32/df.txt': size(7_220_040 * k, 5_279_048 * k),
      'misc/df-h-comma-decimals-pi-star.txt': size(Math.round(1.7 * g), 0),
      'pi3bplus-raspbian-buster-32/df.txt': size(110 * g, 92 * g),
      'pi4b-4gb-raspbian-buster-32-2019/df.txt': size(30_400_236 * k, 25_466_124 * k),
      'pi4b-4gb-raspbian-buster-kernel64-2020/df-h-T.txt': size(29 * g, 23 * g),
      'pi4b-4gb-rpios-buster-64-french/df.txt': size(961_583_856 * k, 917_730_628 * k),
      'pi4b-4gb-ubuntu-22.04-64/df-h.txt': size(15 * g, Math.round(3.3 * g)),
      'pi4b-8gb-raspbian-buster-32/df.txt': size(960_128_032 * k, 724_501_224 * k),
      'pi4b-8gb-raspbian-buster-kernel64/df.txt': size(917 * g, 791 * g),
      'pi4b-8gb-raspbian-buster-ssd/df.txt': size(230_488_648 * k, 198_464_636 * k),
      'pi4b-ubuntu-18.04-64/df-h-root-line.txt': size(29 * g, 15 * g),
      'pi5-8gb-rpios-bookworm-nvme/df.txt': size(131_001_348 * k, 113_801_440 * k),
      'pi5-8gb-rpios-trixie-64/df.txt': size(29_486_280 * k, 17_161_740 * k),
      'pi5-rpios-nvme-hat/df-h-excerpt.txt': size(234 * g, 215 * g),
      'pizero-512mb-rpios-32/df.txt': size(44_468_744 * k, 38_144_792 * k),
      'pizero-512mb-rpios-overlayfs/df.txt': size(218_900 * k, 194_236 * k),
    });
    const ours =
      'Filesystem     1-blocks      Used Available Capacity Mounted on\noverlay 52710469632 1 52710469000 1% /';
    expect(parseDf(ours, '/')).toEqual(size(52_710_469_632, 52_710_469_000));
    expect(parseDf(ours, '/data')).toBeNull();
  });
});
