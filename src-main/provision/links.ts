import { z } from 'zod';
import { quote } from '../hosts/quote.ts';

/**
 * Units are enabled, disabled and masked by symbolic links. They are recorded before a change and put back as they were,
 * whatever the tools of the distribution would make of them.
 */
const savedLinksSchema = z.object({ names: z.array(z.string()), links: z.array(z.string()) });

/** Where links of units and of their old-style start scripts are. */
const places =
  '/etc/systemd/system /etc/rc0.d /etc/rc1.d /etc/rc2.d /etc/rc3.d /etc/rc4.d /etc/rc5.d /etc/rc6.d /etc/rcS.d';

/** Names of links that belong to a unit: its own, those that point to it, its start script's. */
const belongs = (unit: string) => {
  const service = unit.replace(/\.\w+$/, '');
  return [
    `-name ${quote(unit)}`,
    `-lname ${quote(`*/${unit}`)}`,
    `-lname ${quote(`*/init.d/${service}`)}`,
  ].join(' -o ');
};

/** Shell text that prints `link=PATH<TAB>TARGET` for every link of these units. */
export function listLinks(units: readonly string[]): string {
  if (units.length === 0) return ':';
  const which = units.map(belongs).join(' -o ');
  return `find ${places} -type l \\( ${which} \\) -printf 'link=%p\\t%l\\n' 2>/dev/null | sort; true`;
}

/** Shell text that makes the links of these units what they were. */
export function restoreLinks(saved: Record<string, unknown>): string {
  const { names, links } = savedLinksSchema.parse(saved);
  if (names.length === 0) return ':';
  const which = names.map(belongs).join(' -o ');
  const made = links.map((line) => {
    const [path = '', target = ''] = line.split('\t');
    return `mkdir -p ${quote(path.slice(0, path.lastIndexOf('/')))}\nln -sfn ${quote(target)} ${quote(path)}`;
  });
  return [
    `find ${places} -type l \\( ${which} \\) -delete 2>/dev/null || true`,
    ...made,
    'systemctl daemon-reload',
  ].join('\n');
}
