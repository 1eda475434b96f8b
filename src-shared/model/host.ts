import { z } from 'zod';
import { errorCodes } from '../errors.ts';

const hostName = z.string().trim().min(1, 'A host needs a name').max(80, 'A name has at most 80 characters');

/** How to sign in. The secret (password or passphrase) is never in it. */
export const hostAuthSchema = z.discriminatedUnion('method', [
  /** The agent that SSH_AUTH_SOCK (or Pageant) names, then the user's usual key files without a passphrase. */
  z.object({ method: z.literal('agent') }),
  z.object({ method: z.literal('key'), keyFile: z.string().min(1, 'Name the private key file') }),
  /** Password, or keyboard-interactive where the server asks that way. */
  z.object({ method: z.literal('password') }),
]);
export type HostAuth = z.infer<typeof hostAuthSchema>;

export const hostKeySchema = z.object({
  /** e.g. `ssh-ed25519` */
  type: z.string(),
  /** As OpenSSH prints it: `SHA256:…`, base64 without padding. */
  fingerprint: z.string(),
});
export type HostKey = z.infer<typeof hostKeySchema>;

/** Something read from a host: the value where it was understood, always the text it was read from. */
const fact = <T extends z.ZodType>(value: T) => z.object({ value: value.nullable(), raw: z.string() });
const textFact = fact(z.string());
const numberFact = fact(z.number());

export const throttleSchema = z.object({
  underVoltage: z.boolean(),
  frequencyCapped: z.boolean(),
  throttled: z.boolean(),
  softTemperatureLimit: z.boolean(),
  /** The same four since the last boot. */
  underVoltageOccurred: z.boolean(),
  frequencyCappedOccurred: z.boolean(),
  throttledOccurred: z.boolean(),
  softTemperatureLimitOccurred: z.boolean(),
});
export type Throttle = z.infer<typeof throttleSchema>;

/** Whether the firmware holds the processor back now, for whatever reason. */
export function heldBack({ throttled, frequencyCapped, softTemperatureLimit }: Throttle): boolean {
  return throttled || frequencyCapped || softTemperatureLimit;
}

export const storageKinds = ['sd', 'emmc', 'usb', 'nvme', 'other'] as const;

/** What a host is and what is on it, read without changing anything. */
export const inventorySchema = z.object({
  at: z.iso.datetime(),
  model: textFact,
  /** What the board's revision code says; absent where the kernel tells none. */
  board: z
    .object({
      revision: z.string(),
      /** As sold: Linux sees less (`memoryBytes`). */
      memoryBytes: z.number().nullable(),
      /** e.g. `BCM2711` */
      processor: z.string().nullable(),
    })
    .optional(),
  /** The board has a serial number; it is never read. */
  serialHidden: z.boolean(),
  memoryBytes: numberFact,
  cores: numberFact,
  /** Kernel's word (`aarch64`); 32-bit systems may run on a 64-bit kernel. */
  kernelArch: textFact,
  /** Of the packages (`arm64`, `armhf`, `amd64`): what decides. */
  userlandArch: textFact,
  kernel: textFact,
  pageSizeBytes: numberFact,
  /** e.g. `Debian GNU/Linux 13 (trixie)` */
  os: textFact,
  /** `raspberry-pi-os`, `raspbian`, `ubuntu`, `dietpi`, `debian`, … */
  distribution: textFact,
  /** e.g. `trixie` */
  codename: textFact,
  root: z.object({
    device: textFact,
    fileSystem: textFact,
    kind: fact(z.enum(storageKinds)),
    totalBytes: numberFact,
    freeBytes: numberFact,
  }),
  /** Other block devices that could hold a database. */
  disks: z.array(
    z.object({
      name: z.string(),
      kind: z.enum(storageKinds),
      sizeBytes: z.number().nullable(),
      mountPoints: z.array(z.string()),
    }),
  ),
  network: z.object({
    device: textFact,
    wifi: fact(z.boolean()),
    speedMbit: numberFact,
    wifiPowerSaving: fact(z.boolean()),
    /** Median round trip between host and workbench (ping), else the least one of the SSH connection, µs. */
    roundTripUs: z.number().nullable(),
  }),
  gui: z.object({ defaultTarget: textFact, displayManager: textFact, running: fact(z.boolean()) }),
  postgresClusters: z.array(
    z.object({
      version: z.string(),
      name: z.string(),
      port: z.number(),
      running: z.boolean(),
      dataFolder: z.string(),
    }),
  ),
  docker: z.object({
    version: textFact,
    arch: textFact,
    memoryLimit: fact(z.boolean()),
    rootFolder: textFact,
  }),
  /** Listening TCP ports; `process` is known only with root. */
  ports: z.array(z.object({ port: z.number(), process: z.string().nullable() })),
  memoryCgroup: fact(z.boolean()),
  psi: fact(z.boolean()),
  /** Seconds the host's clock is ahead of this machine's. */
  clockOffsetSeconds: numberFact,
  clockSynchronized: fact(z.boolean()),
  /** `none`: may become root without a password; `password`; `impossible`; `root`: signed in as root. */
  sudo: fact(z.enum(['none', 'password', 'impossible', 'root'])),
  aptBusy: fact(z.boolean()),
  rebootPending: fact(z.boolean()),
  temperatureC: numberFact,
  clockMhz: numberFact,
  maxClockMhz: numberFact,
  throttle: fact(throttleSchema),
  bootId: textFact,
});
export type Inventory = z.infer<typeof inventorySchema>;

