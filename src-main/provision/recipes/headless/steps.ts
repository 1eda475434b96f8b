import { z } from 'zod';
import { formatBytes } from '../../../../src-shared/units.ts';
import { quote } from '../../../hosts/quote.ts';
import { listLinks, restoreLinks } from '../../links.ts';
import { factList, readFacts } from '../../shellCheck.ts';
import type { Step } from '../../step.ts';

const desktopPrograms = ['labwc', 'wayfire', 'Xorg', 'gnome-shell', 'mate-session', 'weston'];
const displayManagers = ['lightdm.service', 'gdm3.service', 'gdm.service', 'sddm.service'];
const text = (value: unknown) => z.string().catch('').parse(value);

/** Ends the running desktop without a restart. SSH sessions belong to multi-user.target and stay. */
export function stopDesktop(): Step {
  let availableBefore: number | null = null;
  const running = `active=$(systemctl is-active display-manager.service || true)
graphical=$(systemctl is-active graphical.target || true)
programs=$(ps -eo comm= | grep -xE ${quote(desktopPrograms.join('|'))} | sort -u | tr '\\n' ' ')`;
  return {
    id: 'stop-desktop',
    title: 'End the running desktop',
    changes: [
      'Everything that only the desktop needs is stopped now (systemctl isolate multi-user.target).',
      'Who is signed in at the screen of the host is signed out. SSH sessions stay.',
    ],
    needsRoot: true,
    needsReboot: false,
    reversible: true,
    test: `${running}\n[ "$active" != active ] && [ "$graphical" != active ] && [ -z "$programs" ]`,
    async check(remote, signal) {
      const script = `${running}
echo "active=$active"; echo "graphical=$graphical"; echo "programs=$programs"
echo "available=$(awk '/^MemAvailable:/ { print $2 * 1024 }' /proc/meminfo)"`;
      const facts = await readFacts(remote, script, signal);
      const programs = text(facts.get('programs')).trim();
      const on = facts.get('active') === 'active' || facts.get('graphical') === 'active' || programs !== '';
      const available = Number(facts.get('available'));
      const memory = `${formatBytes(available)} of memory available`;
      const saved = { graphical: facts.get('graphical') === 'active' };
      if (on) {
        availableBefore = available;
        const what =
          programs === '' ? 'The desktop is running' : `Running: ${programs.split(' ').join(', ')}`;
        return { done: false, evidence: `${what}; ${memory}.`, saved };
      }
      const gained = availableBefore === null ? '' : `, ${formatBytes(availableBefore)} before`;
      return { done: true, evidence: `No desktop is running; ${memory}${gained}.`, saved };
    },
    apply: () => `echo 'Ending the desktop'
systemctl isolate multi-user.target
i=0
while [ "$(systemctl is-active display-manager.service)" = deactivating ] && [ $i -lt 60 ]; do sleep 1; i=$((i + 1)); done`,
    undo: (saved) =>
      saved.graphical === true ? "echo 'Starting the desktop'\nsystemctl isolate graphical.target" : ':',
  };
}

/** What the host boots into. The link is recorded, so that a system without one has none again. */
export function bootTarget(): Step {
  const link = '/etc/systemd/system/default.target';
  return {
    id: 'boot-target',
    title: 'Boot without the desktop',
    changes: [`${link} points to multi-user.target`],
    needsRoot: true,
    needsReboot: false,
    reversible: true,
    test: '[ "$(systemctl get-default)" = multi-user.target ]',
    async check(remote, signal) {
      const script = `echo "target=$(systemctl get-default)"; echo "link=$(readlink ${link})"; true`;
      const facts = await readFacts(remote, script, signal);
      const target = text(facts.get('target'));
      return {
        done: target === 'multi-user.target',
        evidence: `The host boots into ${target}.`,
        saved: { target, link: text(facts.get('link')) },
      };
    },
    apply: () => 'systemctl set-default multi-user.target',
    undo(saved) {
      const before = text(saved.link);
      const restore = before === '' ? `rm -f ${link}` : `ln -sfn ${quote(before)} ${link}`;
      return `${restore}\nsystemctl daemon-reload\necho ${quote(`The host boots into ${text(saved.target)} again`)}`;
    },
  };
}

