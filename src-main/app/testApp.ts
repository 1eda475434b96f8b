import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { EventData, EventName } from '../../src-shared/contract/commands.ts';
import { events } from '../../src-shared/contract/commands.ts';
import type { Plan } from '../../src-shared/model/plan.ts';
import { type App, createApp } from './createApp.ts';
import { memorySecrets, type SecretStore } from './secrets.ts';

/** An app on a folder of its own, with everything it published; for tests. */
export interface TestApp extends App {
  folder: string;
  secrets: SecretStore;
  heard: { name: EventName; data: unknown }[];
  heardOf<N extends EventName>(name: N): EventData<N>[];
  /** Resolves with the first event, past or to come, that the condition holds for. */
  until<N extends EventName>(name: N, condition: (data: EventData<N>) => boolean): Promise<EventData<N>>;
}

export async function openTestApp(folder = makeFolder(), secrets = memorySecrets()): Promise<TestApp> {
  const app = await createApp({ dataFolder: folder, secrets });
  const heard: TestApp['heard'] = [];
  for (const name of Object.keys(events) as EventName[]) {
    app.events.on(name, (data) => heard.push({ name, data }));
  }
  function heardOf<N extends EventName>(name: N): EventData<N>[] {
    return heard
      .filter((event) => event.name === name)
      .map(({ data }) => events[name].parse(data) as EventData<N>);
  }
  return {
    ...app,
    folder,
    secrets,
    heard,
    heardOf,
    until: (name, condition) =>
      new Promise((resolve) => {
        const past = heardOf(name).find(condition);
        if (past !== undefined) return resolve(past);
        const off = app.events.on(name, (data) => {
          if (!condition(data)) return;
          off();
          resolve(data);
        });
      }),
  };
}

export function makeFolder(): string {
  return mkdtempSync(join(tmpdir(), 'benchberry-app-'));
}
export function removeFolder(folder: string): void {
  rmSync(folder, { recursive: true, force: true });
}

/** A load of a number of hosts over a number of hours, 360 rows an hour each. */
export function loadPlan(scale: number, hours: number, parameters: Plan['steps'][number][string] = {}): Plan {
  const timestampEnd = new Date(Date.UTC(2016, 0, 1, hours)).toISOString();
  const load = { scale, timestampStart: '2016-01-01T00:00:00Z', timestampEnd, ...parameters };
  return { version: 1, name: 'A load', target: 'null', steps: [{ 'tsbs.load': load }], repeat: 1 };
}
