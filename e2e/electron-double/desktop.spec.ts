import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { z } from 'zod';
import { runHeadSchema, runSchema } from '../../src-shared/model/run.ts';
import { builtInTargets } from '../../src-shared/model/target.ts';
import { test as base, expect } from '../app/fixtures.ts';
import { callCore } from './callCore.ts';
import { type Double, launchDouble } from './launch.ts';

const test = base.extend<{ double: Double; page: Page }>({
  double: async ({ dataFolder }, use) => {
    const double = launchDouble(dataFolder);
    await use(double);
    await double.close();
  },
  page: async ({ double }, use) => use(await double.page()),
});

const windows = 'BrowserWindow';
async function calls(double: Double, name: string): Promise<unknown[][]> {
  return (await double.ask('calls')).filter((call) => call.name === name).map((call) => call.args);
}

/** A run that lasts until it is stopped: a year of measurements into the null target. */
async function startLongRun(page: Page): Promise<z.infer<typeof runHeadSchema>> {
  const load = {
    scale: 100,
    timestampStart: '2016-01-01T00:00:00Z',
    timestampEnd: '2017-01-01T00:00:00Z',
  };
  const plan = { version: 1, name: 'Long', target: 'null', steps: [{ 'tsbs.load': load }] };
  return runHeadSchema.parse(await callCore(page, 'runs.start', { plan, targetId: builtInTargets.null }));
}

