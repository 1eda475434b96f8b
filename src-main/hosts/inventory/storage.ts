import type { storageKinds } from '../../../src-shared/model/host.ts';
import { linesOf, sizeOf } from './text.ts';

export type StorageKind = (typeof storageKinds)[number];

/** A whole device of /sys/block. */
export interface Disk {
  name: string;
  kind: StorageKind;
  sizeBytes: number | null;
}

/** Lines `name|sectors|type|path in sysfs`; memory (ram, zram), loops and the boot areas of an eMMC are left out. */
export function parseDisks(text: string): Disk[] {
  const rows = linesOf(text).map((line) => line.split('|').map((cell) => cell.trim()));
  const names = new Set(rows.map(([name]) => name));
  return rows.flatMap(([name, sectors, type, path]) => {
    if (!name || !/^[\w!-]+$/.test(name) || path === undefined) return [];
    if (/^(ram|zram|loop|fd|sr|md|dm-|nbd)\d*/.test(name) || /^mmcblk\d+(boot|rpmb|gp)/.test(name)) return [];
    const emmc = type === 'MMC' || names.has(`${name}boot0`);
    const size = /^\d{1,15}$/.test(sectors ?? '') ? Number(sectors) * 512 : 0;
    return [{ name, kind: kindOf(name, path, emmc), sizeBytes: size > 0 ? size : null }];
  });
}

function kindOf(name: string, path: string, emmc: boolean): StorageKind {
  if (/^mmcblk\d+/.test(name)) return emmc ? 'emmc' : 'sd';
  if (/^nvme\d+/.test(name)) return 'nvme';
  return /\/usb\d+\//.test(path) ? 'usb' : 'other';
}

/** A row of `lsblk` and the whole device it lies on. */
export interface BlockDevice {
  name: string;
  disk: string;
  sizeBytes: number | null;
  type: string;
  mountPoints: string[];
}

/**
 * `lsblk` with its default columns (`MOUNTPOINT` of old versions, `MOUNTPOINTS` of new ones), its tree drawn in ASCII or
 * not. Children of RAID and LVM appear once for each parent, as lsblk prints them. Other tables give nothing.
 */
export function parseLsblk(text: string): BlockDevice[] {
  const devices: BlockDevice[] = [];
  let disk = '';
  for (const line of text.split('\n')) {
    const row = /^([\s│├└─|`-]*)(\S+)\s+\d+:\d+\s+[01]\s+(\S+)\s+[01]\s+(\w+)(?:\s+(.+?))?\s*$/u.exec(line);
    if (row !== null) {
      const [, tree = '', name = '', size = '', type = '', mount] = row;
      if (tree.trim() === '') disk = name;
      devices.push({
        name,
        disk,
        sizeBytes: sizeOf(size),
        type,
        mountPoints: mount === undefined ? [] : [mount],
      });
      continue;
    }
    // A second mount point stands alone on the next line.
    const more = /^[\s│|]*(\/.*?|\[SWAP\])\s*$/u.exec(line)?.[1];
    if (more !== undefined) devices.at(-1)?.mountPoints.push(more);
  }
  return devices;
}

/** Mount points of a whole device and all that lies on it. */
export function mountPointsOf(disk: string, devices: readonly BlockDevice[]): string[] {
  const all = devices.filter((device) => device.disk === disk).flatMap((device) => device.mountPoints);
  return [...new Set(all)];
}

/** `findmnt -no SOURCE,FSTYPE /`, also with a header and all columns. */
export function parseRoot(text: string): { device: string | null; fileSystem: string | null } {
  for (const line of linesOf(text)) {
    const words = line.split(/\s+/);
    if (words[0] === 'TARGET') continue;
    const [device, fileSystem] = words[0] === '/' ? words.slice(1) : words;
    if (device !== undefined && fileSystem !== undefined && /^[a-z][\w.-]*$/.test(fileSystem))
      return { device: device.replace(/\[.*\]$/, ''), fileSystem };
  }
  return { device: null, fileSystem: null };
}

/** The whole device under a mount point: as lsblk shows it mounted there, else by the name of its partition. */
export function diskUnder(
  mountPoint: string,
  device: string | null,
  devices: readonly BlockDevice[],
  disks: readonly Disk[],
): Disk | null {
  const mounted = devices.find((d) => d.mountPoints.includes(mountPoint))?.disk;
  const name = device?.startsWith('/dev/') ? device.slice('/dev/'.length) : null;
  const listed = devices.find((d) => d.name === name)?.disk;
  const cut =
    name === null ? null : /^(?:mmcblk\d+|nvme\d+n\d+)(?=p\d+$|$)|^[a-z]+(?=\d+$|$)/.exec(name)?.[0];
  for (const candidate of [mounted, listed, cut])
    for (const disk of disks) if (disk.name === candidate) return disk;
  return null;
}

/**
 * Size and free space in bytes of what is mounted at `path`, from any form of `df`: the block size is in the heading
 * (whatever the language), sizes may have units, points or commas, mount points blanks.
 */
export function parseDf(text: string, path: string): { totalBytes: number; freeBytes: number } | null {
  const lines = linesOf(text);
  const [, count, unit] =
    /(\d+)(K?)B?-blocks|blocs de (\d+)(K?)/i.exec(lines[0] ?? '')?.filter(Boolean) ?? [];
  const block = sizeOf(`${count ?? 1}${unit?.toUpperCase() ?? ''}`) ?? 1;
  for (const line of lines) {
    const [, total, used, free, mount] = /\s(\S+)\s+(\S+)\s+(\S+)\s+(?:\d+%|-)\s+(\/.*)$/.exec(line) ?? [];
    if (mount !== path || total === undefined || used === undefined || free === undefined) continue;
    const [totalBytes, freeBytes] = [total, free].map((cell) =>
      /^\d{1,15}$/.test(cell) ? Number(cell) * block : sizeOf(cell),
    );
    if (typeof totalBytes === 'number' && typeof freeBytes === 'number') return { totalBytes, freeBytes };
  }
  return null;
}
