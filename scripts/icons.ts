import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { chromium } from 'playwright-core';
import { ensureBrowser } from './browser.ts';
import { root } from './build.ts';

// node scripts/icons.ts: makes the PNGs of the packages from assets/icon.svg.
const svg = await readFile(join(root, 'assets', 'icon.svg'), 'utf8');
const browser = await chromium.launch({ executablePath: await ensureBrowser() });
for (const [name, size] of [
  ['icon-512.png', 512],
  ['icon.png', 1024],
] as const) {
  const page = await browser.newPage({ viewport: { width: size, height: size } });
  await page.setContent(
    `<style>body{margin:0}svg{display:block;width:${size}px;height:${size}px}</style>${svg}`,
  );
  await page.screenshot({ path: join(root, 'assets', name), omitBackground: true });
}
await browser.close();
