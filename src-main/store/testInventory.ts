import type { Inventory } from '../../src-shared/model/host.ts';

const fact = <T>(value: T) => ({ value, raw: String(value) });
const gigabyte = 1024 ** 3;

/** A Raspberry Pi 4 with 4 GB on its SD card, nothing installed; for tests, a partial overrides. */
export function makeInventory(part: Partial<Inventory> = {}): Inventory {
  return {
    at: '2026-01-31T12:00:00.000Z',
    model: fact('Raspberry Pi 4 Model B Rev 1.4'),
    serialHidden: true,
    memoryBytes: fact(4 * gigabyte),
    cores: fact(4),
    kernelArch: fact('aarch64'),
    userlandArch: fact('arm64'),
    kernel: fact('6.12.47+rpt-rpi-v8'),
    pageSizeBytes: fact(4096),
    os: fact('Debian GNU/Linux 13 (trixie)'),
    distribution: fact('raspberry-pi-os'),
    codename: fact('trixie'),
    root: {
      device: fact('/dev/mmcblk0p2'),
      fileSystem: fact('ext4'),
      kind: fact('sd' as const),
      totalBytes: fact(32 * gigabyte),
      freeBytes: fact(25 * gigabyte),
    },
    disks: [],
    network: {
      device: fact('eth0'),
      wifi: fact(false),
      speedMbit: fact(1000),
      wifiPowerSaving: { value: null, raw: '' },
      roundTripUs: 400,
    },
    gui: {
      defaultTarget: fact('graphical.target'),
      displayManager: fact('lightdm.service'),
      running: fact(true),
    },
    postgresClusters: [],
    docker: {
      version: { value: null, raw: '' },
      arch: { value: null, raw: '' },
      memoryLimit: { value: null, raw: '' },
      rootFolder: { value: null, raw: '' },
    },
    ports: [{ port: 22, process: null }],
    memoryCgroup: fact(false),
    psi: fact(false),
    clockOffsetSeconds: fact(0.2),
    clockSynchronized: fact(true),
    sudo: fact('password' as const),
    aptBusy: fact(false),
    rebootPending: fact(false),
    temperatureC: fact(44.3),
    clockMhz: fact(1500),
    maxClockMhz: fact(1500),
    throttle: { value: null, raw: '' },
    bootId: fact('6f1b3c1e-0000-4000-8000-000000000001'),
    ...part,
  };
}
