import { EventEmitter } from 'node:events';
import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { app } from './app.ts';
import { browser, onNavigation, toAppUrl, toPageUrl } from './chromium.ts';
import { ipcMain } from './ipcMain.ts';
import { type FromPage, runPreload, type ToPage } from './pageBridge.ts';
import { type PortMain, PortRelay } from './ports.ts';
import { preventable, record } from './record.ts';

interface Options {
  x?: number;
  y?: number;
  width: number;
  height: number;
  show?: boolean;
  webPreferences?: { preload?: string };
}
type OpenHandler = (details: { url: string }) => { action: 'deny' | 'allow' };

class WebContents extends EventEmitter {
  page: Page | null = null;
  /** Compared by identity with the frame that sends a message. */
  readonly mainFrame = { url: '', parent: null };
  #relay: PortRelay;
  #mayOpen: OpenHandler = () => ({ action: 'allow' });

  constructor() {
    super();
    this.#relay = this.#newRelay();
  }

  getURL(): string {
    return this.mainFrame.url;
  }

  setWindowOpenHandler(handler: OpenHandler): void {
    this.#mayOpen = handler;
  }

  postMessage(channel: string, message: unknown, ports: PortMain[] = []): void {
    this.#send({ kind: 'ipc', channel, args: [message], ports: ports.map((port) => this.#relay.give(port)) });
  }

  reload(): void {
    void this.page?.reload();
  }

  async open(preload: string | undefined, url: string): Promise<void> {
    const { context } = await browser();
    const page = context.pages().find((each) => each.url() === 'about:blank') ?? (await context.newPage());
    this.page = page;
    await page.exposeBinding('doubleSend', ({ frame }, message: FromPage) => {
      if (frame === page.mainFrame()) this.#receive(message);
    });
    const script = preload ? readFileSync(preload, 'utf8') : '';
    await page.addInitScript(`(${runPreload})(function (require, module, exports) { ${script} });`);
    page.on('framenavigated', (frame) => {
      if (frame === page.mainFrame()) this.mainFrame.url = toAppUrl(frame.url());
    });
    await page.goto(toPageUrl(url));
  }

  /** What a page that got around the preload might send: a message with any sender. */
  receiveFrom(senderFrame: { url: string } | null, channel: string): void {
    ipcMain.emit(channel, { sender: this, senderFrame, ports: [] });
  }

  #receive(message: FromPage): void {
    if (message.kind === 'new-document') {
      const old = this.#relay;
      this.#relay = this.#newRelay();
      old.closeAll();
    } else if (message.kind === 'open') {
      const url = toAppUrl(message.url);
      record('windowOpen', url, this.#mayOpen({ url }).action);
    } else if (message.kind === 'ipc') {
      ipcMain.emit(
        message.channel,
        { sender: this, senderFrame: this.mainFrame, ports: [] },
        ...message.args,
      );
    } else this.#relay.handle(message);
  }

  #send(message: ToPage): void {
    const deliver = (text: string) => Reflect.get(window, Symbol.for('benchberry.double'))(JSON.parse(text));
    // A page that is going away loses its messages.
    this.page?.evaluate(deliver, JSON.stringify(message)).catch(() => undefined);
  }

  #newRelay(): PortRelay {
    // The ports of a document that is gone have the numbers of the next one's: nothing of theirs may reach it.
    const relay = new PortRelay(1, (message) => {
      if (this.#relay === relay) this.#send(message);
    });
    return relay;
  }
}

const windows = new Set<BrowserWindow>();

onNavigation((page, url) => {
  const window = [...windows].find((each) => each.webContents.page === page);
  // The app's own loadURL asks nobody.
  if (!window || window.webContents.mainFrame.url === '') return true;
  const details = preventable({ url, isMainFrame: true });
  window.webContents.emit('will-navigate', details);
  record('willNavigate', url, details.defaultPrevented);
  return !details.defaultPrevented;
});

export class BrowserWindow extends EventEmitter {
  readonly webContents = new WebContents();
  readonly #options: Options;
  #bounds: { x: number; y: number; width: number; height: number };
  #visible: boolean;
  #minimized = false;
  #maximized = false;

  static getAllWindows(): BrowserWindow[] {
    return [...windows];
  }

  constructor(options: Options) {
    super();
    record('BrowserWindow', options);
    this.#options = options;
    const { x = 0, y = 0, width, height } = options;
    this.#bounds = { x, y, width, height };
    this.#visible = options.show ?? true;
    windows.add(this);
    app.emit('web-contents-created', {}, this.webContents);
    app.emit('browser-window-created', {}, this);
  }

  async loadURL(url: string): Promise<void> {
    record('loadURL', url);
    await this.webContents.open(this.#options.webPreferences?.preload, url);
    this.emit('ready-to-show');
  }

  show(): void {
    this.#visible = true;
    record('window.show');
  }
  focus(): void {
    record('window.focus');
  }
  minimize(): void {
    this.#minimized = true;
  }
  restore(): void {
    this.#minimized = false;
    record('window.restore');
  }
  maximize(): void {
    this.#maximized = true;
    record('window.maximize');
    this.emit('maximize');
  }
  isVisible = () => this.#visible;
  isMinimized = () => this.#minimized;
  isMaximized = () => this.#maximized;
  getNormalBounds = () => this.#bounds;
  setBounds(bounds: Partial<Options>): void {
    this.#bounds = { ...this.#bounds, ...bounds };
    this.emit('move');
    this.emit('resize');
  }

  /** Answers whether it is closed: a listener may want it to stay. */
  close(): boolean {
    const event = preventable({});
    this.emit('close', event);
    if (event.defaultPrevented) return false;
    windows.delete(this);
    void this.webContents.page?.close();
    this.emit('closed');
    if (windows.size === 0) app.emit('window-all-closed');
    return true;
  }
}
