/**
 * Runs in the page before its own scripts, together with the preload script, as text: it can use nothing from outside. The
 * binding to the stand-in is taken away from the page's reach; the preload gets a `require` that knows only `electron`.
 */
export function runPreload(
  preload: (require: (name: string) => unknown, module: object, exports: object) => void,
): void {
  if (window !== window.top) return;
  const bindings = window as unknown as { doubleSend?: (message: FromPage) => Promise<void> };
  const send = bindings.doubleSend;
  if (!send) return;
  delete bindings.doubleSend;
  void send({ kind: 'new-document' });
  const ports = new Map<number, MessagePort>();
  const listeners = new Map<string, ((event: { ports: MessagePort[] }, ...args: unknown[]) => void)[]>();

  // Electron tells a page's port that its other end is gone, which the web's ports do not do.
  const given = new Map<number, MessagePort>();
  const giving: number[] = [];
  window.addEventListener('message', (event) => {
    for (const port of event.source === window ? event.ports : []) {
      const id = giving.shift();
      if (id !== undefined) given.set(id, port);
    }
  });

  function openPort(id: number): MessagePort {
    const { port1, port2 } = new MessageChannel();
    ports.set(id, port1);
    giving.push(id);
    port1.addEventListener('message', ({ data }) => void send?.({ kind: 'port-message', port: id, data }));
    port1.start();
    return port2;
  }

  Object.defineProperty(window, Symbol.for('benchberry.double'), {
    value: (message: ToPage) => {
      if (message.kind === 'ipc') {
        const event = { ports: message.ports.map(openPort) };
        for (const listener of listeners.get(message.channel) ?? []) listener(event, ...message.args);
      } else if (message.kind === 'port-message') ports.get(message.port)?.postMessage(message.data);
      else {
        ports.get(message.port)?.close();
        given.get(message.port)?.dispatchEvent(new Event('close'));
      }
    },
  });

  // Electron asks the app before there is a window; Chromium would make one first.
  const open = (url: string) => void send({ kind: 'open', url: new URL(url, document.baseURI).href });
  window.open = (url) => {
    open(String(url ?? 'about:blank'));
    return null;
  };
  document.addEventListener('click', (event) => {
    const link = event.composedPath().find((node) => node instanceof HTMLAnchorElement);
    if (event.defaultPrevented || link?.target !== '_blank') return;
    event.preventDefault();
    open(link.href);
  });

  const electron = {
    contextBridge: {
      exposeInMainWorld: (name: string, api: object) =>
        Object.defineProperty(window, name, { value: Object.freeze({ ...api }), enumerable: true }),
    },
    ipcRenderer: {
      send: (channel: string, ...args: unknown[]) => void send({ kind: 'ipc', channel, args }),
      on: (channel: string, listener: (event: { ports: MessagePort[] }, ...args: unknown[]) => void) =>
        void listeners.set(channel, [...(listeners.get(channel) ?? []), listener]),
    },
    // Chromium does not tell a page where a file lies.
    webUtils: { getPathForFile: () => '' },
  };
  preload(
    (name) => {
      if (name === 'electron') return electron;
      throw new Error(`module not found: ${name}`);
    },
    { exports: {} },
    {},
  );
}

export type FromPage =
  | { kind: 'ipc'; channel: string; args: unknown[] }
  | { kind: 'new-document' }
  | { kind: 'open'; url: string }
  | { kind: 'port-message'; port: number; data: unknown }
  | { kind: 'port-close'; port: number };
export type ToPage =
  | { kind: 'ipc'; channel: string; args: unknown[]; ports: number[] }
  | { kind: 'port-message'; port: number; data: unknown }
  | { kind: 'port-close'; port: number };
