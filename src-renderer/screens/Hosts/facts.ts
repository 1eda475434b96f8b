import type { Host, Inventory, Throttle } from '../../../src-shared/model/host.ts';
import { formatBytes, formatCount, formatElapsed, formatLatency } from '../../../src-shared/units.ts';

/** One line of the inventory. `value` null: the host did not tell, or it was not understood; `raw` is what it said. */
export interface ShownFact {
  label: string;
  value: string | null;
  /** What the value was read from; null where nothing was read. */
  raw: string | null;
  /** Full digits, for the tooltip. */
  exact?: string;
  /** In the way of a benchmark, or of what is set up. */
  worry?: boolean;
}

export interface FactGroup {
  title: string;
  facts: ShownFact[];
}

export const diskKinds: Record<NonNullable<Inventory['root']['kind']['value']>, string> = {
  sd: 'SD card',
  emmc: 'eMMC',
  usb: 'USB disk',
  nvme: 'NVMe',
  other: 'Other disk',
};

const sudoWords: Record<NonNullable<Inventory['sudo']['value']>, string> = {
  none: 'Yes, without a password',
  password: 'Yes, with a password',
  impossible: 'No: this user has no right to sudo',
  root: 'Signed in as root',
};

/** `pi@raspberrypi.local`, with the port where it is not the usual one. */
export function whereIs(host: Pick<Host, 'user' | 'address' | 'port'>): string {
  return `${host.user}@${host.address}${host.port === 22 ? '' : `, port ${host.port}`}`;
}

interface Fact<T> {
  value: T | null;
  raw: string;
}
interface Options<T> {
  exact?: (value: T) => string;
  worry?: (value: T) => boolean;
}

function line<T>(
  label: string,
  fact: Fact<T>,
  words: (value: T) => string,
  options: Options<T> = {},
): ShownFact {
  const { value, raw } = fact;
  if (value === null) return { label, value: null, raw };
  return {
    label,
    value: words(value),
    raw,
    ...(options.exact && { exact: options.exact(value) }),
    worry: options.worry?.(value) ?? false,
  };
}
const text = (label: string, fact: Fact<string>) => line(label, fact, (value) => value);
const bytes = (label: string, fact: Fact<number>) =>
  line(label, fact, formatBytes, { exact: (value) => `${formatCount(value)} bytes` });
const yesNo = (label: string, fact: Fact<boolean>, words: [yes: string, no: string], worryAt?: boolean) =>
  line(label, fact, (value) => words[value ? 0 : 1], { worry: (value) => value === worryAt });
const said = (label: string, value: string | null): ShownFact => ({ label, value, raw: null });

/** Everything an inventory says, in the groups and words in which it is shown. */
export function factGroups(of: Inventory): FactGroup[] {
  return [
    { title: 'Board', facts: boardFacts(of) },
    { title: 'System', facts: systemFacts(of) },
    { title: 'Storage', facts: storageFacts(of) },
    { title: 'Network', facts: networkFacts(of) },
    { title: 'Temperature and power', facts: powerFacts(of) },
    { title: 'What is there', facts: softwareFacts(of) },
    { title: 'To set it up', facts: rightFacts(of) },
  ];
}

function boardFacts(of: Inventory): ShownFact[] {
  const { board } = of;
  return [
    text('Model', of.model),
    ...(board === undefined
      ? []
      : [
          said('Revision code', board.revision),
          said('Processor', board.processor),
          said('Memory as sold', board.memoryBytes === null ? null : formatBytes(board.memoryBytes)),
        ]),
    bytes('Memory that Linux sees', of.memoryBytes),
    line('Cores', of.cores, formatCount),
    line('Clock now', of.clockMhz, megahertz),
    line('Clock at most', of.maxClockMhz, megahertz),
    said('Serial number', of.serialHidden ? 'There is one; it is not read' : 'None'),
  ];
}
const megahertz = (value: number) => `${formatCount(value)} MHz`;

function systemFacts(of: Inventory): ShownFact[] {
  return [
    text('System', of.os),
    text('Distribution', of.distribution),
    text('Release', of.codename),
    line('Packages', of.userlandArch, (value) => `${value}${bits(value)}`),
    text('Kernel', of.kernel),
    line('Kernel’s architecture', of.kernelArch, (value) => `${value}${bits(value)}`),
    line('Memory page', of.pageSizeBytes, formatBytes),
  ];
}

/** 64-bit databases need 64-bit packages, whatever the kernel is. */
function bits(architecture: string): string {
  if (/^(arm64|aarch64|amd64|x86_64|riscv64)$/.test(architecture)) return ' (64-bit)';
  if (/^(armhf|armel|armv[67]l|i[3-6]86)$/.test(architecture)) return ' (32-bit)';
  return '';
}

