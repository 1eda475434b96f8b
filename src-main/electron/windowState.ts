import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Rectangle } from 'electron';
import { z } from 'zod';

const windowStateSchema = z.object({
  x: z.int(),
  y: z.int(),
  width: z.int().positive(),
  height: z.int().positive(),
  maximized: z.boolean(),
});
export type WindowState = z.infer<typeof windowStateSchema>;

export const smallest = { width: 900, height: 600 };
const usual = { width: 1280, height: 800 };
/** So much of the window must be on a screen to be found and dragged. */
const grip = { width: 200, height: 80 };

/** The state kept in a file; null where there is none or it is of no use. */
export function readWindowState(file: string): WindowState | null {
  try {
    return windowStateSchema.parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch {
    // Unreadable or from another version: the window opens as at the first start.
    return null;
  }
}

export function writeWindowState(file: string, state: WindowState): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(`${file}.new`, JSON.stringify(state));
  renameSync(`${file}.new`, file);
}

/**
 * Where the window opens: as it was, when enough of it is on one of the work areas; else centred on the first one, no
 * larger than it. All in device-independent pixels.
 */
export function placeWindow(state: WindowState | null, workAreas: readonly Rectangle[]): Rectangle {
  if (state && workAreas.some((area) => overlaps(state, area))) {
    const { x, y } = state;
    return {
      x,
      y,
      width: Math.max(state.width, smallest.width),
      height: Math.max(state.height, smallest.height),
    };
  }
  const area = workAreas[0] ?? { x: 0, y: 0, ...usual };
  const width = Math.min(state?.width ?? usual.width, area.width);
  const height = Math.min(state?.height ?? usual.height, area.height);
  return {
    x: area.x + Math.round((area.width - width) / 2),
    y: area.y + Math.round((area.height - height) / 2),
    width,
    height,
  };
}

function overlaps(a: Rectangle, b: Rectangle): boolean {
  const width = Math.min(a.x + a.width, b.x + b.width) - Math.max(a.x, b.x);
  const height = Math.min(a.y + a.height, b.y + b.height) - Math.max(a.y, b.y);
  return width >= grip.width && height >= grip.height;
}
