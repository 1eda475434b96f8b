import { app, dialog } from 'electron';
import { toAppError } from '../../src-shared/errors.ts';
import { dataFolder } from '../app/dataFolder.ts';
import { createAppProtocol } from './appProtocol.ts';
import { createCoreProcess } from './coreProcess.ts';
import { handOverPorts } from './handOverPorts.ts';
import { lockDownContents } from './lockDown.ts';
import { createMainWindow } from './mainWindow.ts';
import { installMenu } from './menu.ts';
import { stayAwakeDuringRuns } from './powerSave.ts';
import { askBeforeQuitting } from './quitting.ts';
import { osSecrets } from './secrets.ts';
import { becomeOnlyInstance, showOnSecondStart } from './singleInstance.ts';
import { watchRuns } from './watchRuns.ts';

const folder = dataFolder();
const protocol = createAppProtocol();

async function start(): Promise<void> {
  lockDownContents();
  await protocol.handle();
  const window = createMainWindow(folder);
  const core = createCoreProcess({ dataFolder: folder, secrets: await osSecrets(folder), window });
  const runs = watchRuns(core);
  stayAwakeDuringRuns(runs);
  askBeforeQuitting({ runs, core, window });
  handOverPorts(core);
  installMenu({ dataFolder: folder });
  showOnSecondStart(window);
  core.start();
  window.show();
}

// Not awaited at the top level: Electron becomes ready only after this module has ended.
if (becomeOnlyInstance(folder)) {
  app
    .whenReady()
    .then(start)
    .catch((error: unknown) => {
      const { message, detail } = toAppError(error);
      dialog.showErrorBox('Benchberry could not start', [message, detail].filter(Boolean).join('\n'));
      app.exit(1);
    });
}
