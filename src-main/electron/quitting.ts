import { app, dialog } from 'electron';
import type { CoreProcess } from './coreProcess.ts';
import type { MainWindow } from './mainWindow.ts';
import type { RunWatch } from './watchRuns.ts';

interface Parts {
  runs: RunWatch;
  core: CoreProcess;
  window: MainWindow;
}

/** Every way of quitting asks while a run is on, then lets the core end its work before the app goes. */
export function askBeforeQuitting({ runs, core, window }: Parts): void {
  let state: 'open' | 'leaving' | 'left' = 'open';

  async function leave(): Promise<void> {
    if (runs.isOn() && !(await mayStopRun(window))) {
      state = 'open';
      return;
    }
    await core.close();
    state = 'left';
    app.quit();
  }

  app.on('before-quit', (event) => {
    if (state === 'left') return;
    event.preventDefault();
    if (state === 'leaving') return;
    state = 'leaving';
    void leave();
  });
  // Elsewhere the last window takes the app with it, and there would be none left for the question.
  if (process.platform === 'darwin') return;
  app.on('browser-window-created', (_, created) => {
    created.on('close', (event) => {
      if (state === 'left') return;
      event.preventDefault();
      app.quit();
    });
  });
}

async function mayStopRun(window: MainWindow): Promise<boolean> {
  const options = {
    type: 'warning' as const,
    message: 'A benchmark is running',
    detail: 'Quitting stops it. What was measured so far is kept, and the run is listed as stopped.',
    buttons: ['Keep running', 'Stop it and quit'],
    defaultId: 0,
    cancelId: 0,
    noLink: true,
  };
  const parent = window.current();
  const { response } = await (parent
    ? dialog.showMessageBox(parent, options)
    : dialog.showMessageBox(options));
  return response === 1;
}
