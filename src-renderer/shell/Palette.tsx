import { Group, Text } from '@mantine/core';
import { createSpotlight, Spotlight } from '@mantine/spotlight';
import type { ReactNode } from 'react';
import { KeyCaps } from './KeyCaps.tsx';
import type { Command } from './useCommandTable.ts';

const [store, palette] = createSpotlight();
export const openPalette = palette.open;
/** From the moment it is asked for: what is typed before it has the focus is meant for it. */
export const isPaletteOpen = (): boolean => store.getState().opened;

/** Every command of the table, found by typing a part of its name. Opened by its key in the same table. */
export function Palette(props: { table: readonly Command[] }): ReactNode {
  const groups = [...new Set(props.table.map((command) => command.group))];
  return (
    <Spotlight
      store={store}
      shortcut={null}
      lockScroll={false}
      overlayProps={{ backgroundOpacity: 0.4, blur: 0 }}
      scrollable
      maxHeight="60vh"
      nothingFound="No command has these words"
      searchProps={{ placeholder: 'Find a command, plan, target or run', 'aria-label': 'Find a command' }}
      actions={groups.map((group) => ({
        group,
        actions: props.table
          .filter((command) => command.group === group && command.id !== 'palette')
          .map((command) => ({
            id: command.id,
            label: command.label,
            keywords: [group],
            onClick: command.run,
            leftSection: <command.Icon size={16} aria-hidden />,
            rightSection: command.keys !== undefined && <KeyCaps keys={command.keys} />,
            children: undefined,
          })),
      }))}
    />
  );
}

/** All shortcuts, from the same table. */
export function KeysHelp(props: { table: readonly Command[] }): ReactNode {
  return props.table.map(
    (command) =>
      command.keys !== undefined && (
        <Group key={command.id} justify="space-between" py={4}>
          <Text size="sm">{command.label}</Text>
          <KeyCaps keys={command.keys} />
        </Group>
      ),
  );
}
