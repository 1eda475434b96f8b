import type { Api } from '../src-shared/contract/api.ts';
import { type DesktopBridge, portChannel, socketPath } from '../src-shared/contract/bridge.ts';
import type { Channel } from '../src-shared/contract/channel.ts';
import { connectApi } from '../src-shared/contract/client.ts';
import type { EventData, EventName } from '../src-shared/contract/commands.ts';
import { AppError } from '../src-shared/errors.ts';

declare global {
  interface Window {
    /** There in the desktop app only. */
    readonly benchberry?: DesktopBridge;
  }
}

/** `lost`: the core is out of reach; a new connection is tried again and again until it is `open`. */
export type ConnectionState = 'connecting' | 'open' | 'lost';

const retryMs = 1000;
const openTimeoutMs = 10_000;
let state: ConnectionState = 'connecting';
const watchers = new Set<() => void>();

/** The state of the connection, made for React's `useSyncExternalStore`. */
export const connection = {
  get: (): ConnectionState => state,
  subscribe(watcher: () => void): () => void {
    watchers.add(watcher);
    return () => void watchers.delete(watcher);
  },
};

function become(next: ConnectionState): void {
  state = next;
  for (const watcher of watchers) watcher();
}

/**
 * Connects with the core: over the MessagePort of the desktop app where there is a preload, else over the WebSocket of
 * `serve`. The Api stays usable for the life of the page: when the connection is lost, pending calls and new ones are
 * rejected with `connection-lost`, `connection` says `lost`, and once the core answers again the subscriptions go on.
 * Rejects with `connection-lost` when there is no first connection.
 */
export async function connect(): Promise<Api> {
  const listeners = new Map<EventName, Set<(data: never) => void>>();
  let current: Api;

  async function open(): Promise<void> {
    const channel = window.benchberry ? await openPort(window.benchberry) : await openSocket();
    const api = connectApi(channel, () => {
      become('lost');
      void reopen();
    });
    for (const name of listeners.keys()) forward(api, name);
    current = api;
    become('open');
  }

  async function reopen(): Promise<void> {
    for (;;) {
      await new Promise((resolve) => setTimeout(resolve, retryMs));
      try {
        return await open();
      } catch (error) {
        if (!(error instanceof AppError)) throw error;
      }
    }
  }

  function forward<N extends EventName>(api: Api, name: N): void {
    api.on(name, (data) => {
      for (const listener of listeners.get(name) ?? []) listener(data as never);
    });
  }

  function on<N extends EventName>(name: N, listener: (data: EventData<N>) => void): () => void {
    let set = listeners.get(name);
    if (!set) {
      set = new Set();
      listeners.set(name, set);
      forward(current, name);
    }
    const entry = listener as (data: never) => void;
    set.add(entry);
    return () => void set.delete(entry);
  }

  await open();
  return { call: (name, input, signal) => current.call(name, input, signal), on };
}

/** The nonce that this page's policy allows for style elements, as Mantine's `getStyleNonce` wants it. */
export function styleNonce(): string {
  return document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce ?? '';
}

function openPort(bridge: DesktopBridge): Promise<Channel> {
  const { promise, resolve, reject } = Promise.withResolvers<Channel>();
  const timer = setTimeout(() => finish(() => reject(unreachable())), openTimeoutMs);
  function receive(event: MessageEvent<unknown>): void {
    const port = event.ports[0];
    if (event.source !== window || event.data !== portChannel || !port) return;
    finish(() => resolve(portToChannel(port)));
  }
  function finish(settle: () => void): void {
    clearTimeout(timer);
    window.removeEventListener('message', receive);
    settle();
  }
  window.addEventListener('message', receive);
  bridge.requestPort();
  return promise;
}

function portToChannel(port: MessagePort): Channel {
  return {
    send: (text) => port.postMessage(text),
    listen(onMessage, onClose) {
      port.addEventListener('message', (event: MessageEvent<unknown>) => {
        if (typeof event.data === 'string') onMessage(event.data);
      });
      port.addEventListener('close', () => onClose(), { once: true });
      port.start();
    },
    close: () => port.close(),
  };
}

function openSocket(): Promise<Channel> {
  const { promise, resolve, reject } = Promise.withResolvers<Channel>();
  const socket = new WebSocket(new URL(socketPath, window.location.href.replace(/^http/, 'ws')));
  socket.addEventListener('open', () => resolve(socketToChannel(socket)), { once: true });
  socket.addEventListener('close', () => reject(unreachable()), { once: true });
  return promise;
}

function socketToChannel(socket: WebSocket): Channel {
  return {
    send: (text) => socket.send(text),
    listen(onMessage, onClose) {
      socket.addEventListener('message', (event: MessageEvent<unknown>) => {
        if (typeof event.data === 'string') onMessage(event.data);
      });
      socket.addEventListener('close', () => onClose(), { once: true });
    },
    close: () => socket.close(),
  };
}

function unreachable(): AppError {
  return new AppError({
    code: 'connection-lost',
    message: 'The Benchberry core does not answer',
    hint: window.benchberry
      ? 'Quit and start Benchberry again.'
      : 'Open the address that Benchberry printed in the terminal when it started.',
  });
}
