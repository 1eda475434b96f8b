import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { freePort } from '../../../src-main/databases/testServer.ts';
import { type ServerProcess, startServer } from '../serverProcess.ts';
import type { HbasePrograms } from './fetch.ts';

/** A real HBase in one process, its ZooKeeper included, in a temporary folder of its own; for tests and measurements only. */
interface HbaseServer extends ServerProcess {
  /** Whom other programs of the cluster ask: `127.0.0.1:2181`. */
  zookeeper: string;
  /** What it has written to its log. */
  log(): string;
}

/** With its REST gateway, a process of its own; a crash or a shutdown is of both. */
export interface HbaseRestServer extends HbaseServer {
  /** A connection of the `hbase` driver to the gateway. */
  connection: Record<string, unknown>;
}

const opened = [
  ...['java.io', 'java.lang', 'java.lang.reflect', 'java.nio', 'java.util', 'java.util.concurrent'],
  ...['jdk.internal.misc', 'jdk.internal.ref', 'sun.nio.ch'],
].map((name) => `--add-opens=java.base/${name}=ALL-UNNAMED`);

const logging = `log4j.rootLogger=WARN,console
log4j.logger.org.apache.hadoop.hbase.master.HMaster=INFO
log4j.appender.console=org.apache.log4j.ConsoleAppender
log4j.appender.console.layout=org.apache.log4j.PatternLayout
log4j.appender.console.layout.ConversionPattern=%d %p %c{2}: %m%n
`;

/** Loopback only and a bounded heap: it shares the machine with what tests it. */
async function startHbase(programs: HbasePrograms, more: Record<string, string> = {}): Promise<HbaseServer> {
  const [client, master, region] = [await freePort(), await freePort(), await freePort()];
  let starts = 0;
  const logOf = (folder: string) => readFileSync(path.join(folder, 'log'), 'utf8');
  const server = await startServer({
    name: 'HBase',
    async prepare(folder) {
      const data = path.join(folder, 'data');
      writeConf(folder, {
        'hbase.rootdir': `file://${path.join(data, 'root')}`,
        'hbase.tmp.dir': path.join(data, 'tmp'),
        'hbase.zookeeper.property.dataDir': path.join(data, 'zookeeper'),
        'hbase.cluster.distributed': 'false',
        'hbase.unsafe.stream.capability.enforce': 'false',
        'hbase.wal.provider': 'filesystem',
        'hbase.zookeeper.property.clientPort': String(client),
        'hbase.zookeeper.quorum': '127.0.0.1',
        'hbase.master.ipc.address': '127.0.0.1',
        'hbase.master.hostname': 'localhost',
        'hbase.master.port': String(master),
        'hbase.master.info.port': '-1',
        'hbase.regionserver.ipc.address': '127.0.0.1',
        'hbase.regionserver.hostname': 'localhost',
        'hbase.regionserver.port': String(region),
        'hbase.regionserver.info.port': '-1',
        'hbase.regionserver.handler.count': '10',
        // It need not wait for further region servers.
        'hbase.master.wait.on.regionservers.interval': '100',
        ...more,
      });
    },
    command(folder) {
      starts += 1;
      return javaCommand(programs, folder, '512m', ['org.apache.hadoop.hbase.master.HMaster', 'start']);
    },
    answers: async (folder) => logOf(folder).split('Master has completed initialization').length > starts,
  });
  return { ...server, zookeeper: `127.0.0.1:${client}`, log: () => logOf(server.folder) };
}

/** The same, and its REST gateway. */
export async function startHbaseRest(
  programs: HbasePrograms,
  more: Record<string, string> = {},
): Promise<HbaseRestServer> {
  const server = await startHbase(programs, more);
  const port = await freePort();
  const [host, client = ''] = server.zookeeper.split(':');
  const startGateway = () =>
    startServer({
      name: 'HBase-REST',
      async prepare(folder) {
        writeConf(folder, {
          'hbase.zookeeper.quorum': String(host),
          'hbase.zookeeper.property.clientPort': client,
          'hbase.rest.host': '127.0.0.1',
          'hbase.rest.port': String(port),
          'hbase.rest.info.port': '-1',
          // What it waits for is looked at more often: tables are made and dropped sooner.
          'hbase.client.pause': '20',
          ...more,
        });
      },
      command: (folder) =>
        javaCommand(programs, folder, '256m', ['org.apache.hadoop.hbase.rest.RESTServer', 'start']),
      answers: () =>
        fetch(`http://127.0.0.1:${port}/status/cluster`, { headers: { accept: 'application/json' } }).then(
          (reply) => reply.status === 200,
          () => false, // not listening yet
        ),
    });
  let gateway: ServerProcess;
  try {
    gateway = await startGateway();
  } catch (error) {
    await server.stop();
    throw error;
  }
  return {
    ...server,
    connection: { host: '127.0.0.1', port },
    log: () => server.log() + readFileSync(path.join(gateway.folder, 'log'), 'utf8'),
    async start() {
      await server.start();
      await gateway.start();
    },
    async end(how) {
      await gateway.end(how);
      await server.end(how);
    },
    async stop() {
      await gateway.stop();
      await server.stop();
    },
  };
}

function writeConf(folder: string, settings: Record<string, string>): void {
  const conf = path.join(folder, 'conf');
  mkdirSync(conf);
  const properties = Object.entries(settings).map(
    ([name, value]) => `<property><name>${escaped(name)}</name><value>${escaped(value)}</value></property>\n`,
  );
  writeFileSync(
    path.join(conf, 'hbase-site.xml'),
    `<configuration>\n${properties.join('')}</configuration>\n`,
  );
  writeFileSync(path.join(conf, 'log4j.properties'), logging);
}

function javaCommand(
  { java, jars, flags = [] }: HbasePrograms,
  folder: string,
  heap: string,
  main: readonly string[],
): readonly [string, ...string[]] {
  return [
    java,
    ...[`-Xmx${heap}`, '-XX:+UseSerialGC', `-Djava.io.tmpdir=${folder}`, `-Dhbase.log.dir=${folder}`],
    ...['-Djava.net.preferIPv4Stack=true', ...flags, ...opened],
    ...['-cp', [path.join(folder, 'conf'), path.join(jars, '*')].join(path.delimiter), ...main],
  ];
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
}
