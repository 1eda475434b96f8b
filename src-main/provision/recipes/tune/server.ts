import { containerName } from '../databaseInDocker/container.ts';

/** A PostgreSQL server on the host, and how shell text works with it. Names in here are safe as they are. */
export interface Server {
  /** `cluster 17/bench` */
  name: string;
  /** Major. */
  version: string;
  /** Ends with 0 where it is there, running or not. */
  there: string;
  /** psql as its superuser, with what is on standard input. */
  psql: string;
  /** Sets `method` and `file`: a file of its own that it reads, or the one that ALTER SYSTEM writes. */
  place: string;
  /** The first of these where there is one. */
  ownFile: string | null;
  /**
   * Shell functions: `fetch FILE COPY` and `put COPY FILE` with owner and mode, of a server that runs or not;
   * `restart_server`; `start_server`, whatever state it is in; `server_log`.
   */
  tools: string;
}

/** A stop with a checkpoint to a slow card, and a start, s. */
const restartSeconds = 300;

/** A cluster of Debian's tools. */
export function clusterServer(version: string, cluster: string): Server {
  const folder = `/etc/postgresql/${version}/${cluster}`;
  const ownFile = `${folder}/conf.d/90-benchberry.conf`;
  return {
    name: `cluster ${version}/${cluster}`,
    version,
    there: `[ -f ${folder}/postgresql.conf ]`,
    psql: `runuser -u postgres -- psql -X -q -A -t -v ON_ERROR_STOP=1 --cluster ${version}/${cluster} -d postgres`,
    place: `method=file
file=${ownFile}
if ! grep -Eq "^[[:space:]]*include_dir[[:space:]]*=?[[:space:]]*'conf.d'" ${folder}/postgresql.conf; then
  method=alter-system
  file=$(sed -n "s/^[[:space:]]*data_directory[[:space:]]*=[[:space:]]*'\\([^']*\\)'.*/\\1/p" ${folder}/postgresql.conf | tail -n 1)/postgresql.auto.conf
fi`,
    ownFile,
    tools: `fetch() { cp -p "$1" "$2"; }
put() { cp -p "$1" "$2.new" && mv "$2.new" "$2"; }
# Debian's unit waits without end for a server that has ended while it started: that start is called off.
restart_server() {
  timeout ${restartSeconds} pg_ctlcluster ${version} ${cluster} restart && return
  [ $? != 124 ] || systemctl stop postgresql@${version}-${cluster} || true
  return 1
}
start_server() { timeout ${restartSeconds} pg_ctlcluster ${version} ${cluster} start; }
server_log() { tail -n 20 /var/log/postgresql/postgresql-${version}-${cluster}.log; }`,
  };
}

/** In a container that the recipe "Database in Docker" makes: its settings are in its data, by ALTER SYSTEM. */
export function containerServer(product: 'timescaledb' | 'postgresql', version: string): Server {
  const container = containerName(product);
  return {
    name: `container ${container}`,
    version,
    there: `docker container inspect ${container} > /dev/null 2>&1`,
    psql: `docker exec -i ${container} psql -X -q -A -t -v ON_ERROR_STOP=1 -U postgres -d postgres`,
    place: `method=alter-system
file=$(docker container inspect --format '{{range .Config.Env}}{{println .}}{{end}}' ${container} | sed -n 's/^PGDATA=//p')/postgresql.auto.conf`,
    ownFile: null,
    tools: `fetch() { docker cp -a "${container}:$1" "$2" > /dev/null 2>&1; }
# Written in place by a container of the moment on the same data, whether the server runs or not: owner and mode stay.
put() {
  docker run --rm -i --network none --user 0 --volumes-from ${container} --entrypoint sh \\
    "$(docker container inspect --format '{{.Config.Image}}' ${container})" -c 'cat > "$0"' "$2" < "$1"
}
restart_server() { docker restart ${container} > /dev/null; }
start_server() { restart_server; }
server_log() { docker logs --tail 20 ${container}; }`,
  };
}
