import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { BrowserWindow, nativeTheme, screen } from 'electron';
import { appUrl } from './origin.ts';
import { placeWindow, readWindowState, smallest, writeWindowState } from './windowState.ts';

export interface MainWindow {
  /** Opens the window, or brings it to the front. */
  show(): void;
  /** null while it is closed. */
  current(): BrowserWindow | null;
}

const preload = fileURLToPath(new URL('../preload/preload.cjs', import.meta.url));
const saveDelayMs = 500;

/** The app's one window. Its place is kept in the data folder. */
export function createMainWindow(dataFolder: string): MainWindow {
  const stateFile = join(dataFolder, 'desktop', 'window.json');
  let window: BrowserWindow | null = null;

  function open(): BrowserWindow {
    const state = readWindowState(stateFile);
    const areas = [screen.getPrimaryDisplay(), ...screen.getAllDisplays()].map((display) => display.workArea);
    const opened = new BrowserWindow({
      ...placeWindow(state, areas),
      minWidth: smallest.width,
      minHeight: smallest.height,
      show: false,
      title: 'Benchberry',
      // The page's own background: nothing flashes before it is drawn.
      backgroundColor: nativeTheme.shouldUseDarkColors ? '#141517' : '#ffffff',
      autoHideMenuBar: true,
      webPreferences: {
        preload,
        contextIsolation: true,
        sandbox: true,
        nodeIntegration: false,
        nodeIntegrationInWorker: false,
        nodeIntegrationInSubFrames: false,
        webSecurity: true,
        allowRunningInsecureContent: false,
        webviewTag: false,
        navigateOnDragDrop: false,
        spellcheck: false,
      },
    });
    if (state?.maximized) opened.maximize();
    opened.once('ready-to-show', () => opened.show());
    opened.webContents.on('render-process-gone', (_, details) => {
      if (details.reason !== 'clean-exit') opened.webContents.reload();
    });
    keepState(opened, stateFile);
    opened.once('closed', () => {
      window = null;
    });
    void opened.loadURL(appUrl);
    return opened;
  }

  return {
    show() {
      window ??= open();
      if (window.isMinimized()) window.restore();
      if (window.isVisible()) window.focus();
    },
    current: () => window,
  };
}

function keepState(window: BrowserWindow, file: string): void {
  let timer: NodeJS.Timeout | undefined;
  function save(): void {
    clearTimeout(timer);
    timer = undefined;
    writeWindowState(file, { ...window.getNormalBounds(), maximized: window.isMaximized() });
  }
  function saveSoon(): void {
    clearTimeout(timer);
    timer = setTimeout(save, saveDelayMs);
  }
  window.on('resize', saveSoon);
  window.on('move', saveSoon);
  window.on('maximize', saveSoon);
  window.on('unmaximize', saveSoon);
  window.on('close', save);
  window.on('closed', () => clearTimeout(timer));
}
