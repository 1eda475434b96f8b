import path from 'node:path';
import { freePort } from '../../../src-main/databases/testServer.ts';
import { requireProgram, type ServerProcess, startServer } from '../serverProcess.ts';

/** Whether it can be started here. @throws Error saying what is missing */
export function findVictoriaMetrics(): Promise<void> {
  return requireProgram('victoria-metrics', 'victoria-metrics');
}

/** A real VictoriaMetrics on loopback that keeps values of any age, or for as long as is said. */
export async function startVictoriaMetrics(
  retention = '100y',
): Promise<ServerProcess & { connection: Record<string, unknown> }> {
  const port = await freePort();
  const server = await startServer({
    name: 'VictoriaMetrics',
    command: (folder) => [
      'victoria-metrics',
      ...[`-storageDataPath=${path.join(folder, 'data')}`, `-httpListenAddr=127.0.0.1:${port}`],
      ...[`-retentionPeriod=${retention}`, '-memory.allowedBytes=256MB'],
    ],
    answers: () =>
      fetch(`http://127.0.0.1:${port}/health`).then(
        (reply) => reply.status === 200,
        () => false, // not listening yet
      ),
  });
  return { ...server, connection: { host: '127.0.0.1', port } };
}
