import type { Inventory } from '../../../src-shared/model/host.ts';
import {
  decodeRevision,
  parseCores,
  parseKilohertz,
  parseMaxClock,
  parseMemTotal,
  parseModel,
  parseRevisionCode,
} from './board.ts';
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
import { diskUnder, mountPointsOf, parseDf, parseDisks, parseLsblk, parseRoot } from './storage.ts';
import type { Survey } from './survey.ts';
import {
  codenameOf,
  distributionOf,
  parseArchitecture,
  parseClockSynchronized,
  parseOsRelease,
  parsePageSize,
  parseUname,
} from './system.ts';
import { type Fact, fact } from './text.ts';

/** The survey's answers understood; pure. */
export function interpret(survey: Survey, clockOffsetSeconds: Fact<number>): Inventory {
  const text = (name: string) => survey.text(name);
  const read = <T>(parse: (text: string) => T | null, name: string) => fact(parse(text(name)), text(name));
  const cpuinfo = text('cpuinfo');
  const os = parseOsRelease(text('os-release'));
  const osFact = (value: string | null | undefined) => fact(value ?? null, text('os-release'));
  const uname = parseUname(text('uname'));
  const either = <T>(...facts: Fact<T>[]): Fact<T> =>
    facts.find((f) => f.value !== null) ?? fact<T>(null, facts.map((f) => f.raw).join('\n'));
  return {
    at: new Date().toISOString(),
    model: fact(
      parseModel(survey.output('model'), cpuinfo),
      survey.output('model') || `${text('model')}\n${cpuinfo}`,
    ),
    ...boardOf(cpuinfo),
    serialHidden: survey.succeeded('serial'),
    memoryBytes: read(parseMemTotal, 'meminfo'),
    cores: fact(parseCores(survey.output('nproc'), text('lscpu'), cpuinfo), text('nproc') || text('lscpu')),
    kernelArch: fact(uname.machine, text('uname')),
    userlandArch: read(parseArchitecture, 'arch'),
    kernel: fact(uname.release, text('uname')),
    pageSizeBytes: read(parsePageSize, 'page-size'),
    os: osFact(os.get('PRETTY_NAME') ?? os.get('NAME')),
    distribution: osFact(
      distributionOf(os, {
        rpiIssue: survey.output('rpi-issue'),
        aptRaspberry: survey.output('apt-raspberry'),
        dietpi: survey.output('dietpi'),
        armbian: survey.output('armbian'),
        ubuntuMate: survey.output('ubuntu-mate'),
      }),
    ),
    codename: osFact(codenameOf(os)),
    ...storageOf(survey),
    network: networkOf(survey),
    gui: {
      defaultTarget: read(parseDefaultTarget, 'default-target'),
      displayManager: read(parseDisplayManager, 'display-manager'),
      running: read(parseGuiRunning, 'gui'),
    },
    postgresClusters: parseClusters(survey.output('clusters')),
    docker: dockerOf(survey),
    ports: parsePorts(survey.output('ports')),
    memoryCgroup: fact(
      parseMemoryCgroup(
        survey.succeeded('cgroup-controllers') ? text('cgroup-controllers') : null,
        survey.output('cgroups'),
      ),
      `${text('cgroup-controllers')}\n${text('cgroups')}`,
    ),
    // The file may be there and answer "Operation not supported".
    psi: fact(/^some avg10=/m.test(text('psi')), text('psi')),
    clockOffsetSeconds,
    clockSynchronized: read(parseClockSynchronized, 'clock-synchronized'),
    sudo: fact(
      parseSudo(text('sudo'), survey.succeeded('sudo'), survey.output('groups')),
      `${text('sudo')}\n${text('groups')}`,
    ),
    aptBusy: fact(
      parseAptBusy(survey.output('locks'), text('apt-lock-files'), survey.output('apt-processes')),
      text('apt-lock-files'),
    ),
    rebootPending: read(parseRebootPending, 'reboot'),
    temperatureC: either(read(parseVcgencmdTemperature, 'vcgencmd-temp'), read(parseThermalZones, 'thermal')),
    clockMhz: either(read(parseKilohertz, 'clock'), read(parseVcgencmdClock, 'vcgencmd-clock')),
    maxClockMhz: fact(parseMaxClock(text('max-clock'), text('lscpu')), text('max-clock')),
    throttle: read(parseThrottled, 'vcgencmd-throttled'),
    bootId: fact(/^[0-9a-f-]{36}$/.exec(text('boot-id').trim())?.[0] ?? null, text('boot-id')),
  };
}

function boardOf(cpuinfo: string): Pick<Inventory, 'board'> {
  const revision = parseRevisionCode(cpuinfo);
  if (revision === null) return {};
  const decoded = decodeRevision(revision);
  return {
    board: { revision, memoryBytes: decoded?.memoryBytes ?? null, processor: decoded?.processor ?? null },
  };
}

function storageOf(survey: Survey): Pick<Inventory, 'root' | 'disks'> {
  const devices = parseLsblk(survey.text('lsblk'));
  const disks = parseDisks(survey.text('disks'));
  const { device, fileSystem } = parseRoot(survey.output('root'));
  const disk = diskUnder('/', device, devices, disks);
  const space = parseDf(survey.text('df'), '/');
  const seen = [survey.text('root'), survey.text('lsblk'), survey.text('disks')].join('\n');
  return {
    root: {
      device: fact(device, survey.text('root')),
      fileSystem: fact(fileSystem, survey.text('root')),
      kind: fact(disk?.kind ?? (device === null ? null : 'other'), seen),
      totalBytes: fact(space?.totalBytes ?? null, survey.text('df')),
      freeBytes: fact(space?.freeBytes ?? null, survey.text('df')),
    },
    disks: disks
      .filter((other) => other !== disk)
      .map((other) => ({ ...other, mountPoints: mountPointsOf(other.name, devices) })),
  };
}

function networkOf(survey: Survey): Inventory['network'] {
  const device = parseRouteDevice(survey.output('route'));
  const wifi = device === null ? null : survey.succeeded('wireless');
  const rate = wifi ? parseWifiRate(survey.text('wifi')) : parseSpeed(survey.text('speed'));
  const radio = survey.text('wifi');
  return {
    device: fact(device, survey.text('route')),
    wifi: fact(wifi, survey.text('wireless')),
    speedMbit: fact(rate, wifi ? radio : survey.text('speed')),
    wifiPowerSaving: fact(wifi ? parsePowerSaving(radio) : null, wifi ? radio : ''),
    roundTripUs: parsePing(survey.text('ping')) ?? parseTcpRoundTrip(survey.text('tcp')),
  };
}

function dockerOf(survey: Survey): Inventory['docker'] {
  const [version, info] = [survey.text('docker-version'), survey.text('docker-info')];
  const parsed = parseDockerVersion(version);
  const { rootFolder, memoryLimit } = parseDockerInfo(info);
  return {
    version: fact(parsed.version, version),
    arch: fact(parsed.arch, version),
    memoryLimit: fact(memoryLimit, info),
    rootFolder: fact(rootFolder, info),
  };
}
