import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { freePort } from '../../../src-main/databases/testServer.ts';
import { type HbaseRestServer, startHbaseRest } from '../hbase/server.ts';
import { type ServerProcess, startServer } from '../serverProcess.ts';
import type { OpentsdbPrograms } from './fetch.ts';

/** A real OpenTSDB in a temporary folder, and the HBase that it keeps its points in; for tests and measurements only. */
export interface OpentsdbServer extends ServerProcess {
  /** A connection of the `opentsdb` driver to it. */
  connection: Record<string, unknown>;
  hbase: HbaseRestServer;
  log(): string;
}

const opened = ['java.lang', 'java.lang.reflect', 'java.net', 'java.nio', 'java.util', 'sun.nio.ch'].map(
  (name) => `--add-opens=java.base/${name}=ALL-UNNAMED`,
);
const logging = `<configuration>
  <appender name="console" class="ch.qos.logback.core.ConsoleAppender">
    <encoder><pattern>%d %level %logger{20}: %msg%n</pattern></encoder>
  </appender>
  <root level="ERROR"><appender-ref ref="console"/></root>
</configuration>
`;
/** Tables and their families. */
const tables = { tsdb: ['t'], 'tsdb-uid': ['id', 'name'], 'tsdb-tree': ['t'], 'tsdb-meta': ['name'] };

/**
 * Loopback only and a bounded heap. `end` and `start` are of OpenTSDB: its HBase stays.
 * @param more settings of opentsdb.conf
 */
export async function startOpentsdb(
  { jars, hbase: programs }: OpentsdbPrograms,
  more: Record<string, string> = {},
): Promise<OpentsdbServer> {
  const hbase = await startHbaseRest(programs);
  try {
    await makeTables(Number(hbase.connection.port));
    const server = await startTsd(programs.java, jars, hbase.zookeeper, more);
    return {
      ...server,
      hbase,
      log: () => readFileSync(path.join(server.folder, 'log'), 'utf8'),
      async stop() {
        await server.stop();
        await hbase.stop();
      },
    };
  } catch (error) {
    await hbase.stop();
    throw error;
  }
}

/** Another OpenTSDB before the same HBase, of other settings. */
export async function startTsd(
  java: string,
  jars: string,
  zookeeper: string,
  more: Record<string, string> = {},
): Promise<ServerProcess & { connection: Record<string, unknown> }> {
  const port = await freePort();
  const server = await startServer({
    name: 'OpenTSDB',
    async prepare(folder) {
      mkdirSync(path.join(folder, 'static'));
      writeFileSync(path.join(folder, 'logback.xml'), logging);
      const settings = {
        'tsd.network.port': String(port),
        'tsd.network.bind': '127.0.0.1',
        'tsd.http.staticroot': path.join(folder, 'static'),
        'tsd.http.cachedir': path.join(folder, 'cache'),
        'tsd.http.request.enable_chunked': 'true',
        'tsd.http.request.max_chunk': String(1 << 20),
        'tsd.http.query.allow_delete': 'true',
        'tsd.core.auto_create_metrics': 'true',
        // Every drop, and every wait for HBase, takes about so long.
        'tsd.storage.flush_interval': '200',
        // What it writes anew of old hours can meet points of the next test in the same place.
        'tsd.storage.enable_compaction': 'false',
        'tsd.storage.hbase.zk_quorum': zookeeper,
        ...more,
      };
      const lines = Object.entries(settings).map(([name, value]) => `${name} = ${value}\n`);
      writeFileSync(path.join(folder, 'opentsdb.conf'), lines.join(''));
    },
    command: (folder) => [
      java,
      ...['-Xmx512m', '-XX:+UseSerialGC', '-Djava.net.preferIPv4Stack=true', ...opened],
      ...[`-Djava.io.tmpdir=${folder}`, `-Dlogback.configurationFile=${path.join(folder, 'logback.xml')}`],
      ...['-cp', path.join(jars, '*'), 'net.opentsdb.tools.TSDMain'],
      `--config=${path.join(folder, 'opentsdb.conf')}`,
    ],
    answers: () =>
      fetch(`http://127.0.0.1:${port}/api/version`).then(
        (reply) => reply.status === 200,
        () => false, // not listening yet
      ),
  });
  return { ...server, connection: { host: '127.0.0.1', port } };
}

/** OpenTSDB looks for its tables and makes none. */
async function makeTables(port: number): Promise<void> {
  for (const [name, families] of Object.entries(tables)) {
    const reply = await fetch(`http://127.0.0.1:${port}/${name}/schema`, {
      method: 'PUT',
      headers: { accept: 'application/json', 'content-type': 'application/json' },
      body: JSON.stringify({ name, ColumnSchema: families.map((family) => ({ name: family })) }),
    });
    if (!reply.ok) throw new Error(`The table ${name} could not be made: ${await reply.text()}`);
  }
}
