import { EventEmitter } from 'node:events';

interface PortMessage {
  data: unknown;
  ports: PortMain[];
}

/** MessagePortMain: what comes before `start` waits, and closing one end closes the other. */
export class PortMain extends EventEmitter {
  #other: PortMain | null = null;
  #waiting: PortMessage[] | null = [];
  #closed = false;

  static pair(): [PortMain, PortMain] {
    const [a, b] = [new PortMain(), new PortMain()];
    a.#other = b;
    b.#other = a;
    return [a, b];
  }

  postMessage(data: unknown, ports: PortMain[] = []): void {
    const other = this.#other;
    // As in Electron: the other side hears of it later, and has its own copy.
    if (!this.#closed) setImmediate(() => other?.receive({ data: structuredClone(data), ports }));
  }

  start(): void {
    const waiting = this.#waiting;
    this.#waiting = null;
    for (const message of waiting ?? []) this.emit('message', message);
  }

  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    const other = this.#other;
    setImmediate(() => {
      this.emit('close');
      other?.close();
    });
  }

  /** For the other end. */
  receive(message: PortMessage): void {
    if (this.#closed) return;
    if (this.#waiting) this.#waiting.push(message);
    else this.emit('message', message);
  }
}

export class MessageChannelMain {
  readonly port1: PortMain;
  readonly port2: PortMain;
  constructor() {
    [this.port1, this.port2] = PortMain.pair();
  }
}

/** Ports whose other end is in another process, by their numbers there and here. */
export class PortRelay {
  readonly #ports = new Map<number, PortMain>();
  readonly #send: (message: RelayMessage) => void;
  #next: number;

  /** @param first odd on one side and even on the other, so that both can number ports */
  constructor(first: 1 | 2, send: (message: RelayMessage) => void) {
    this.#next = first;
    this.#send = send;
  }

  /** A port is transferred away: from now on its messages are relayed. Answers its number. */
  give(port: PortMain): number {
    const id = this.#next;
    this.#next += 2;
    this.#attach(id, port);
    return id;
  }

  /** A port has been transferred here. */
  take(id: number): PortMain {
    const [mine, theirs] = PortMain.pair();
    this.#attach(id, theirs);
    return mine;
  }

  handle(message: RelayMessage): void {
    const port = this.#ports.get(message.port);
    if (message.kind === 'port-message') port?.postMessage(message.data);
    else port?.close();
  }

  /** The other process is gone. */
  closeAll(): void {
    for (const port of this.#ports.values()) port.close();
  }

  #attach(id: number, port: PortMain): void {
    this.#ports.set(id, port);
    port.on('message', ({ data }: PortMessage) => this.#send({ kind: 'port-message', port: id, data }));
    port.once('close', () => {
      this.#ports.delete(id);
      this.#send({ kind: 'port-close', port: id });
    });
    port.start();
  }
}

export type RelayMessage =
  | { kind: 'port-message'; port: number; data: unknown }
  | { kind: 'port-close'; port: number };
