import { useEffect, useRef } from 'react';
import { advance, isTyping, strokeName } from './keys.ts';
import { isPaletteOpen } from './Palette.tsx';
import type { Command } from './useCommandTable.ts';

/** How long the second key of a sequence may take. */
const sequenceMs = 1500;

/** Listens to the keyboard for the table's shortcuts; stays away from fields and open dialogs. */
export function useShortcuts(table: readonly Command[]): void {
  const latest = useRef(table);
  useEffect(() => {
    latest.current = table;
  });
  useEffect(() => {
    let pending: readonly string[] = [];
    let lastAt = 0;
    function handleKey(event: KeyboardEvent): void {
      const stroke = strokeName(event);
      if (stroke === null || event.defaultPrevented) return;
      const commandKey = stroke.startsWith('mod+');
      if (!commandKey && (isTyping(event.target) || isInDialog(event.target) || isPaletteOpen())) return;
      const step = advance(latest.current, event.timeStamp - lastAt > sequenceMs ? [] : pending, stroke);
      pending = step.pending;
      lastAt = event.timeStamp;
      if (step.hit === null) return;
      event.preventDefault();
      step.hit.run();
    }
    window.addEventListener('keydown', handleKey);
    return () => window.removeEventListener('keydown', handleKey);
  }, []);
}

function isInDialog(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest('[role="dialog"]') !== null;
}
