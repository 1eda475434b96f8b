import { defineConfig } from 'vitest/config';

const every = 'e2e/pi-lab/**/*.lab.ts';
/** What compares figures, or holds a pace, has the machine to itself. */
const measuring = ['health', 'oltp', 'rack', 'timescaledb'].map((name) => `e2e/pi-lab/${name}.lab.ts`);

/** The lab's own run: scenarios here, and the suites of the core that take a server by its URL. */
export default defineConfig({
  test: {
    testTimeout: 600_000,
    // A boot may wait for another lab that has the same number.
    hookTimeout: 1_200_000,
    projects: [
      {
        extends: true,
        // Mostly they wait: for a boot, for packages, for a cable. Each file has numbers of its own for its Pis.
        test: {
          name: 'scenarios',
          include: [every],
          exclude: measuring,
          maxWorkers: 3,
          sequence: { groupOrder: 0 },
        },
      },
      {
        extends: true,
        test: { name: 'measuring', include: measuring, maxWorkers: 1, sequence: { groupOrder: 1 } },
      },
    ],
  },
});
