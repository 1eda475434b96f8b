import { createHash } from 'node:crypto';
import { EventEmitter } from 'node:events';
import { app, becomeReady, closing } from './app.ts';
import { BrowserWindow } from './browserWindow.ts';
import { closeBrowser } from './chromium.ts';
import { dialog, listenToTest, permissions, powerSaveBlockers } from './control.ts';
import { record } from './record.ts';

// The stand-in for the `electron` module: what the app uses of it, on Chromium.
export { app } from './app.ts';
export { BrowserWindow } from './browserWindow.ts';
export { protocol } from './chromium.ts';
export { dialog } from './control.ts';
export { ipcMain } from './ipcMain.ts';
export { MessageChannelMain } from './ports.ts';
export { utilityProcess } from './utilityProcess.ts';

export const Menu = {
  buildFromTemplate: (template: unknown) => template,
  setApplicationMenu: (menu: unknown) => record('setApplicationMenu', menu),
};

export const shell = {
  openExternal: async (url: string) => record('openExternal', url),
  openPath: async (path: string) => record('openPath', path),
};

export const nativeTheme = { shouldUseDarkColors: false };

const display = { workArea: { x: 0, y: 0, width: 1920, height: 1040 } };
export const screen = { getPrimaryDisplay: () => display, getAllDisplays: () => [display] };

export const powerSaveBlocker = {
  start(type: string): number {
    const id = powerSaveBlockers.size + 1;
    powerSaveBlockers.set(id, type);
    record('powerSaveBlocker.start', type);
    return id;
  },
  stop(id: number): void {
    powerSaveBlockers.delete(id);
    record('powerSaveBlocker.stop');
  },
};

export const session = {
  defaultSession: Object.assign(new EventEmitter(), {
    setPermissionRequestHandler: (handler: typeof permissions.request) => {
      permissions.request = handler;
    },
    setPermissionCheckHandler: (handler: typeof permissions.check) => {
      permissions.check = handler;
    },
    setDevicePermissionHandler: (handler: () => boolean) => record('devicePermission', handler()),
    setDisplayMediaRequestHandler: (handler: null) => record('displayMedia', handler),
  }),
};

/** No secrecy here: only that what is written is not the text itself, and that it comes back. */
const pad = createHash('sha512').update('a key store').digest();
const mix = (bytes: Buffer) => Buffer.from(bytes.map((byte, i) => byte ^ (pad[i % pad.length] ?? 0)));
export const safeStorage = {
  getSelectedStorageBackend: () => process.env.DOUBLE_KEY_STORE ?? 'basic_text',
  isAsyncEncryptionAvailable: async () => true,
  encryptStringAsync: async (text: string) => mix(Buffer.from(text)),
  decryptStringAsync: async (bytes: Buffer) => ({ result: mix(bytes).toString(), shouldReEncrypt: false }),
};

closing.windows = () => BrowserWindow.getAllWindows().every((window) => window.close());
closing.browser = closeBrowser;
listenToTest();
// The main module that imports this one runs to its end first.
setImmediate(becomeReady);
void app;
void dialog;