/** One line of the gate before a run, or of the checks of a machine. */
export const machineCheckSchema = z.object({
  id: z.string(),
  title: z.string(),
  /** `wait`: not so yet, but it will pass by itself. */
  result: z.enum(['pass', 'warn', 'fail', 'wait', 'unknown']),
  /** What was measured, with its unit and the limit. */
  detail: z.string(),
  advice: z.string(),
  /** The measured figure where there is one; units in `unit`. */
  value: z.number().nullable(),
  unit: z.string().nullable(),
  raw: z.string(),
  /** Of the error behind a `fail`, where there was one. */
  code: z.enum(errorCodes).optional(),
});
export type MachineCheck = z.infer<typeof machineCheckSchema>;

/** Checks, and when they were made. */
export const datedChecksSchema = z.object({ at: z.iso.datetime(), checks: z.array(machineCheckSchema) });
export type DatedChecks = z.infer<typeof datedChecksSchema>;

export const hostSchema = z.object({
  id: z.string(),
  name: hostName,
  /** Host name, `name.local`, address, or an alias of ~/.ssh/config. */
  address: z.string().trim().min(1, 'Where is it? A name such as raspberrypi.local, or an address'),
  port: z.int().min(1).max(65_535),
  user: z.string().trim().min(1, 'A user name is needed'),
  auth: hostAuthSchema,
  /** Pinned at the first sign-in; null before. */
  hostKey: hostKeySchema.nullable(),
  hasSecret: z.boolean(),
  /** Hosts of one rack share it. */
  group: z.string().nullable(),
  inventory: inventorySchema.nullable(),
  /** What the gate said last; null before. */
  gate: datedChecksSchema.nullable(),
  /** What disk, network and clock were last measured at; null before. */
  measured: datedChecksSchema.nullable(),
  createdAt: z.iso.datetime(),
});
export type Host = z.infer<typeof hostSchema>;

/** What a form sends; `secret: null` keeps what is stored, `''` forgets it. */
export const hostDraftSchema = hostSchema
  .pick({ name: true, address: true, port: true, user: true, auth: true, group: true })
  .extend({ id: z.string().nullable(), secret: z.string().nullable() });
export type HostDraft = z.infer<typeof hostDraftSchema>;

/** One second of a host's health. Rates are over the interval as measured. null: this host does not tell. */
export const healthSampleSchema = z.object({
  /** Milliseconds since the run's start where it belongs to a run, else since the sampler's. */
  atMs: z.number(),
  intervalMs: z.number().positive(),
  /** Fractions of all cores, 0 to 1. */
  cpu: z.object({
    user: z.number(),
    system: z.number(),
    wait: z.number(),
    irq: z.number(),
    steal: z.number(),
    idle: z.number(),
  }),
  load1: z.number(),
  memory: z.object({
    totalBytes: z.number(),
    availableBytes: z.number(),
    swapUsedBytes: z.number(),
    swapInBytesPerSecond: z.number(),
    swapOutBytesPerSecond: z.number(),
  }),
  /** The disk under the root or the database; whole devices, no partitions. null too where it was changed meanwhile. */
  disk: z
    .object({
      name: z.string(),
      readBytesPerSecond: z.number(),
      writeBytesPerSecond: z.number(),
      readsPerSecond: z.number(),
      writesPerSecond: z.number(),
      /** Share of the time with a request under way, 0 to 1. */
      busy: z.number(),
    })
    .nullable(),
  /** Free on the file system of the root or the database; read every ten seconds. */
  freeBytes: z.number().nullable(),
  /** Of the device the workbench's connection arrives by. */
  network: z.object({ receivedBytesPerSecond: z.number(), sentBytesPerSecond: z.number() }).nullable(),
  /** Share of the time in which some task stalled, 0 to 1. */
  pressure: z.object({ cpu: z.number(), io: z.number(), memory: z.number() }).nullable(),
  temperatureC: z.number().nullable(),
  /** What the firmware runs the cores at, read every five seconds; where it cannot be asked, what Linux asked for. */
  clockMhz: z.number().nullable(),
  /** Supply too low now: the firmware's bit, or the kernel's alarm, which is there without vcgencmd too. */
  underVoltage: z.boolean().nullable(),
  /** The firmware's bits, read every five seconds. */
  throttle: throttleSchema.nullable(),
  bootId: z.string(),
});
export type HealthSample = z.infer<typeof healthSampleSchema>;
