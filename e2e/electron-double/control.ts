import { app } from './app.ts';
import { BrowserWindow } from './browserWindow.ts';
import { browser } from './chromium.ts';
import { record, recorded } from './record.ts';
import { killChildren } from './utilityProcess.ts';

/** What a test asks of the stand-in: to act as the user or the system would, or to tell what the app has asked. */
export const operations = {
  port: async () => (await browser()).port,
  calls: () => recorded(),
  blockers: () => [...powerSaveBlockers.values()],
  openDialogs: () => questions.map(({ options }) => options),
  answer(response: number) {
    questions.shift()?.resolve({ response });
  },
  quit: () => app.quit(),
  closeWindow: () => BrowserWindow.getAllWindows()[0]?.close(),
  minimize: () => BrowserWindow.getAllWindows()[0]?.minimize(),
  moveWindow: (bounds: { x: number; y: number; width: number; height: number }) =>
    BrowserWindow.getAllWindows()[0]?.setBounds(bounds),
  killCore: () => killChildren(),
  /** As if another frame had sent a message; null: a frame that is gone. */
  sendFrom({ url, channel }: { url: string | null; channel: string }) {
    BrowserWindow.getAllWindows()[0]?.webContents.receiveFrom(url === null ? null : { url }, channel);
  },
  permission(name: string) {
    const contents = BrowserWindow.getAllWindows()[0]?.webContents;
    let granted = false;
    permissions.request?.(contents, name, (answer) => {
      granted = answer;
    });
    return { request: granted, check: permissions.check?.(contents, name) ?? true };
  },
};

export const powerSaveBlockers = new Map<number, string>();

export const permissions: {
  request: ((contents: unknown, name: string, grant: (granted: boolean) => void) => void) | null;
  check: ((contents: unknown, name: string) => boolean) | null;
} = { request: null, check: null };

interface Question {
  options: unknown;
  resolve: (answer: { response: number }) => void;
}
const questions: Question[] = [];

/** Dialogs wait for the test to answer. */
export const dialog = {
  showMessageBox(...args: unknown[]): Promise<{ response: number }> {
    const options = args.at(-1);
    record('showMessageBox', options);
    return new Promise((resolve) => questions.push({ options, resolve }));
  },
  showErrorBox: (title: string, content: string) => {
    record('showErrorBox', title, content);
    process.stderr.write(`${title}: ${content}\n`);
  },
};

export type Operation = keyof typeof operations;
export interface Order {
  id: number;
  name: Operation;
  argument?: never;
}

export function listenToTest(): void {
  process.on('message', async ({ id, name, argument }: Order) => {
    const operation: (argument: never) => unknown = operations[name];
    const value = await operation(argument as never);
    process.send?.({ id, value });
  });
}
