import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import AxeBuilder from '@axe-core/playwright';
import type { Locator, Page } from '@playwright/test';
import { expect } from 'vitest';
import { buildIfStale } from '../../scripts/build.ts';
import { openDoor } from '../app/doors.ts';
import { locked } from './lock.ts';
import { type SshHome, sshHome } from './sshHome.ts';

/** Those of the docs are made anew only where that is asked for: a test leaves the checkout as it was. */
const forDocs = process.env.BENCHBERRY_PICTURES === '1';
const passing = join(import.meta.dirname, '../../test-results/pictures');
const pictures = forDocs ? join(import.meta.dirname, '../../docs/screenshots') : passing;
const usual = { width: 1280, height: 800 };
const wide = { width: 1920, height: 1080 };

/** The workbench through `serve` on a data folder and a home folder of its own, ready to be clicked. */
export interface Workbench {
  readonly page: Page;
  readonly home: SshHome;
  button(name: string | RegExp): Locator;
  heading(name: string | RegExp): Locator;
  /** By the navigation at the side. */
  goTo(place: 'Hosts' | 'Home'): Promise<void>;
  /**
   * A picture in light and in dark of what is on the screen, `host-NAME-SCHEME.png` in the folder of pictures. Nothing may stick out
   * sideways, and no rule of accessibility may be broken.
   */
  shoot(name: string): Promise<void>;
  close(): Promise<void>;
}

/** @param given a data folder that is there already, and stays */
export async function openWorkbench(given?: string): Promise<Workbench> {
  const built = await locked(join(tmpdir(), 'benchberry-lab-build.lock'));
  await buildIfStale('renderer').finally(built);
  for (const folder of [pictures, passing]) await mkdir(folder, { recursive: true });
  const home = await sshHome();
  // The workbench inherits the agent's socket; keys come into it later.
  await home.agent();
  const data = given ?? (await mkdtemp(join(tmpdir(), 'benchberry-story-')));
  const door = await openDoor('serve', data);
  const { page } = door;
  // A step on a busy machine takes its time; what never comes is told by this.
  page.setDefaultTimeout(180_000);
  return {
    page,
    home,
    button: (name) => page.getByRole('button', { name }),
    heading: (name) => page.getByRole('heading', { name }),
    goTo: (place) =>
      page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: place }).click(),
    async shoot(name) {
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
        await page.evaluate(() => document.fonts.ready);
        // The lab's own way to packages is no part of a picture for others. A mask would lie over a dialog: there it is hidden.
        const own = page.getByText(/https?:\/\//);
        const dialog = (await page.getByRole('dialog').count()) > 0;
        if (dialog)
          await own.evaluateAll((found) => found.map((element) => element.setAttribute('data-lab', '')));
        const take = (folder: string, end: string) =>
          page.screenshot({
            path: join(folder, `host-${name}-${colorScheme}${end}.png`),
            mask: dialog ? [] : [own],
            maskColor: '#8f8f8f',
            style: '[data-lab] { visibility: hidden !important }',
          });
        await take(pictures, '');
        if (forDocs) {
          // To be looked at, not to be kept.
          await page.setViewportSize(wide);
          await take(passing, '-wide');
          await page.setViewportSize(usual);
        }
        const { violations } = await new AxeBuilder({ page }).setLegacyMode().analyze();
        const found = violations.map(
          ({ id, nodes }) => `${id}: ${nodes.map((node) => node.target).join(', ')}`,
        );
        expect(found, `${name}, ${colorScheme}`).toEqual([]);
      }
      const wider = await page.evaluate(() => {
        const { scrollWidth, clientWidth } = document.documentElement;
        return scrollWidth - clientWidth;
      });
      expect(wider, `${name} is no wider than the window`).toBe(0);
    },
    async close() {
      await door.close();
      await home.close();
      if (given === undefined) await rm(data, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}
