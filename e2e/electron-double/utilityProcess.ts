import { type ChildProcess, fork } from 'node:child_process';
import { EventEmitter } from 'node:events';
import { fileURLToPath } from 'node:url';
import { type PortMain, PortRelay, type RelayMessage } from './ports.ts';
import { record } from './record.ts';

export type UtilityMessage = RelayMessage | { kind: 'message'; data: unknown; ports: number[] };

const preparation = fileURLToPath(new URL('./utilityMain.ts', import.meta.url));
const children = new Set<UtilityProcess>();

/** A utility process as a process of Node, with a `process.parentPort` and ports that are relayed. */
class UtilityProcess extends EventEmitter {
  readonly #child: ChildProcess;
  readonly #relay: PortRelay;

  constructor(path: string, args: readonly string[]) {
    super();
    this.#child = fork(path, args, {
      execArgv: ['--import', preparation],
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    });
    this.#relay = new PortRelay(1, (message) => this.#send(message));
    this.#child.on('message', (message: UtilityMessage) => {
      if (message.kind === 'message') this.emit('message', message.data);
      else this.#relay.handle(message);
    });
    this.#child.once('exit', (code, signal) => {
      children.delete(this);
      this.#relay.closeAll();
      this.emit('exit', code ?? (signal === null ? 0 : 128));
    });
    children.add(this);
  }

  get pid(): number | undefined {
    return this.#child.pid;
  }

  postMessage(data: unknown, ports: PortMain[] = []): void {
    this.#send({ kind: 'message', data, ports: ports.map((port) => this.#relay.give(port)) });
  }

  kill(signal: NodeJS.Signals = 'SIGTERM'): boolean {
    return this.#child.kill(signal);
  }

  #send(message: UtilityMessage): void {
    if (this.#child.connected) this.#child.send(message);
  }
}

export const utilityProcess = {
  fork(path: string, args: readonly string[] = [], options: object = {}): UtilityProcess {
    record('utilityProcess.fork', path, args, options);
    return new UtilityProcess(path, args);
  },
};

/** As a crash would. */
export function killChildren(): void {
  for (const child of children) child.kill('SIGKILL');
}
