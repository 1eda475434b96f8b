import { type AppError, toAppError } from '../../src-shared/errors.ts';
import type { Inventory, MachineCheck } from '../../src-shared/model/host.ts';
import { formatBytes } from '../../src-shared/units.ts';
import type { Remote } from '../hosts/remote.ts';

const leastFree = 300 * 1024 * 1024;
const comfortable = 2 * 1024 * 1024 * 1024;
const leastMemory = 400 * 1024 * 1024;
/** Further off, the archives' signatures and TLS certificates are not valid yet, or no more. */
const mostClockOff = 60;

type Judged = Pick<MachineCheck, 'result' | 'detail' | 'advice'> &
  Partial<Pick<MachineCheck, 'value' | 'unit' | 'code'>>;

/** What must hold before the first change, each with what was found. Reads only. */
export async function preflight(
  remote: Remote,
  host: Inventory,
  signal: AbortSignal,
): Promise<MachineCheck[]> {
  return [
    line('architecture', 'Architecture', architecture(host), host.userlandArch.raw),
    line('release', 'Release', release(host), host.os.raw),
    line('packages', 'What is there already', packages(host), ''),
    line('space', 'Free space', space(host), host.root.freeBytes.raw),
    line('memory', 'Memory', memory(host), host.memoryBytes.raw),
    line('clock', 'Clock', clock(host), host.clockOffsetSeconds.raw),
    line('sudo', 'Administrator rights', await root(remote, signal), host.sudo.raw),
    line('dpkg', 'Package manager', await packageLock(remote, signal), host.aptBusy.raw),
    line('network', 'Way to the package archives', await network(remote, signal), ''),
  ];
}

function line(id: string, title: string, judged: Judged, raw: string): MachineCheck {
  return { id, title, value: null, unit: null, ...judged, raw };
}
const pass = (detail: string): Judged => ({ result: 'pass', detail, advice: '' });
const unknown = (what: string): Judged => ({
  result: 'unknown',
  detail: `The host does not tell ${what}.`,
  advice: '',
});

function architecture({ userlandArch, kernelArch, model }: Inventory): Judged {
  const arch = userlandArch.value;
  if (arch === null) return unknown('its architecture');
  const board = model.value === null ? '' : `, ${model.value}`;
  if (arch === 'armel' || kernelArch.value === 'armv6l') {
    return {
      result: 'fail',
      detail: `${arch} on ${kernelArch.value ?? 'an unknown processor'}${board}`,
      advice: 'The first Raspberry Pi and the Pi Zero are too old for these packages: take a Pi 2 or newer.',
    };
  }
  if (arch === 'armhf') {
    return {
      result: 'warn',
      detail: `32-bit system (armhf)${kernelArch.value === 'aarch64' ? ' on a 64-bit kernel' : ''}${board}`,
      advice: 'TimescaleDB has no packages for 32 bits, QuestDB nothing at all: a 64-bit system does all.',
    };
  }
  return pass(`${arch}${board}`);
}

function release({ distribution, codename, os }: Inventory): Judged {
  const name = os.value ?? codename.value;
  if (name === null) return unknown('its release');
  const known = ['bookworm', 'trixie', 'jammy', 'noble'];
  if (codename.value !== null && known.includes(codename.value)) return pass(name);
  return {
    result: 'warn',
    detail: `${name}${distribution.value === null ? '' : ` (${distribution.value})`}`,
    advice: `Tried are ${known.join(', ')}; others may lack a package.`,
  };
}

function packages({ postgresClusters, docker }: Inventory): Judged {
  const found = [
    ...postgresClusters.map(
      ({ version, name, port, running }) =>
        `PostgreSQL ${version} ${name} on port ${port}${running ? '' : ' (stopped)'}`,
    ),
    ...(docker.version.value === null ? [] : [`Docker ${docker.version.value}`]),
  ];
  return pass(found.length > 0 ? found.join(', ') : 'No PostgreSQL, no Docker');
}

function space({ root }: Inventory): Judged {
  const free = root.freeBytes.value;
  if (free === null) return unknown('its free space');
  const judged = {
    detail: `${formatBytes(free)} free on ${root.device.value ?? 'the root device'}`,
    value: free,
    unit: 'B',
  };
  const advice = 'Free some space, for example with: sudo apt-get clean';
  if (free < leastFree) return { ...judged, result: 'fail', advice };
  return free < comfortable
    ? { ...judged, result: 'warn', advice }
    : { ...judged, result: 'pass', advice: '' };
}

