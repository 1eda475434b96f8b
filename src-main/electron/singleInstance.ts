import { join } from 'node:path';
import { app } from 'electron';
import type { MainWindow } from './mainWindow.ts';

/**
 * One desktop app for one data folder: answers false, and quits, when there is one already. Chromium's own files lie in
 * the data folder too, so that it is all there is to remove.
 */
export function becomeOnlyInstance(dataFolder: string): boolean {
  app.setPath('userData', join(dataFolder, 'desktop'));
  const only = app.requestSingleInstanceLock();
  if (!only) app.quit();
  return only;
}

/** A second start, or a click in macOS's dock, brings the window to the front. */
export function showOnSecondStart(window: MainWindow): void {
  app.on('second-instance', () => window.show());
  app.on('activate', () => window.show());
  app.on('window-all-closed', () => {
    if (process.platform !== 'darwin') app.quit();
  });
}
