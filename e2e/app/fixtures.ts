import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test as base } from '@playwright/test';
import { type Door, type FrontDoor, openDoor } from './doors.ts';

export { expect } from '@playwright/test';

export interface Options {
  /** Set by the project; see playwright.config.ts. */
  frontDoor: FrontDoor;
}

interface Fixtures {
  /** Fresh for each test, removed afterwards. */
  dataFolder: string;
  /** The open workbench; `page` is its page. */
  door: Door;
}

/** A test of a flow: `page` shows the workbench, opened by the front door of the project, on an empty data folder. */
export const test = base.extend<Options & Fixtures>({
  frontDoor: ['serve', { option: true }],
  dataFolder: async ({ frontDoor }, use) => {
    const folder = await mkdtemp(join(tmpdir(), `benchberry-flow-${frontDoor}-`));
    await use(folder);
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  },
  door: async ({ frontDoor, dataFolder }, use) => {
    const door = await openDoor(frontDoor, dataFolder);
    await use(door);
    await door.close();
  },
  page: async ({ door }, use) => use(door.page),
});
