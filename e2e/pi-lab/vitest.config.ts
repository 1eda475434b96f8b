import { defineConfig } from 'vitest/config';

/** The lab's own run: scenarios here, and the suites of the core that take a server by its URL. */
export default defineConfig({
  test: {
    include: ['e2e/pi-lab/**/*.lab.ts'],
    // Virtual Pis share two cores and the names of their networks.
    fileParallelism: false,
    testTimeout: 300_000,
    // A boot may wait for another lab that has the same number.
    hookTimeout: 1_200_000,
  },
});
