import { randomBytes } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { extname, join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { contentSecurityPolicy, securityHeaders } from './securityHeaders.ts';

export interface StaticAnswer {
  status: 200 | 404;
  headers: Record<string, string>;
  body: Uint8Array;
}

/** Answers a URL's path (as it came, still encoded). */
export type StaticFiles = (path: string) => StaticAnswer;

/** The renderer of this installation: from the sources, and from the bundle, which lies in out/main. */
export const builtRenderer = fileURLToPath(
  new URL(import.meta.url.endsWith('.ts') ? '../../out/renderer' : '../renderer', import.meta.url),
);

const types: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.woff2': 'font/woff2',
  '.json': 'application/json',
  '.webmanifest': 'application/manifest+json',
  '.txt': 'text/plain; charset=utf-8',
};
const noncePlace = '__STYLE_NONCE__';

/**
 * The built renderer in memory. Only the names found in the folder at the start are ever answered, so a path can lead
 * nowhere else, however it is written. The page is at `/` (screens are told apart behind `#`) and gets a fresh nonce for
 * its styles each time. Rejects when there is no page in the folder.
 */
export async function loadStaticFiles(folder: string): Promise<StaticFiles> {
  const files = new Map<string, { body: Buffer; type: string }>();
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const file = join(entry.parentPath, entry.name);
    const type = types[extname(entry.name)];
    if (type)
      files.set(`/${relative(folder, file).split(sep).join('/')}`, { body: await readFile(file), type });
  }
  const page = await readFile(join(folder, 'index.html'), 'utf8');

  return (path) => {
    if (path === '/') return answerPage(page);
    const file = files.get(path);
    if (!file) return notFound();
    const cache = path.startsWith('/assets/') ? 'private, max-age=31536000, immutable' : 'no-cache';
    return {
      status: 200,
      headers: { ...securityHeaders, 'Content-Type': file.type, 'Cache-Control': cache },
      body: file.body,
    };
  };
}

function answerPage(page: string): StaticAnswer {
  const nonce = randomBytes(16).toString('base64');
  return {
    status: 200,
    headers: {
      ...securityHeaders,
      'Content-Type': 'text/html; charset=utf-8',
      'Content-Security-Policy': contentSecurityPolicy(nonce),
      'Cache-Control': 'no-store',
    },
    body: Buffer.from(page.replaceAll(noncePlace, nonce)),
  };
}

function notFound(): StaticAnswer {
  return {
    status: 404,
    headers: { ...securityHeaders, 'Content-Type': 'text/plain; charset=utf-8', 'Cache-Control': 'no-store' },
    body: Buffer.from('There is nothing at this address.\n'),
  };
}
