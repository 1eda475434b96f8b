/** Keyboard shortcuts: plain keys in a row (`g h`), or one key with the platform's command key (`mod+k`). */

/** The parts of a KeyboardEvent that count here. */
export interface Stroke {
  key: string;
  ctrlKey: boolean;
  metaKey: boolean;
  altKey: boolean;
}

/** A stroke as it is written in the command table; null for one that no shortcut can have. */
export function strokeName(stroke: Stroke): string | null {
  if (stroke.altKey || stroke.key.length !== 1) return null;
  const key = stroke.key.toLowerCase();
  return stroke.ctrlKey || stroke.metaKey ? `mod+${key}` : key;
}

/** What a further stroke does to the strokes so far: a command is `hit`, or `pending` waits for the rest of one. */
export function advance<C extends { keys?: string | undefined }>(
  table: readonly C[],
  pending: readonly string[],
  stroke: string,
): { hit: C | null; pending: readonly string[] } {
  // A stroke that does not go on with the sequence may begin another one.
  for (const sequence of pending.length > 0 ? [[...pending, stroke], [stroke]] : [[stroke]]) {
    const text = sequence.join(' ');
    const hit = table.find((command) => command.keys === text);
    if (hit !== undefined) return { hit, pending: [] };
    if (table.some((command) => command.keys?.startsWith(`${text} `)))
      return { hit: null, pending: sequence };
  }
  return { hit: null, pending: [] };
}

/** True where letters are text: shortcuts without the command key stay away from there. */
export function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  return target.isContentEditable || ['INPUT', 'TEXTAREA', 'SELECT'].includes(target.tagName);
}

/** Keys as they are printed on the keyboard, one entry for each cap: `mod+k` → `Ctrl`, `K`. */
export function keyCaps(keys: string, isMac: boolean): string[] {
  return keys
    .split(' ')
    .flatMap((stroke) => stroke.split('+'))
    .map((cap) => (cap === 'mod' ? (isMac ? '⌘' : 'Ctrl') : cap.toUpperCase()));
}
