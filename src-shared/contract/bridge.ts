/** What the preload script of the desktop app gives the page; nothing else of Electron is within its reach. */
export interface DesktopBridge {
  /** Asks the main process for a new MessagePort to the core; it arrives as a `message` event of the window. */
  requestPort(): void;
  /** Where a file lies that was chosen or dropped, a `File` of the page; empty for one that lies nowhere. */
  pathOf(file: object): string;
}

/** Name of the bridge on the page's `window`. */
export const bridgeName = 'benchberry';
/** Page → main: asks for a port. Main → preload → page: brings it. All of the app's channels begin with `benchberry:`. */
export const requestPortChannel = 'benchberry:request-port';
export const portChannel = 'benchberry:port';

/** Path of the WebSocket that `serve` offers. */
export const socketPath = '/api';
/** One message of the contract on any transport, in bytes: room for a run of some hours that is imported. */
export const maxRequestBytes = 64 * 1024 * 1024;
