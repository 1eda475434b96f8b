import type { Api, Handlers } from '../../src-shared/contract/api.ts';
import { directApi, type EventSource } from '../../src-shared/contract/server.ts';
import { clientMachine } from '../runs/client.ts';
import { createRunner } from '../runs/createRunner.ts';
import { interruptOrphans } from '../runs/interrupt.ts';
import { currentOwner } from '../runs/owner.ts';
import { removeLogs } from '../runs/transactionLogs.ts';
import { openStore } from '../store/openStore.ts';
import type { Store } from '../store/repositories.ts';
import { toolVersion } from './assets.ts';
import { catalogHandlers } from './catalog.ts';
import { comparisonHandlers } from './comparisons.ts';
import type { AppContext } from './context.ts';
import { makeDataFolder } from './dataFolder.ts';
import { createEvents, type Publish } from './events.ts';
import { exchangeHandlers } from './exchange.ts';
import { fileHandlers } from './files.ts';
import { createHostDirectory, hostSecretIds } from './hostDirectory.ts';
import { hostHandlers } from './hosts.ts';
import { infoHandlers } from './info.ts';
import { openLog } from './log.ts';
import { planHandlers } from './plans.ts';
import { openExecutor, provisionHandlers } from './provision.ts';
import { rackHandlers } from './racks.ts';
import { runHandlers } from './runs.ts';
import { sandboxHandlers, stopManagedServers } from './sandbox.ts';
import type { SecretStore } from './secrets.ts';
import { seriesHandlers } from './series.ts';
import { interruptSeries } from './seriesRunner.ts';
import { storageHandlers } from './storage.ts';
import { createTargetDirectory } from './targetDirectory.ts';
import { targetHandlers } from './targets.ts';
import { watchStore } from './watchStore.ts';
import { wrapHandlers } from './wrapHandlers.ts';

/** The core with everything wired: what a front door needs and nothing else. */
export interface App {
  /** For doors in this process. */
  api: Api;
  /** For doors that serve a channel (`serveApi`). */
  handlers: Handlers;
  events: EventSource;
  /** Stops a run that is on (it is kept as stopped), the built-in server, and closes the store. May be called twice. */
  close(): Promise<void>;
}

/** How long what was removed can be brought back, at least. */
const restorableMs = 24 * 60 * 60 * 1000;

/** @throws AppError of `makeDataFolder` and `openStore` */
export async function createApp(options: { dataFolder: string; secrets: SecretStore }): Promise<App> {
  const { dataFolder, secrets } = options;
  makeDataFolder(dataFolder);
  const { log, close: closeLog } = openLog(dataFolder);
  const events = createEvents((error) => log.error('A listener of an event failed', { error }));
  const { publish } = events;
  const now = () => new Date();
  let store: Store;
  try {
    store = await openData(dataFolder, secrets, publish, now());
  } catch (error) {
    log.error('The start failed', { error });
    closeLog();
    throw error;
  }
  log.info('Started', { version: toolVersion, notices: store.notices });

  const runner = createRunner({
    runs: store.runs,
    publish,
    client: clientMachine(toolVersion),
    owner: currentOwner(),
    dataFolder,
  });
  events.on('run.changed', ({ head, final }) => {
    if (!final) return;
    log.info(`Run ${head.status}`, { id: head.id, verdicts: head.verdicts.map(({ code }) => code) });
    publish('lists.changed', { what: 'runs' });
  });

  const context: AppContext = { dataFolder, store, secrets, runner, publish, log, now };
  const directory = createTargetDirectory(context);
  const hosts = createHostDirectory(context);
  const executor = openExecutor(context, hosts);
  const handlers = wrapHandlers(
    {
      ...infoHandlers(context),
      ...storageHandlers(context),
      ...catalogHandlers(),
      ...fileHandlers(),
      ...targetHandlers(context, directory),
      ...sandboxHandlers(context),
      ...planHandlers(context, directory),
      ...runHandlers(context, directory, hosts),
      ...exchangeHandlers(context),
      ...rackHandlers(context, directory, hosts),
      ...seriesHandlers(context, directory, hosts),
      ...comparisonHandlers(context),
      ...hostHandlers(context, hosts),
      ...provisionHandlers(context, hosts, executor),
    },
    publish,
    log,
  );

  const stopWatching = watchStore(store, publish, log);
  async function closeAll(): Promise<void> {
    stopWatching();
    try {
      await runner.close();
      await executor.close();
      await stopManagedServers();
    } finally {
      store.close();
      log.info('Closed');
      closeLog();
    }
  }
  let closing: Promise<void> | null = null;
  return {
    api: directApi(handlers, events),
    handlers,
    events,
    close() {
      closing ??= closeAll();
      return closing;
    },
  };
}

/** The store, without what was removed for good, and with the runs of killed processes ended. */
async function openData(
  dataFolder: string,
  secrets: SecretStore,
  publish: Publish,
  now: Date,
): Promise<Store> {
  const store = openStore(dataFolder, {
    onNotice: (text) => publish('notice', { level: 'warning', text, error: null }),
  });
  try {
    const { runs, targets, hosts } = store.purge(new Date(now.getTime() - restorableMs));
    removeLogs(dataFolder, runs);
    for (const id of [...targets, ...hosts.flatMap(hostSecretIds)]) await secrets.remove(id);
    interruptOrphans(store.runs);
    store.racks.endOrphans(now.toISOString());
    interruptSeries(store, now.toISOString());
    return store;
  } catch (error) {
    store.close();
    throw error;
  }
}
