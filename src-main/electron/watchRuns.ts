import { MessageChannelMain } from 'electron';
import { connectApi } from '../../src-shared/contract/client.ts';
import type { CoreProcess } from './coreProcess.ts';
import { portChannel } from './portChannel.ts';

export interface RunWatch {
  isOn(): boolean;
  /** Called when the first run begins and when the last one ends. */
  onChange(listener: (on: boolean) => void): void;
}

/** Main asks the core as any other client whether a run is on. */
export function watchRuns(core: CoreProcess): RunWatch {
  const listeners = new Set<(on: boolean) => void>();
  const active = new Set<string>();

  function change(apply: () => void): void {
    const before = active.size > 0;
    apply();
    const on = active.size > 0;
    if (on !== before) for (const listener of listeners) listener(on);
  }

  core.onStart(() => {
    const { port1, port2 } = new MessageChannelMain();
    core.addClient(port1);
    const api = connectApi(portChannel(port2), () => change(() => active.clear()));
    api.on('run.changed', ({ head, final }) =>
      change(() => void (final ? active.delete(head.id) : active.add(head.id))),
    );
  });

  return { isOn: () => active.size > 0, onChange: (listener) => void listeners.add(listener) };
}