function memory({ memoryBytes }: Inventory): Judged {
  const bytes = memoryBytes.value;
  if (bytes === null) return unknown('its memory');
  const judged = { detail: formatBytes(bytes), value: bytes, unit: 'B' };
  return bytes < leastMemory
    ? { ...judged, result: 'warn', advice: 'Too little for a database that is to be measured.' }
    : { ...judged, result: 'pass', advice: '' };
}

function clock({ clockOffsetSeconds, clockSynchronized }: Inventory): Judged {
  const offset = clockOffsetSeconds.value;
  if (offset === null) return unknown('the time');
  const direction = offset < 0 ? 'behind' : 'ahead of';
  const rounded = Math.abs(offset) < 10 ? Math.abs(offset).toFixed(1) : Math.round(Math.abs(offset));
  const detail = rounded === '0.0' ? 'As on this machine' : `${rounded} s ${direction} this machine`;
  const judged = { detail, value: offset, unit: 's' };
  if (Math.abs(offset) <= mostClockOff) return { ...judged, result: 'pass', advice: '' };
  return {
    ...judged,
    result: 'fail',
    advice:
      clockSynchronized.value === true
        ? 'The host takes its time from the network: look at the clock of this machine.'
        : 'Set it on the host: sudo timedatectl set-ntp true',
  };
}

async function root(remote: Remote, signal: AbortSignal): Promise<Judged> {
  try {
    await remote.run(['true'], { root: true, signal });
    return pass(remote.user === 'root' ? 'Signed in as root' : `${remote.user} may become root`);
  } catch (thrown) {
    const error = toAppError(thrown);
    if (!aboutRights(error)) throw error;
    return {
      result: 'fail',
      detail: error.message + (error.detail === undefined ? '' : `: ${error.detail}`),
      advice: error.hint ?? 'Give the password that sudo asks for.',
      code: error.code,
    };
  }
}
const aboutRights = ({ code }: AppError) =>
  code === 'password-needed' || code === 'wrong-password' || code === 'no-permission';

// Whoever works with packages has this file open; with /proc alone, since fuser is not everywhere.
const lockScript = `for fd in /proc/[0-9]*/fd/*; do
  [ "$(readlink "$fd" 2>/dev/null)" = /var/lib/dpkg/lock-frontend ] || continue
  pid=\${fd#/proc/}; tr '\\0' ' ' < "/proc/\${pid%%/*}/cmdline"; exit 3
done
exit 0
`;

/** Whether packages are being worked on; `wait` where they are. */
export async function packageLock(remote: Remote, signal: AbortSignal): Promise<Judged> {
  let result: Awaited<ReturnType<Remote['script']>>;
  try {
    result = await remote.script(lockScript, { root: true, signal });
  } catch (thrown) {
    if (!aboutRights(toAppError(thrown))) throw thrown;
    return unknown('whether packages are being worked on');
  }
  if (result.code !== 3) return pass('Free');
  return {
    result: 'wait',
    detail: `Busy: ${result.stdout.trim() || 'another program works with packages'}`,
    advice: 'It is waited for; its lock is never broken.',
  };
}

const networkScript = `uri=$(apt-get indextargets --format '$(SITE)' 2>/dev/null | head -n 1)
[ -n "$uri" ] || exit 4
echo "$uri"
[ -z "$(apt-config dump Acquire::http::Proxy 2>/dev/null)" ] || exit 0
host=\${uri#*://}; host=\${host%%/*}
case $uri in https:*) port=443 ;; http:*) port=80 ;; *) exit 0 ;; esac
case $host in *:*) port=\${host##*:} ;; esac
getent ahosts "\${host%%:*}" > /dev/null || exit 5
command -v bash > /dev/null || exit 0
timeout 10 bash -c ': < "/dev/tcp/$1/$2"' bash "\${host%%:*}" "$port" 2>/dev/null || exit 6
`;

async function network(remote: Remote, signal: AbortSignal): Promise<Judged> {
  const { code, stdout } = await remote.script(networkScript, { signal, timeoutMs: 30_000 });
  const archive = stdout.trim();
  if (code === 0) return pass(archive);
  if (code === 4) return unknown('where its packages come from');
  return {
    result: 'warn',
    detail: code === 5 ? `The name of ${archive} cannot be found` : `${archive} does not answer`,
    advice: 'Packages cannot be fetched without it: look at the network and the name server of the host.',
  };
}
