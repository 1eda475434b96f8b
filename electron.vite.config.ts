import { resolve } from 'node:path';
import { defineConfig } from 'electron-vite';
import renderer from './vite.renderer.config.ts';

const source = (path: string) => resolve(import.meta.dirname, path);

/**
 * Three bundles: Electron's main process with the core and the load thread (all flat in out/main, so that a file finds
 * its neighbour by its own URL), the preload script and the renderer. Dependencies stay outside of the first one.
 */
export default defineConfig({
  main: {
    build: {
      outDir: 'out/main',
      rolldownOptions: {
        input: {
          main: source('src-main/electron/main.ts'),
          core: source('src-main/electron/core.ts'),
          'load-thread': source('src-main/load/thread.ts'),
        },
        output: { format: 'es', entryFileNames: '[name].js', chunkFileNames: '[name]-[hash].js' },
      },
    },
  },
  preload: {
    build: {
      outDir: 'out/preload',
      // A sandboxed preload is CommonJS and can require nothing but electron.
      externalizeDeps: false,
      rolldownOptions: {
        input: { preload: source('src-main/electron/preload.ts') },
        output: { format: 'cjs', entryFileNames: '[name].cjs' },
      },
    },
  },
  renderer,
});