test.describe('the window', () => {
  test('is isolated, sandboxed and without Node', async ({ double, page }) => {
    const [[options] = []] = await calls(double, windows);
    expect(options).toMatchObject({
      webPreferences: {
        contextIsolation: true,
        sandbox: true,
        nodeIntegration: false,
        nodeIntegrationInWorker: false,
        nodeIntegrationInSubFrames: false,
        webSecurity: true,
        webviewTag: false,
      },
    });
    expect(await calls(double, 'registerSchemesAsPrivileged')).toEqual([
      [
        [
          {
            scheme: 'app',
            privileges: { standard: true, secure: true, supportFetchAPI: true, codeCache: true },
          },
        ],
      ],
    ]);
    const reach = await page.evaluate(() => ({
      names: ['require', 'process', 'module', 'Buffer', 'global', 'doubleSend'].filter(
        (name) => name in globalThis,
      ),
      bridge: Object.keys(Reflect.get(globalThis, 'benchberry')),
      frozen: Object.isFrozen(Reflect.get(globalThis, 'benchberry')),
    }));
    expect(reach).toEqual({ names: [], bridge: ['requestPort', 'pathOf'], frozen: true });
  });

  test('lets no page navigate it, and a reload is no navigation away', async ({ double, page }) => {
    const url = page.url();
    for (const [target, seen] of [
      ['https://evil.example/', 'https://evil.example/'],
      ['http://127.0.0.1:9/', 'http://127.0.0.1:9/'],
      // How the stand-in writes another host of the app's own scheme.
      ['http://app.evil.localhost/', 'app://evil/'],
    ] as const) {
      await page.evaluate((to) => window.location.assign(to), target);
      await expect.poll(() => calls(double, 'willNavigate')).toContainEqual([seen, true]);
    }
    expect(page.url()).toBe(url);
    // The last navigation may still be ending.
    await expect(async () => void (await page.reload())).toPass();
    await expect(page.getByRole('navigation', { name: 'Main' })).toBeVisible();
  });

  test('opens no other window; an https address goes to the system', async ({ double, page }) => {
    for (const target of ['https://example.org/docs', 'file:///etc/passwd', 'smb://evil.example/x']) {
      await page.evaluate((to) => void window.open(to), target);
    }
    await page.evaluate(() => {
      const link = { href: 'https://example.org/link', target: '_blank' };
      document.body.appendChild(Object.assign(document.createElement('a'), link)).click();
    });
    await expect.poll(() => calls(double, 'windowOpen')).toHaveLength(4);
    for (const [, action] of await calls(double, 'windowOpen')) expect(action).toBe('deny');
    expect(await calls(double, 'openExternal')).toEqual([
      ['https://example.org/docs'],
      ['https://example.org/link'],
    ]);
    expect(await calls(double, windows)).toHaveLength(1);
  });

  test('has a policy that stops foreign and inline scripts, frames and requests', async ({ page }) => {
    await page.evaluate(() => {
      const seen: string[] = [];
      Object.assign(globalThis, { seen });
      document.addEventListener('securitypolicyviolation', (event) => seen.push(event.effectiveDirective));
      const add = (tag: string, set: object) =>
        document.body.append(Object.assign(document.createElement(tag), set));
      add('script', { textContent: 'globalThis.inlineRan = true' });
      add('script', { src: 'https://evil.example/x.js' });
      add('img', { src: 'https://evil.example/x.png' });
      add('iframe', { src: 'https://evil.example/' });
      add('object', { data: 'https://evil.example/', type: 'image/png' });
      add('style', { textContent: 'body { display: none }' });
      void fetch('https://evil.example/').catch(() => seen.push('fetch failed'));
      // Not from here: what a debugger evaluates may evaluate.
      setTimeout(() => {
        try {
          new Function('return 1')();
        } catch {
          seen.push('eval failed');
        }
      });
    });
    const seen = () => page.evaluate(() => [...new Set<string>(Reflect.get(globalThis, 'seen'))].sort());
    await expect
      .poll(seen)
      .toEqual([
        'connect-src',
        'eval failed',
        'fetch failed',
        'frame-src',
        'img-src',
        'object-src',
        'script-src',
        'script-src-elem',
        'style-src-elem',
      ]);
    expect(await page.evaluate(() => 'inlineRan' in globalThis)).toBe(false);
    await expect(page.getByRole('main')).toBeVisible();
  });

  test('grants nothing but writing to the clipboard', async ({ double, page }) => {
    await expect(page.getByRole('main')).toBeVisible();
    for (const name of [
      'media',
      'geolocation',
      'notifications',
      'clipboard-read',
      'openExternal',
      'hid',
      'usb',
      'unknown',
    ]) {
      expect(await double.ask('permission', name)).toEqual({ request: false, check: false });
    }
    expect(await double.ask('permission', 'clipboard-sanitized-write')).toEqual({
      request: true,
      check: true,
    });
    expect(await calls(double, 'devicePermission')).toEqual([[false]]);
  });

  test('keeps its place, and forgets one that no screen shows', async ({ dataFolder }) => {
    const file = join(dataFolder, 'desktop', 'window.json');
    const place = { x: 310, y: 120, width: 1100, height: 740 };
    const first = launchDouble(dataFolder);
    await first.page();
    await first.ask('moveWindow', place);
    await expect
      .poll(() => readFile(file, 'utf8').catch(() => ''))
      .toBe(JSON.stringify({ ...place, maximized: false }));
    await first.close();
    const second = launchDouble(dataFolder);
    await second.page();
    expect((await calls(second, windows))[0]?.[0]).toMatchObject(place);
    await second.close();
    await writeFile(file, JSON.stringify({ ...place, x: 9000, maximized: true }));
    const third = launchDouble(dataFolder);
    await third.page();
    expect((await calls(third, windows))[0]?.[0]).toMatchObject({ x: 410, y: 150, width: 1100, height: 740 });
    expect(await calls(third, 'window.maximize')).toHaveLength(1);
    await third.close();
  });
});

test.describe('messages', () => {
  const channel = 'benchberry:request-port';

  test('of other origins, other frames and frames that are gone get no port', async ({ double, page }) => {
    await expect(page.getByRole('main')).toBeVisible();
    await page.evaluate(() => {
      Object.assign(globalThis, { ports: 0 });
      window.addEventListener('message', ({ ports }) => {
        Object.assign(globalThis, { ports: Reflect.get(globalThis, 'ports') + ports.length });
      });
    });
    for (const url of [
      'https://evil.example/',
      'app://evil/',
      'file:///x',
      'app://benchberry.evil/',
      'app://benchberry/',
      null,
    ]) {
      await double.ask('sendFrom', { url, channel });
    }
    // The page's own request, sent last, is answered: it alone.
    await page.evaluate(() => Reflect.get(globalThis, 'benchberry').requestPort());
    await expect.poll(() => page.evaluate(() => Reflect.get(globalThis, 'ports'))).toBe(1);
  });
});

