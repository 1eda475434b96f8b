import { expect } from 'vitest';
import type { Plan } from '../../src-shared/model/plan.ts';
import type { Run } from '../../src-shared/model/run.ts';
import { startTestServer, type TestServer } from '../databases/testServer.ts';
import { openTestApp, removeFolder, type TestApp } from './testApp.ts';

/** An app whose one target is a real PostgreSQL of its own; for tests. */
export interface ServerApp {
  server: TestServer;
  app: TestApp;
  targetId: string;
  /** The run, once it has ended. */
  ended(id: string): Promise<Run>;
  /**
   * Runs a plan that has no problems, with its report.
   * @param meanwhile what is done while the run is on
   */
  run(
    name: string,
    steps: Plan['steps'],
    meanwhile?: (id: string) => Promise<void>,
  ): Promise<{ run: Run; text: string; lines: string[] }>;
  close(): Promise<void>;
}

export async function openServerApp(settings: Record<string, string>): Promise<ServerApp> {
  const server = await startTestServer({ settings });
  const app = await openTestApp();
  const { id: targetId } = await app.api.call('targets.save', {
    id: null,
    name: 'server',
    engine: 'postgresql',
    connection: { host: '127.0.0.1', port: server.port, user: 'postgres', tlsMode: 'disable' },
    secret: server.password,
  });
  async function ended(id: string): Promise<Run> {
    await app.until('run.changed', ({ head, final }) => final && head.id === id);
    return app.api.call('runs.get', { id });
  }
  return {
    server,
    app,
    targetId,
    ended,
    async run(name, steps, meanwhile) {
      const plan: Plan = { version: 1, name, target: 'server', steps, repeat: 1 };
      const { problems } = await app.api.call('plans.validate', { plan });
      expect(problems).toEqual([]);
      const { id } = await app.api.call('runs.start', { plan, targetId });
      await meanwhile?.(id);
      const run = await ended(id);
      const text = await app.api.call('runs.text', { id });
      return { run, text, lines: text.split('\n') };
    },
    async close() {
      await app.close();
      removeFolder(app.folder);
      await server.stop();
    },
  };
}
