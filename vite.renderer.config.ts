import { resolve } from 'node:path';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

const root = resolve(import.meta.dirname, 'src-renderer');

/** The renderer alone: what `serve` needs. The desktop build takes the same settings. */
export default defineConfig({
  root,
  base: './',
  plugins: [react()],
  // Both doors put a fresh nonce in this place for every page they send.
  html: { cspNonce: '__STYLE_NONCE__' },
  build: {
    outDir: resolve(import.meta.dirname, 'out/renderer'),
    emptyOutDir: true,
    target: 'es2024',
    minify: true,
    // A data: URL would need a hole in the content security policy.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 2000,
    rolldownOptions: { input: resolve(root, 'index.html') },
  },
});
