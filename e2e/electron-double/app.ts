import { EventEmitter } from 'node:events';
import { mkdirSync, readFileSync, rmSync, watch, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { preventable, record } from './record.ts';

const paths = new Map<string, string>([['userData', join(tmpdir(), 'benchberry-double')]]);
const ready = Promise.withResolvers<void>();
let lock: string | null = null;
/** Set by the window's module, which needs this one. */
export const closing = { windows: (): boolean => true, browser: async (): Promise<void> => undefined };

class App extends EventEmitter {
  whenReady = (): Promise<void> => ready.promise;
  getPath = (name: string): string => paths.get(name) ?? tmpdir();
  setPath = (name: string, path: string): void => void paths.set(name, path);

  /** One process for one `userData`: a file with the owner's pid, and another one by which a later process calls it. */
  requestSingleInstanceLock(): boolean {
    const folder = this.getPath('userData');
    mkdirSync(folder, { recursive: true });
    const file = join(folder, 'double.lock');
    const call = join(folder, 'double.call');
    const owner = readOwner(file);
    if (owner !== null) {
      writeFileSync(call, String(process.pid));
      record('requestSingleInstanceLock', false);
      return false;
    }
    writeFileSync(file, String(process.pid));
    lock = file;
    watch(folder, (_, name) => {
      if (name === 'double.call' && readOwner(call) !== process.pid) this.emit('second-instance');
    }).unref();
    record('requestSingleInstanceLock', true);
    return true;
  }

  quit(): void {
    record('app.quit');
    const event = preventable({});
    this.emit('before-quit', event);
    if (event.defaultPrevented || !closing.windows()) return;
    this.exit(0);
  }

  exit(code = 0): void {
    record('app.exit', code);
    if (lock) rmSync(lock, { force: true });
    void closing.browser().then(() => process.exit(code));
  }
}

/** A process that is alive, by the pid in a file; null for none. */
function readOwner(file: string): number | null {
  try {
    const pid = Number(readFileSync(file, 'utf8'));
    process.kill(pid, 0);
    return pid;
  } catch {
    return null;
  }
}

export const app = new App();

/** As in Electron: only once the main module has run. */
export function becomeReady(): void {
  ready.resolve();
  app.emit('ready');
}