/** DietPi decides by an index of its own what it starts at boot. */
export function dietPiAutostart(): Step {
  const folder = 'folder=/boot/dietpi\n[ -d $folder ] || folder=/boot/firmware/dietpi';
  const index = '$(cat $folder/.dietpi-autostart_index 2>/dev/null || echo 0)';
  return {
    id: 'dietpi-autostart',
    title: "Set DietPi's autostart to the console",
    changes: [
      'DietPi’s index of what it starts at boot (.dietpi-autostart_index) becomes 0, by dietpi-autostart',
    ],
    needsRoot: true,
    needsReboot: false,
    reversible: true,
    test: `${folder}\n[ "${index}" = 0 ]`,
    async check(remote, signal) {
      const facts = await readFacts(remote, `${folder}\necho "index=${index}"`, signal);
      const value = text(facts.get('index')).trim();
      return { done: value === '0', evidence: `DietPi's autostart is ${value}.`, saved: { index: value } };
    },
    apply: () => `${folder}\n$folder/dietpi-autostart 0`,
    undo: (saved) => `${folder}\n$folder/dietpi-autostart ${quote(text(saved.index))}`,
  };
}

/** Disables whichever display manager there is. */
export function disableDisplayManager(): Step {
  const enabled = `for unit in ${displayManagers.join(' ')}; do
  case $(systemctl is-enabled "$unit" 2>/dev/null) in enabled|enabled-runtime|indirect) echo "unit=$unit" ;; esac
done`;
  const listed = [...displayManagers, 'display-manager.service'];
  return {
    id: 'display-manager',
    title: 'Disable the display manager',
    changes: ['lightdm, gdm3 or sddm, whichever is there, is no longer started by anything at boot.'],
    needsRoot: true,
    needsReboot: false,
    reversible: true,
    test: `[ -z "$(${enabled})" ] && [ ! -e /etc/systemd/system/display-manager.service ]`,
    async check(remote, signal) {
      const alias = 'readlink /etc/systemd/system/display-manager.service';
      const script = `${enabled}\necho "alias=$(${alias})"\n${listLinks(listed)}`;
      const facts = await readFacts(remote, script, signal);
      const units = factList(facts, 'unit');
      const alone = text(facts.get('alias'));
      const found = [
        ...new Set([...units, ...(alone === '' ? [] : [alone.slice(alone.lastIndexOf('/') + 1)])]),
      ];
      return {
        done: found.length === 0,
        evidence: found.length === 0 ? 'No display manager is enabled.' : `Enabled: ${found.join(', ')}.`,
        saved: { names: listed, links: factList(facts, 'link') },
      };
    },
    apply: () => `${enabled.replace('echo "unit=$unit"', 'systemctl disable "$unit"')}
rm -f /etc/systemd/system/display-manager.service
systemctl daemon-reload`,
    undo: restoreLinks,
  };
}

/** Masks those of the units that the host has: they are static, so that disabling them would change nothing. */
export function maskUnits(about: { id: string; title: string; units: readonly string[] }): Step {
  const { id, title, units } = about;
  const startable = `for unit in ${units.join(' ')}; do
  case $(systemctl is-enabled "$unit" 2>/dev/null) in ''|not-found|masked) ;; *) echo "unit=$unit" ;; esac
done`;
  return {
    id,
    title,
    changes: units.map((unit) => `${unit}, where the host has it, is masked`),
    needsRoot: true,
    needsReboot: false,
    reversible: true,
    test: `[ -z "$(${startable})" ]`,
    async check(remote, signal) {
      const facts = await readFacts(remote, `${startable}\n${listLinks(units)}`, signal);
      const found = factList(facts, 'unit');
      return {
        done: found.length === 0,
        evidence: found.length === 0 ? 'None of it can start.' : `Can start: ${found.join(', ')}.`,
        saved: { names: [...units], links: factList(facts, 'link') },
      };
    },
    apply: () => startable.replace('echo "unit=$unit"', 'systemctl mask "$unit"'),
    undo: restoreLinks,
  };
}
