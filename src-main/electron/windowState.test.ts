import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { placeWindow, readWindowState, smallest, writeWindowState } from './windowState.ts';

const laptop = { x: 0, y: 25, width: 1440, height: 875 };
const second = { x: 1440, y: 0, width: 1920, height: 1080 };
const state = { x: 1500, y: 100, width: 1300, height: 900, maximized: false };

test('the window comes back where it was', () => {
  expect(placeWindow(state, [laptop, second])).toEqual({ x: 1500, y: 100, width: 1300, height: 900 });
});

test('its screen is gone: the same size, as far as it fits, centred on the first one', () => {
  expect(placeWindow(state, [laptop])).toEqual({ x: 70, y: 25, width: 1300, height: 875 });
});

test('a corner on a screen is not enough to be found', () => {
  expect(placeWindow({ ...state, x: 1440 - 199, y: 100 }, [laptop]).x).toBe(70);
  expect(placeWindow({ ...state, x: 1440 - 200, y: 100 }, [laptop]).x).toBe(1240);
});

test('the first start is 1280 × 800 in the middle', () => {
  expect(placeWindow(null, [laptop])).toEqual({ x: 80, y: 63, width: 1280, height: 800 });
});

test('wherever it was and whatever the screens, enough of it is on one of them', () => {
  const rectangle = fc.record({
    x: fc.integer({ min: -5000, max: 5000 }),
    y: fc.integer({ min: -5000, max: 5000 }),
    width: fc.integer({ min: smallest.width, max: 4000 }),
    height: fc.integer({ min: smallest.height, max: 3000 }),
  });
  fc.assert(
    fc.property(rectangle, fc.array(rectangle, { minLength: 1, maxLength: 3 }), (window, areas) => {
      const placed = placeWindow({ ...window, maximized: false }, areas);
      expect(
        areas.some(
          (area) =>
            placed.x + placed.width >= area.x + 200 &&
            placed.x <= area.x + area.width - 200 &&
            placed.y + placed.height >= area.y + 80 &&
            placed.y <= area.y + area.height - 80,
        ),
      ).toBe(true);
    }),
  );
});

test('the state survives the file; a damaged file is as none', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'benchberry-window-'));
  const file = join(folder, 'desktop', 'window.json');
  expect(readWindowState(file)).toBeNull();
  writeWindowState(file, state);
  expect(readWindowState(file)).toEqual(state);
  for (const text of ['', '{', '{"x":"1"}', '[]', '{"x":0.5,"y":0,"width":0,"height":1,"maximized":0}']) {
    await writeFile(file, text);
    expect(readWindowState(file)).toBeNull();
  }
  await rm(folder, { recursive: true });
});
