import { defineConfig } from '@playwright/test';
import type { Options } from './e2e/app/fixtures.ts';

const flows = 'app/**/*.spec.ts';
/** Ten runs on a server: the front doors differ in nothing that is asked there, so one is enough. */
const once = 'app/compareStory.spec.ts';

/** The same flows through every front door; `npm test` builds what they show. */
export default defineConfig<Options>({
  testDir: 'e2e',
  outputDir: 'test-results/flows',
  fullyParallel: false,
  // Runs measure: two at a time would disturb each other.
  workers: 1,
  timeout: 120_000,
  expect: { timeout: 15_000 },
  forbidOnly: Boolean(process.env.CI),
  reporter: 'list',
  projects: [
    { name: 'serve', testMatch: flows, use: { frontDoor: 'serve' } },
    {
      name: 'double',
      testMatch: [flows, 'electron-double/**/*.spec.ts'],
      testIgnore: once,
      use: { frontDoor: 'double' },
    },
    ...(process.env.BENCHBERRY_E2E_ELECTRON === '1'
      ? [{ name: 'electron', testMatch: flows, testIgnore: once, use: { frontDoor: 'electron' as const } }]
      : []),
  ],
});
