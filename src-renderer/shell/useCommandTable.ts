import { useComputedColorScheme } from '@mantine/core';
import {
  IconClipboardList,
  IconClipboardPlus,
  IconDatabase,
  IconDatabasePlus,
  IconHistory,
  IconKeyboard,
  IconMoon,
  IconPlayerStop,
  IconReportSearch,
  IconSearch,
  IconServer2,
  IconServerCog,
  IconSun,
  type TablerIcon,
} from '@tabler/icons-react';
import { useLocation } from 'wouter';
import { useApi, useCommand } from '../api.tsx';
import { toastError } from '../components/toasts.tsx';
import { paths } from '../routes.ts';
import { places, settingsPlace } from './places.ts';
import { useActiveBenchmark } from './useActiveBenchmark.ts';

/** One thing that can be done: feeds the palette, the keyboard and the list of shortcuts. */
export interface Command {
  id: string;
  label: string;
  group: string;
  Icon: TablerIcon;
  /** `g h`, `mod+k`; see keys.ts. */
  keys?: string;
  run: () => void;
}

/** Everything that can be done from any screen, now. */
export function useCommandTable(shell: { openPalette: () => void; openHelp: () => void }): Command[] {
  const [, navigate] = useLocation();
  const api = useApi();
  const plans = useCommand('plans.list', null).data ?? [];
  const targets = useCommand('targets.list', null).data ?? [];
  const hosts = useCommand('hosts.list', null).data ?? [];
  const runs = useCommand('runs.list', { limit: 20 }).data ?? [];
  const active = useActiveBenchmark();
  const scheme = useComputedColorScheme('light');
  const next = scheme === 'dark' ? 'light' : 'dark';

  const table: Command[] = [...places, settingsPlace].map((place) => ({
    id: `go ${place.href}`,
    label: place.label,
    group: 'Go to',
    Icon: place.Icon,
    keys: place.keys,
    run: () => navigate(place.href),
  }));
  table.push(
    {
      id: 'new plan',
      label: 'New benchmark',
      group: 'Do',
      Icon: IconClipboardPlus,
      keys: 'n',
      run: () => navigate(paths.newPlan),
    },
    {
      id: 'new target',
      label: 'Add a target',
      group: 'Do',
      Icon: IconDatabasePlus,
      keys: 't',
      run: () => navigate(paths.newTarget),
    },
    {
      id: 'new host',
      label: 'Set up a Raspberry Pi',
      group: 'Do',
      Icon: IconServerCog,
      keys: 'h',
      run: () => navigate(paths.newHost),
    },
  );
  if (active !== null) {
    const { href, stop } = active;
    table.push(
      {
        id: 'watch run',
        label: 'Watch the running benchmark',
        group: 'Do',
        Icon: IconReportSearch,
        keys: 'w',
        run: () => navigate(href),
      },
      {
        id: 'stop run',
        label: 'Stop the running benchmark',
        group: 'Do',
        Icon: IconPlayerStop,
        run: stop,
      },
    );
  }
  table.push(
    {
      id: 'theme',
      label: next === 'dark' ? 'Dark theme' : 'Light theme',
      group: 'Do',
      Icon: next === 'dark' ? IconMoon : IconSun,
      run: () => void api.call('settings.save', { theme: next }).catch(toastError),
    },
    {
      id: 'palette',
      label: 'Find a command',
      group: 'Do',
      Icon: IconSearch,
      keys: 'mod+k',
      run: shell.openPalette,
    },
    {
      id: 'help',
      label: 'Keyboard shortcuts',
      group: 'Do',
      Icon: IconKeyboard,
      keys: '?',
      run: shell.openHelp,
    },
    ...plans.map(({ id, plan }) => ({
      id: `plan ${id}`,
      label: plan.name,
      group: 'Plans',
      Icon: IconClipboardList,
      run: () => navigate(paths.plan(id)),
    })),
    ...hosts.flatMap(({ id, name }) => [
      {
        id: `host ${id}`,
        label: name,
        group: 'Hosts',
        Icon: IconServer2,
        run: () => navigate(paths.host(id)),
      },
      {
        id: `provision ${id}`,
        label: `Provision ${name}`,
        group: 'Hosts',
        Icon: IconServerCog,
        run: () => navigate(paths.provision(id)),
      },
    ]),
    ...[...new Set(hosts.flatMap(({ group }) => group ?? []))].map((rack) => ({
      id: `rack ${rack}`,
      label: `Rack ${rack}`,
      group: 'Hosts',
      Icon: IconServer2,
      run: () => navigate(paths.rack(rack)),
    })),
    ...targets.map(({ id, name }) => ({
      id: `target ${id}`,
      label: name,
      group: 'Targets',
      Icon: IconDatabase,
      run: () => navigate(paths.target(id)),
    })),
    ...runs.map((head) => ({
      id: `run ${head.id}`,
      label: `${head.name} on ${head.targetName}`,
      group: 'Last runs',
      Icon: IconHistory,
      run: () => navigate(paths.run(head.id)),
    })),
  );
  return table;
}
