import { contextBridge, type IpcRendererEvent, ipcRenderer, webUtils } from 'electron';
import {
  bridgeName,
  type DesktopBridge,
  portChannel,
  requestPortChannel,
} from '../../src-shared/contract/bridge.ts';

/** The page's window, as far as this script needs it; the other folders of the core know no DOM. */
declare const window: {
  location: { origin: string };
  postMessage(message: string, targetOrigin: string, transfer: IpcRendererEvent['ports']): void;
};

const bridge: DesktopBridge = {
  requestPort: () => ipcRenderer.send(requestPortChannel),
  pathOf: (file) => (file instanceof File ? webUtils.getPathForFile(file) : ''),
};

contextBridge.exposeInMainWorld(bridgeName, bridge);
ipcRenderer.on(portChannel, (event) => window.postMessage(portChannel, window.location.origin, event.ports));
