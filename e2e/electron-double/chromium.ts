import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import {
  type BrowserContext,
  chromium,
  type Frame,
  type Page,
  type Request as PageRequest,
  type Route,
} from 'playwright-core';
import { ensureBrowser } from '../../scripts/browser.ts';
import { app } from './app.ts';
import { record } from './record.ts';

type Handler = (request: Request) => Response | Promise<Response>;
const handlers = new Map<string, Handler>();
/** `app://benchberry/x` is `http://app.benchberry.localhost/x` to Chromium: an origin of its own, and a secure one. */
const suffix = '.localhost';

export function toPageUrl(url: string): string {
  const { protocol, host, pathname, search, hash } = new URL(url);
  return handlers.has(protocol.slice(0, -1))
    ? `http://${protocol.slice(0, -1)}.${host}${suffix}${pathname}${search}${hash}`
    : url;
}

export function toAppUrl(url: string): string {
  const { hostname, pathname, search, hash } = new URL(url);
  const [scheme = '', ...host] = hostname.split('.').slice(0, -1);
  return hostname.endsWith(suffix) && handlers.has(scheme)
    ? `${scheme}://${host.join('.')}${pathname}${search}${hash}`
    : url;
}

export const protocol = {
  registerSchemesAsPrivileged: (schemes: unknown) => record('registerSchemesAsPrivileged', schemes),
  handle: (scheme: string, handler: Handler) => void handlers.set(scheme, handler),
};

let running: Promise<{ context: BrowserContext; profile: string; port: number }> | null = null;

/** The one Chromium of this process; a test can attach to it at its port. */
export function browser(): NonNullable<typeof running> {
  running ??= launch();
  return running;
}

async function launch() {
  // Beside the app's own files, as with Electron; a folder for each start, since a killed browser may still hold its own.
  await mkdir(app.getPath('userData'), { recursive: true });
  const profile = await mkdtemp(join(app.getPath('userData'), 'chromium-'));
  const context = await chromium.launchPersistentContext(profile, {
    executablePath: await ensureBrowser(),
    viewport: null,
    args: ['--remote-debugging-port=0', '--window-size=1280,900', '--disable-background-networking'],
  });
  await context.route('**/*', answer);
  const [port = ''] = (await readFile(join(profile, 'DevToolsActivePort'), 'utf8')).split('\n');
  return { context, profile, port: Number(port) };
}

export async function closeBrowser(): Promise<void> {
  const open = await running;
  await open?.context.close();
  if (open) await rm(open.profile, { recursive: true, force: true, maxRetries: 10 });
}

/** May a page go there? Set by the window; a navigation that is not allowed is ended as Electron does it. */
let mayNavigate: (page: Page, url: string) => boolean = () => true;
export function onNavigation(decide: typeof mayNavigate): void {
  mayNavigate = decide;
}

/** null: the page is only being made, so it is another window than the app's. */
function frameOf(request: PageRequest): Frame | null {
  try {
    return request.frame();
  } catch {
    return null;
  }
}

/** Nothing is fetched but by the app's own handler: no page of this browser reaches a network. */
async function answer(route: Route): Promise<void> {
  const request = route.request();
  const url = toAppUrl(request.url());
  if (request.isNavigationRequest()) {
    const frame = frameOf(request);
    if (!frame || (frame === frame.page().mainFrame() && !mayNavigate(frame.page(), url))) {
      return route.abort('aborted');
    }
  }
  const handler = handlers.get(new URL(url).protocol.slice(0, -1));
  if (!handler) return route.abort('blockedbyclient');
  const response = await handler(new Request(url, { method: request.method(), headers: request.headers() }));
  await route.fulfill({
    status: response.status,
    headers: Object.fromEntries(response.headers),
    body: Buffer.from(await response.arrayBuffer()),
  });
}
