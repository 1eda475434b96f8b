import { randomBytes } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { extname, join, relative, sep } from 'node:path';
import { contentSecurityPolicy, securityHeaders } from './securityHeaders.ts';

export interface StaticAnswer {
  status: 200 | 404;
  headers: Record<string, string>;
  body: Uint8Array;
}

/** Answers a URL's path (as it came, still encoded). */
export type StaticFiles = (path: string) => StaticAnswer;

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
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
/** A screen's address, e.g. `/runs/01J…`: no dot, so never the name of a file. */
const screenPath = /^(\/[\w-]+)*\/?$/;

/**
 * The built renderer in memory. Only the names found in the folder at the start are ever answered, so a path can lead
 * nowhere else, however it is written. The address of a screen is answered with the page, which gets a fresh nonce for
 * its styles. Rejects when there is no page in the folder.
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
    if (path === '/index.html' || screenPath.test(path)) return answerPage(page);
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
