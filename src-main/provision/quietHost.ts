import { toAppError } from '../../src-shared/errors.ts';
import { quote } from '../hosts/quote.ts';
import type { Remote } from '../hosts/remote.ts';
import { readFacts } from './shellCheck.ts';

/**
 * What wakes up by itself and disturbs a measurement. Only stopped, never disabled: a restart brings all of it back.
 * Discovery (avahi), the clock (timesyncd) and SSH stay; the services that apt's timers start are never stopped half-way.
 */
export const disturbers = [
  ...['apt-daily.timer', 'apt-daily-upgrade.timer', 'unattended-upgrades.service', 'packagekit.service'],
  ...['fstrim.timer', 'man-db.timer', 'e2scrub_all.timer', 'logrotate.timer', 'dpkg-db-backup.timer'],
  ...['systemd-tmpfiles-clean.timer', 'fwupd-refresh.timer', 'motd-news.timer', 'apt-news.service'],
  ...['cups.path', 'cups.socket', 'cups.service', 'cups-browsed.service', 'bluetooth.service'],
  ...['ModemManager.service', 'rpi-connect.service', 'rpi-connect-wayvnc.service', 'rpi-connect-signin.path'],
] as const;

/** Shell text that prints those of them that are on, one a line. */
export const activeDisturbers = `systemctl list-units --plain --no-legend --state=active ${disturbers.map(quote).join(' ')} | awk '{ print $1 }'`;

/** Those of them that are on. Reads only; needs no rights. @throws AppError of `Remote` */
export async function disturbersOn(remote: Remote, signal: AbortSignal): Promise<string[]> {
  const { stdout } = await remote.script(activeDisturbers, { signal });
  return stdout.split('\n').filter((name) => name !== '');
}

/**
 * Shell text that stops the disturbers. Before that it starts a unit whose end, however it comes about, starts them again:
 * when it is stopped, or when nobody has renewed its lease for so many seconds because app or connection are gone.
 * @param unit its name, without `.service`
 */
export function quietScript(unit: string, leaseSeconds: number): string {
  const folder = `/run/${unit}`;
  return `units=$(${activeDisturbers} | tr '\\n' ' ')
[ -n "$units" ] || { echo 'Nothing disturbs'; exit 0; }
mkdir -p ${folder}
cut -d . -f 1 /proc/uptime > ${folder}/lease
[ -z "\${SUDO_USER:-}" ] || chown "$SUDO_USER" ${folder}/lease
cat > ${folder}/watch <<'end_of_watch'
while [ $(($(cut -d . -f 1 /proc/uptime) - $(cat ${folder}/lease))) -lt ${leaseSeconds} ]; do sleep 2; done
end_of_watch
systemd-run --quiet --collect --unit=${unit} --property="ExecStopPost=/bin/systemctl start --no-block $units" --property='ExecStopPost=/bin/rm -rf ${folder}' /bin/sh ${folder}/watch
systemctl stop $units
echo "Stopped: $units"`;
}

const unit = 'benchberry-quiet-run';
/** Longer than a connection may be away without the run being void. */
const defaultLease = 120;

interface Quiet {
  /** Names of the units that were stopped. */
  readonly stopped: readonly string[];
  /**
   * Starts them again. Where the host cannot be reached it does so by itself when the lease is over: that is no error.
   * @throws AppError of `Remote`, other than for a host that is away
   */
  restore(): Promise<void>;
}

/**
 * Keeps a host quiet for the length of a run.
 * @throws AppError `no-permission`, `password-needed`, `connection-lost`, `server-error`
 */
export async function quietHost(
  remote: Remote,
  signal: AbortSignal,
  options: { leaseSeconds?: number } = {},
): Promise<Quiet> {
  const { leaseSeconds = defaultLease } = options;
  // One that was left by another run is ended first, so that what it stopped is known as it was.
  const script = `set -eu
systemctl stop ${unit}.service 2>/dev/null || true
out=$( ${quietScript(unit, leaseSeconds)} )
echo "stopped=\${out#Stopped: }"`;
  const facts = await readFacts(remote, script, signal);
  const told = facts.get('stopped') ?? '';
  const stopped = told === 'Nothing disturbs' ? [] : told.split(' ').filter((name) => name !== '');
  if (stopped.length === 0) return { stopped, restore: async () => undefined };

  const renew = `cut -d . -f 1 /proc/uptime > /run/${unit}/lease`;
  const timer = setInterval(
    () => {
      // A host that is away makes itself heard by what measures on it; here it only means that the lease runs out.
      remote.script(renew, { timeoutMs: leaseSeconds * 1000 }).catch(() => undefined);
    },
    (leaseSeconds * 1000) / 4,
  );
  timer.unref();
  return {
    stopped,
    async restore() {
      clearInterval(timer);
      try {
        await remote.run(['systemctl', 'stop', `${unit}.service`], { root: true });
      } catch (thrown) {
        const error = toAppError(thrown);
        if (!['connection-lost', 'connection-refused', 'connection-timeout'].includes(error.code))
          throw error;
      }
    },
  };
}