test.describe('the app', () => {
  test('is one for a data folder: a second start brings the first one to the front', async ({
    double,
    page,
    dataFolder,
  }) => {
    await expect(page.getByRole('main')).toBeVisible();
    await double.ask('minimize');
    const second = launchDouble(dataFolder);
    expect(await second.ended).toBe(0);
    await expect.poll(() => calls(double, 'window.restore')).toHaveLength(1);
    expect((await calls(double, 'window.focus')).length).toBeGreaterThan(0);
    expect(await calls(double, windows)).toHaveLength(1);
  });

  test('keeps the machine awake while a run is on, and asks before quitting then', async ({
    double,
    page,
    dataFolder,
  }) => {
    expect(await double.ask('blockers')).toEqual([]);
    const { id } = await startLongRun(page);
    await expect.poll(() => double.ask('blockers')).toEqual(['prevent-app-suspension']);

    await double.ask('closeWindow');
    await expect
      .poll(() => double.ask('openDialogs'))
      .toEqual([
        expect.objectContaining({
          message: 'A benchmark is running',
          buttons: ['Keep running', 'Stop it and quit'],
        }),
      ]);
    await double.ask('answer', 0);
    expect(await callCore(page, 'runs.get', { id })).toMatchObject({ endedAt: null });
    expect(await double.ask('blockers')).toEqual(['prevent-app-suspension']);

    await double.ask('quit');
    await expect.poll(() => double.ask('openDialogs')).toHaveLength(1);
    await double.ask('answer', 1);
    expect(await double.ended).toBe(0);

    const again = launchDouble(dataFolder);
    const run = runSchema.parse(await callCore(await again.page(), 'runs.get', { id }));
    expect(run.status).toBe('cancelled');
    await again.close();
  });

  test('lets the machine sleep again when the run has ended, and then quits without a question', async ({
    double,
    page,
  }) => {
    const { id } = await startLongRun(page);
    await expect.poll(() => double.ask('blockers')).toHaveLength(1);
    await callCore(page, 'runs.stop', { id });
    await expect.poll(() => double.ask('blockers')).toEqual([]);
    await double.ask('quit');
    expect(await double.ended).toBe(0);
  });

  test('starts a core that crashed again, says so, and the run is listed as interrupted', async ({
    double,
    page,
  }) => {
    const { id } = await startLongRun(page);
    await expect.poll(() => double.ask('blockers')).toHaveLength(1);
    await double.ask('killCore');
    await expect(page.getByText('The connection to the Benchberry core is lost.')).toBeVisible();
    await expect
      .poll(() => double.ask('openDialogs'))
      .toEqual([
        expect.objectContaining({
          message: 'The Benchberry core stopped unexpectedly and was started again',
        }),
      ]);
    await double.ask('answer', 0);
    await expect(page.getByText('The connection to the Benchberry core is lost.')).toBeHidden();
    const run = runSchema.parse(await callCore(page, 'runs.get', { id }));
    expect(run.status).toBe('interrupted');
    expect(await double.ask('blockers')).toEqual([]);
  });
});

test.describe('passwords', () => {
  const draft = {
    name: 'mine',
    engine: 'postgresql',
    connection: { host: 'db.example', port: 5432, database: 'benchmark', user: 'bench', tls: 'prefer' },
  };
  const infoSchema = z.object({ secrets: z.object({ kind: z.string(), detail: z.string() }) });

  test('stay in memory, and the app says so, where the desktop has no key store', async ({
    page,
    dataFolder,
  }) => {
    const { secrets } = infoSchema.parse(await callCore(page, 'app.info', null));
    expect(secrets.kind).toBe('memory');
    expect(secrets.detail).toContain('no key store');
    await expect(readFile(join(dataFolder, 'desktop', 'secrets.json'))).rejects.toMatchObject({
      code: 'ENOENT',
    });
  });

  test('are kept encrypted in the data folder where there is one', async ({ dataFolder }) => {
    const env = { DOUBLE_KEY_STORE: 'gnome_libsecret' };
    const first = launchDouble(dataFolder, env);
    const page = await first.page();
    const { secrets } = infoSchema.parse(await callCore(page, 'app.info', null));
    expect(secrets).toEqual({
      kind: 'os-key-store',
      detail: 'Passwords are kept encrypted, the key in libsecret.',
    });
    const saved = z
      .object({ id: z.string() })
      .parse(await callCore(page, 'targets.save', { id: null, ...draft, secret: null }));
    await callCore(page, 'targets.setSecret', { id: saved.id, secret: 'correct horse' });
    await first.close();
    const file = await readFile(join(dataFolder, 'desktop', 'secrets.json'), 'utf8');
    expect(file).toContain(saved.id);
    expect(file).not.toContain('correct horse');
  });
});
