import { defineConfig } from 'vitest/config';

/** Tests that need a server which this folder starts; `npm run test:servers` says which. */
export default defineConfig({
  test: {
    include: ['e2e/servers/**/*.server.ts'],
    maxWorkers: 1,
    testTimeout: 180_000,
    hookTimeout: 180_000,
  },
});