function storageFacts(of: Inventory): ShownFact[] {
  const { root } = of;
  return [
    text('Root device', root.device),
    line('Kind', root.kind, (kind) => diskKinds[kind]),
    text('File system', root.fileSystem),
    bytes('Size', root.totalBytes),
    bytes('Free', root.freeBytes),
    ...of.disks.map((disk) =>
      said(
        `Other disk ${disk.name}`,
        [
          diskKinds[disk.kind],
          disk.sizeBytes === null ? 'size not known' : formatBytes(disk.sizeBytes),
          disk.mountPoints.length === 0 ? 'not mounted' : `at ${disk.mountPoints.join(', ')}`,
        ].join(', '),
      ),
    ),
  ];
}

function networkFacts(of: Inventory): ShownFact[] {
  const { network } = of;
  return [
    text('Device', network.device),
    yesNo('Connected by', network.wifi, ['Wi-Fi', 'Cable'], true),
    line('Link speed', network.speedMbit, (value) => `${formatCount(value)} Mbit/s`),
    ...(network.wifi.value === false
      ? []
      : [yesNo('Wi-Fi power saving', network.wifiPowerSaving, ['On', 'Off'], true)]),
    {
      ...said('Round trip', network.roundTripUs === null ? null : formatLatency(network.roundTripUs)),
      ...(network.roundTripUs !== null && { exact: `${formatCount(network.roundTripUs)} µs` }),
    },
  ];
}

const throttleWords = [
  ['underVoltage', 'under-voltage'],
  ['frequencyCapped', 'clock capped'],
  ['throttled', 'throttled'],
  ['softTemperatureLimit', 'soft temperature limit'],
] as const;

function powerFacts(of: Inventory): ShownFact[] {
  const names = (throttle: Throttle, past: boolean) =>
    throttleWords
      .filter(([key]) => throttle[past ? (`${key}Occurred` as const) : key])
      .map(([, words]) => words)
      .join(', ');
  const worry = (past: boolean) => ({ worry: (value: Throttle) => names(value, past) !== '' });
  return [
    line('Temperature', of.temperatureC, (value) => `${value.toFixed(1)} °C`, {
      worry: (value) => value >= 80,
    }),
    line('Held back now', of.throttle, (value) => names(value, false) || 'No', worry(false)),
    line('Since the last boot', of.throttle, (value) => names(value, true) || 'Never', worry(true)),
  ];
}

function softwareFacts(of: Inventory): ShownFact[] {
  const clusters = of.postgresClusters.map((cluster) =>
    said(
      `PostgreSQL ${cluster.version} ${cluster.name}`,
      `port ${cluster.port}, ${cluster.running ? 'running' : 'stopped'}, in ${cluster.dataFolder}`,
    ),
  );
  const docker =
    of.docker.version.value === null && of.docker.version.raw.trim() === ''
      ? [said('Docker', 'None')]
      : [
          text('Docker', of.docker.version),
          text('Docker’s architecture', of.docker.arch),
          yesNo('Docker’s memory limits', of.docker.memoryLimit, ['Work', 'Do not work']),
          text('Docker’s folder', of.docker.rootFolder),
        ];
  return [
    ...(clusters.length === 0 ? [said('PostgreSQL', 'None')] : clusters),
    ...docker,
    yesNo('Desktop', of.gui.running, ['Running', 'Not running']),
    text('Starts into', of.gui.defaultTarget),
    text('Display manager', of.gui.displayManager),
    said(
      'Listening ports',
      of.ports.length === 0
        ? 'None'
        : of.ports.map(({ port, process }) => (process === null ? port : `${port} ${process}`)).join(', '),
    ),
  ];
}

function rightFacts(of: Inventory): ShownFact[] {
  return [
    line('May become root', of.sudo, (value) => sudoWords[value], {
      worry: (value) => value === 'impossible',
    }),
    line(
      'Clock',
      of.clockOffsetSeconds,
      (value) =>
        Math.abs(value) < 1
          ? 'Right to within a second'
          : `${formatElapsed(Math.abs(value) * 1000)} ${value > 0 ? 'ahead' : 'behind'}`,
      { worry: (value) => Math.abs(value) >= 60 },
    ),
    yesNo('Clock kept by the network', of.clockSynchronized, ['Yes', 'No']),
    yesNo('Package manager', of.aptBusy, ['Busy', 'Free'], true),
    yesNo('Restart pending', of.rebootPending, ['Yes', 'No'], true),
    yesNo('Memory control group', of.memoryCgroup, ['On', 'Off']),
    yesNo('Pressure stall figures', of.psi, ['There', 'Not there']),
  ];
}
