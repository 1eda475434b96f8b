import { ActionIcon, Modal, Tooltip } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { IconSearch } from '@tabler/icons-react';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { useLocation } from 'wouter';
import { useCommand, useEvent } from '../api.tsx';
import { HeaderSlot } from '../components/Page.tsx';
import { toastError } from '../components/toasts.tsx';
import { Announcer } from './Announcer.tsx';
import { ConnectionLost } from './ConnectionLost.tsx';
import { FileDrop } from './FileDrop.tsx';
import { KeysHelp, openPalette, Palette } from './Palette.tsx';
import { Rail } from './Rail.tsx';
import { RunPill } from './RunPill.tsx';
import classes from './Shell.module.css';
import { useCommandTable } from './useCommandTable.ts';
import { usePrintLight } from './usePrintLight.ts';
import { useShortcuts } from './useShortcuts.ts';
import { useTheme } from './useTheme.ts';

/** What stands around every screen: rail, header with the running benchmark, palette, shortcuts, notices. */
export function Shell(props: { children: ReactNode }): ReactNode {
  const [slot, setSlot] = useState<HTMLElement | null>(null);
  const main = useRef<HTMLElement>(null);
  useTheme();
  usePrintLight();
  useNotices();
  useFocusOnArrival(main);
  return (
    <div className={classes.shell}>
      <button type="button" className={classes.skip} onClick={() => main.current?.focus()}>
        Skip to content
      </button>
      <Rail />
      <div className={classes.column}>
        <header className={classes.header}>
          <div className={classes.slot} ref={setSlot} />
          <RunPill />
          <Commands />
        </header>
        <ConnectionLost />
        <main ref={main} tabIndex={-1} className={classes.main} aria-labelledby="page-title">
          <HeaderSlot value={slot}>{props.children}</HeaderSlot>
        </main>
      </div>
      <Announcer />
      <FileDrop />
    </div>
  );
}

/** Palette, shortcuts and their list. A component of its own, so that a running benchmark redraws only this. */
function Commands(): ReactNode {
  const [help, setHelp] = useState(false);
  const table = useCommandTable({ openPalette, openHelp: () => setHelp(true) });
  useShortcuts(table);
  return (
    <>
      <Tooltip label="Find a command">
        <ActionIcon variant="subtle" color="gray" size="lg" aria-label="Find a command" onClick={openPalette}>
          <IconSearch size={18} aria-hidden />
        </ActionIcon>
      </Tooltip>
      <Palette table={table} />
      <Modal opened={help} onClose={() => setHelp(false)} title="Keyboard shortcuts">
        <KeysHelp table={table} />
      </Modal>
    </>
  );
}

/** What the core has to say: once after start, and as it happens. */
function useNotices(): void {
  const notices = useCommand('app.info', null).data?.notices;
  useEffect(() => {
    for (const text of notices ?? []) notifications.show({ id: text, message: text, autoClose: false });
  }, [notices]);
  useEvent('notice', ({ level, text, error }) => {
    if (error !== null) toastError(error);
    else notifications.show({ message: text, autoClose: level === 'info' ? 8000 : false });
  });
}

/** A new screen is read from its top, by eyes, keyboard and screen reader alike. */
function useFocusOnArrival(main: { current: HTMLElement | null }): void {
  const [location] = useLocation();
  const last = useRef(location);
  useEffect(() => {
    if (last.current === location) return;
    last.current = location;
    window.scrollTo(0, 0);
    main.current?.focus({ preventScroll: true });
  }, [location, main]);
}
