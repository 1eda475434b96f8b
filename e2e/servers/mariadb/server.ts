import { writeFileSync } from 'node:fs';
import net from 'node:net';
import path from 'node:path';
import { freePort } from '../../../src-main/databases/testServer.ts';
import { run } from '../cache.ts';
import { requireProgram, type ServerProcess, startServer } from '../serverProcess.ts';

const user = 'benchberry';
export const password = 'p’w"\'\\ @:/%';

/** Whether it can be started here. @throws Error saying what is missing */
export async function findMariadb(): Promise<void> {
  await requireProgram('mariadbd', 'mariadb-server-core');
  await requireProgram('mariadb-install-db', 'mariadb-server-core');
  await requireProgram('my_print_defaults', 'mariadb-client-core');
}

/** A real MariaDB with its own defaults, on loopback; its memory is bounded, since it shares the machine with its tests. */
export async function startMariadb(): Promise<ServerProcess & { connection: Record<string, unknown> }> {
  const port = await freePort();
  const data = (folder: string) => path.join(folder, 'data');
  const server = await startServer({
    name: 'MariaDB',
    async prepare(folder) {
      await run('mariadb-install-db', [
        ...['--no-defaults', `--datadir=${data(folder)}`, '--user=root', '--skip-test-db'],
        '--auth-root-authentication-method=normal',
      ]);
      const secret = password.replace(/[\\']/g, '\\$&');
      writeFileSync(
        path.join(folder, 'init.sql'),
        [
          `CREATE USER IF NOT EXISTS '${user}'@'%' IDENTIFIED BY '${secret}';`,
          `GRANT ALL ON *.* TO '${user}'@'%';`,
          "CREATE USER IF NOT EXISTS 'guest'@'%';",
          '',
        ].join('\n'),
      );
    },
    command: (folder) => [
      'mariadbd',
      ...['--no-defaults', '--user=root', `--datadir=${data(folder)}`, '--bind-address=127.0.0.1'],
      ...[`--port=${port}`, `--socket=${path.join(folder, 'socket')}`, '--skip-name-resolve'],
      ...[`--pid-file=${path.join(folder, 'pid')}`, `--init-file=${path.join(folder, 'init.sql')}`],
      ...['--innodb-buffer-pool-size=67108864', '--performance-schema=OFF', '--character-set-server=utf8mb4'],
    ],
    answers: () => listens(port),
  });
  return { ...server, connection: { host: '127.0.0.1', port, user } };
}

function listens(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = net.connect(port, '127.0.0.1');
    socket.once('data', () => resolve(true)); // the greeting
    socket.once('error', () => resolve(false));
    socket.once('close', () => resolve(false));
    socket.once('data', () => socket.destroy());
  });
}
