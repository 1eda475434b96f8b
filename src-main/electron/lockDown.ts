import { app, session } from 'electron';
import { openExternal } from './externalLinks.ts';
import { isAppUrl } from './origin.ts';

/** Whatever a page tries: it stays where it is, opens nothing, embeds nothing and is granted nothing but its clipboard. Call once the app is ready. */
export function lockDownContents(): void {
  app.on('web-contents-created', (_, contents) => {
    contents.on('will-navigate', (details) => {
      if (!isAppUrl(details.url)) details.preventDefault();
    });
    contents.on('will-frame-navigate', (details) => {
      if (!details.isMainFrame || !isAppUrl(details.url)) details.preventDefault();
    });
    contents.on('will-redirect', (details) => details.preventDefault());
    contents.on('will-attach-webview', (event) => event.preventDefault());
    contents.setWindowOpenHandler(({ url }) => {
      openExternal(url);
      return { action: 'deny' };
    });
  });
  const { defaultSession } = session;
  // Writing text to the clipboard, from a click, is what the copy buttons do.
  defaultSession.setPermissionRequestHandler((contents, permission, grant) =>
    grant(permission === 'clipboard-sanitized-write' && isAppUrl(contents.getURL())),
  );
  defaultSession.setPermissionCheckHandler(
    (contents, permission) =>
      permission === 'clipboard-sanitized-write' && contents !== null && isAppUrl(contents.getURL()),
  );
  defaultSession.setDevicePermissionHandler(() => false);
  defaultSession.setDisplayMediaRequestHandler(null);
  defaultSession.on('will-download', (event, item) => {
    // Files the page made itself (exports) are blobs of its own origin.
    if (!item.getURL().startsWith('blob:app://')) event.preventDefault();
  });
}
