import {
  IconArrowsDiff,
  IconClipboardList,
  IconDatabase,
  IconHistory,
  IconHome,
  IconServer2,
  IconSettings,
  type TablerIcon,
} from '@tabler/icons-react';
import { paths } from '../routes.ts';

/** The nouns of the rail, in the order of the work. */
export interface Place {
  label: string;
  href: string;
  Icon: TablerIcon;
  /** Shortcut, as in the command table. */
  keys: string;
}

export const places: readonly Place[] = [
  { label: 'Home', href: paths.home, Icon: IconHome, keys: 'g h' },
  { label: 'Hosts', href: paths.hosts, Icon: IconServer2, keys: 'g o' },
  { label: 'Targets', href: paths.targets, Icon: IconDatabase, keys: 'g t' },
  { label: 'Plans', href: paths.plans, Icon: IconClipboardList, keys: 'g p' },
  { label: 'Runs', href: paths.runs, Icon: IconHistory, keys: 'g r' },
  { label: 'Compare', href: paths.compare(), Icon: IconArrowsDiff, keys: 'g c' },
];
export const settingsPlace: Place = {
  label: 'Settings',
  href: paths.settings,
  Icon: IconSettings,
  keys: 'g s',
};

/** Whether an address lies in a place: the place itself or anything below it. */
export function isIn(place: Place, location: string): boolean {
  if (place.href === paths.home) return location === paths.home;
  return location === place.href || location.startsWith(`${place.href}/`);
}
