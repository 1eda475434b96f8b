import { fileURLToPath } from 'node:url';
import {
  app,
  dialog,
  MessageChannelMain,
  type MessagePortMain,
  type UtilityProcess,
  utilityProcess,
} from 'electron';
import type { ErrorData } from '../../src-shared/errors.ts';
import type { SecretStore } from '../app/secrets.ts';
import { fromCoreSchema, type ToCore } from './coreMessages.ts';
import type { MainWindow } from './mainWindow.ts';
import { portChannel } from './portChannel.ts';
import { serveSecrets } from './secretsPort.ts';

export interface CoreProcess {
  start(): void;
  /** Connects a client; the port is closed when the core ends. */
  addClient(port: MessagePortMain): void;
  /** Called at each start, the ones after a crash included. */
  onStart(listener: () => void): void;
  /** Lets the core end its work; resolves when its process is gone. */
  close(): Promise<void>;
}

interface Options {
  dataFolder: string;
  secrets: SecretStore;
  window: MainWindow;
}

const entry = fileURLToPath(new URL('./core.js', import.meta.url));
/** A run must be cancelled and its figures written; a server that does not answer must not keep the app for ever. */
const closeMs = 20_000;
const maxCrashes = 3;
const crashWindowMs = 60_000;

/** The core in a process of its own. When it crashes it is started again and the user is told. */
export function createCoreProcess({ dataFolder, secrets, window }: Options): CoreProcess {
  const listeners: (() => void)[] = [];
  let child: UtilityProcess | null = null;
  let closing = false;
  let crashes: number[] = [];

  function start(): void {
    const started = utilityProcess.fork(entry, [], { serviceName: 'Benchberry core' });
    child = started;
    const { port1, port2 } = new MessageChannelMain();
    serveSecrets(portChannel(port1), secrets);
    const { kind, detail } = secrets;
    tell(started, { kind: 'start', dataFolder, secrets: { kind, detail } }, port2);
    started.on('message', (data: unknown) => void giveUp(fromCoreSchema.parse(data).error));
    started.once('exit', (code) => {
      child = null;
      if (!closing) restart(code);
    });
    for (const listener of listeners) listener();
  }

  function restart(code: number): void {
    const now = Date.now();
    crashes = [...crashes.filter((at) => now - at < crashWindowMs), now];
    const detail = `Its process ended with code ${code}. A run that was on is listed as interrupted, with what was measured.`;
    if (crashes.length > maxCrashes) {
      void giveUp({ code: 'internal', message: 'The Benchberry core stops again and again', detail });
      return;
    }
    start();
    void show('warning', 'The Benchberry core stopped unexpectedly and was started again', detail);
  }

  /** Without a core there is nothing the window could show. */
  async function giveUp({ message, detail, hint }: ErrorData): Promise<void> {
    closing = true;
    await show('error', message, [detail, hint].filter(Boolean).join('\n'));
    app.quit();
  }

  async function show(type: 'warning' | 'error', message: string, detail: string): Promise<void> {
    const parent = window.current();
    const options = { type, message, detail, buttons: ['OK'], noLink: true };
    await (parent ? dialog.showMessageBox(parent, options) : dialog.showMessageBox(options));
  }

  return {
    start,
    addClient(port) {
      if (child) tell(child, { kind: 'client' }, port);
      else port.close();
    },
    onStart: (listener) => void listeners.push(listener),
    async close() {
      closing = true;
      const ending = child;
      if (!ending) return;
      const ended = new Promise<void>((resolve) => ending.once('exit', () => resolve()));
      tell(ending, { kind: 'close' });
      const timer = setTimeout(() => ending.kill(), closeMs);
      await ended;
      clearTimeout(timer);
    },
  };
}

function tell(child: UtilityProcess, message: ToCore, port?: MessagePortMain): void {
  child.postMessage(message, port ? [port] : []);
}
