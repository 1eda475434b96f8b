import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { freePort } from '../../../src-main/databases/testServer.ts';
import { requireProgram, type ServerProcess, startServer } from '../serverProcess.ts';

/** Whether it can be started here. @throws Error saying what is missing */
export function findInfluxdb(): Promise<void> {
  return requireProgram('influxd', 'influxdb');
}

/** A real InfluxDB 1.x with its own defaults, on loopback; it reports to nobody. */
export async function startInfluxdb(): Promise<ServerProcess & { connection: Record<string, unknown> }> {
  const [port, rpc] = [await freePort(), await freePort()];
  const server = await startServer({
    name: 'InfluxDB',
    async prepare(folder) {
      const at = (name: string) => JSON.stringify(path.join(folder, name));
      writeFileSync(
        path.join(folder, 'influxdb.conf'),
        [
          ...['reporting-disabled = true', `bind-address = "127.0.0.1:${rpc}"`],
          ...['[meta]', `dir = ${at('meta')}`],
          ...[
            '[data]',
            `dir = ${at('data')}`,
            `wal-dir = ${at('wal')}`,
            'cache-snapshot-memory-size = 20971520',
          ],
          ...['[http]', `bind-address = "127.0.0.1:${port}"`, 'log-enabled = false'],
          '',
        ].join('\n'),
      );
    },
    command: (folder) => ['influxd', '-config', path.join(folder, 'influxdb.conf')],
    answers: () =>
      fetch(`http://127.0.0.1:${port}/ping`).then(
        (reply) => reply.status === 204,
        () => false, // not listening yet
      ),
  });
  return { ...server, connection: { host: '127.0.0.1', port } };
}
