import { type Inventory, inventorySchema } from '../../../src-shared/model/host.ts';

const known = <T>(value: T) => ({ value, raw: String(value) });
const unknown = { value: null, raw: '' };

/** For tests: a Raspberry Pi 3 with 1 GB, nothing on it yet; a partial overrides. */
export function testInventory(part: Partial<Inventory> = {}): Inventory {
  return inventorySchema.parse({
    at: '2026-01-31T12:00:00.000Z',
    model: known('Raspberry Pi 3 Model B Rev 1.2'),
    serialHidden: true,
    memoryBytes: known(892_376 * 1024),
    cores: known(4),
    kernelArch: known('aarch64'),
    userlandArch: known('arm64'),
    kernel: known('6.12.47+rpt-rpi-v8'),
    pageSizeBytes: known(4096),
    os: known('Debian GNU/Linux 13 (trixie)'),
    distribution: known('raspberry-pi-os'),
    codename: known('trixie'),
    root: {
      device: known('/dev/mmcblk0p2'),
      fileSystem: known('ext4'),
      kind: known('sd'),
      totalBytes: known(31e9),
      freeBytes: known(26e9),
    },
    disks: [],
    network: {
      device: known('eth0'),
      wifi: known(false),
      speedMbit: known(100),
      wifiPowerSaving: unknown,
      roundTripUs: 500,
    },
    gui: { defaultTarget: known('multi-user.target'), displayManager: unknown, running: known(false) },
    postgresClusters: [],
    docker: { version: unknown, arch: unknown, memoryLimit: unknown, rootFolder: unknown },
    ports: [{ port: 22, process: null }],
    memoryCgroup: known(false),
    psi: known(false),
    clockOffsetSeconds: known(0),
    clockSynchronized: known(true),
    sudo: known('password'),
    aptBusy: known(false),
    rebootPending: known(false),
    temperatureC: known(48.3),
    clockMhz: known(1200),
    maxClockMhz: known(1200),
    throttle: unknown,
    bootId: known('8f1f3a0c-0000-4000-8000-000000000001'),
    ...part,
  });
}

export const fact = known;
