import { type IpcMainEvent, ipcMain } from 'electron';
import { isAppUrl } from './origin.ts';

/** Channels of the app; nothing else is listened to. */
const prefix = 'benchberry:';

/** Listens to a channel of the page. Messages of other origins and of frames inside the page are ignored. */
export function onPageMessage(
  channel: `${typeof prefix}${string}`,
  listener: (event: IpcMainEvent) => void,
): void {
  ipcMain.on(channel, (event) => {
    if (isFromPage(event)) listener(event);
  });
}

function isFromPage({ sender, senderFrame }: IpcMainEvent): boolean {
  return senderFrame !== null && senderFrame === sender.mainFrame && isAppUrl(senderFrame.url);
}
