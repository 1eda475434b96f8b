import type { MessagePortMain } from 'electron';
import { serveApi } from '../../src-shared/contract/server.ts';
import { toAppError } from '../../src-shared/errors.ts';
import { type App, createApp } from '../app/createApp.ts';
import { type FromCore, type ToCore, toCoreSchema } from './coreMessages.ts';
import { portChannel } from './portChannel.ts';
import { secretsOverPort } from './secretsPort.ts';

/** Entry of the core's own process: whatever it does, no window waits for it. */
const main = process.parentPort;
let starting: Promise<App> | null = null;

async function start(message: ToCore & { kind: 'start' }, secretsPort: MessagePortMain): Promise<void> {
  const secrets = secretsOverPort(portChannel(secretsPort), message.secrets);
  starting = createApp({ dataFolder: message.dataFolder, secrets });
  try {
    await starting;
  } catch (error) {
    const failed: FromCore = { kind: 'failed', error: toAppError(error).toData() };
    main.postMessage(failed);
  }
}

async function addClient(port: MessagePortMain): Promise<void> {
  try {
    const app = await starting;
    if (app) serveApi(portChannel(port), app.handlers, app.events);
  } catch {
    // `start` has told main why.
    port.close();
  }
}

async function close(): Promise<void> {
  const app = await starting?.catch(() => null);
  await app?.close();
  process.exit(0);
}

main.on('message', ({ data, ports }) => {
  const message = toCoreSchema.parse(data);
  const [port] = ports;
  if (message.kind === 'start' && port) void start(message, port);
  if (message.kind === 'client' && port) void addClient(port);
  if (message.kind === 'close') void close();
});
