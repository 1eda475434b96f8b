import type { VirtualPi } from './virtualPi.ts';

/**
 * Makes a virtual Pi of the variant `timescaledb` a registry of images, reachable at the address returned: no public one
 * can be reached. Its `timescale/timescaledb:latest-pg17` is this Pi's own PostgreSQL with TimescaleDB behind an entry point
 * that does what the real one's documentation says.
 */
export async function serveImages(pi: VirtualPi): Promise<string> {
  await pi.exec('sh', '-c', 'printf %s "$1" > /entrypoint', 'sh', entryPoint);
  await pi.exec('sh', '-c', buildScript);
  return `${pi.address}:5000`;
}

/** What a virtual Pi needs to fetch images from there, and for dockerd to run in a container. */
export async function useImages(pi: VirtualPi, registry: string): Promise<void> {
  const config = { 'registry-mirrors': [`http://${registry}`], 'insecure-registries': [registry] };
  const script = `mkdir -p /etc/docker /etc/systemd/system/docker.service.d
printf '%s' "$1" > /etc/docker/daemon.json
printf '[Service]\\nEnvironment=DOCKER_ALLOW_IPV6_ON_IPV4_INTERFACE=1\\n' > /etc/systemd/system/docker.service.d/lab.conf`;
  await pi.exec('sh', '-c', script, 'sh', JSON.stringify(config));
}

// As the official images: as root first, then as postgres; a first start with the socket only; a password from a file;
// settings and tuning once, which fails without TS_TUNE_MEMORY where the kernel keeps no account of memory.
const entryPoint = `#!/bin/bash
set -e
bin=/usr/lib/postgresql/17/bin
if [ "$(id -u)" = 0 ]; then
  mkdir -p "$PGDATA" /var/run/postgresql
  chown postgres:postgres "$PGDATA" /var/run/postgresql
  chmod 700 "$PGDATA"
  exec setpriv --reuid postgres --regid postgres --init-groups "$0"
fi
if [ ! -s "$PGDATA/PG_VERSION" ]; then
  $bin/initdb -D "$PGDATA" -U postgres --locale C.UTF-8 --encoding UTF8 --pwfile <(cat "$POSTGRES_PASSWORD_FILE"; echo)
  echo 'host all all all scram-sha-256' >> "$PGDATA/pg_hba.conf"
  { echo "listen_addresses = '*'"; echo "shared_preload_libraries = 'timescaledb'"; } >> "$PGDATA/postgresql.conf"
  $bin/pg_ctl -D "$PGDATA" -o "-c listen_addresses=''" -w start
  for database in template1 postgres; do
    psql -U postgres -d $database -c 'create extension timescaledb'
  done
  memory=\${TS_TUNE_MEMORY%MB}
  [ -n "$memory" ] || { echo 'panic: bytes must be at least 1 byte (got 0)' >&2; exit 1; }
  { echo "shared_buffers = '$((memory / 4))MB'"; echo "timescaledb.last_tuned = '2026-11-30'"; } >> "$PGDATA/postgresql.conf"
  $bin/pg_ctl -D "$PGDATA" -w stop
  echo 'PostgreSQL init process complete; ready for start up.'
fi
exec $bin/postgres -D "$PGDATA"`;

// The image first: Docker's own files have no place in it. Images cannot be run here without the drop-in.
const buildScript = `set -eu
export DEBIAN_FRONTEND=noninteractive
chmod 755 /entrypoint
cd /
tar -cf /root/image.tar --exclude 'usr/share/doc/*' --exclude 'usr/share/man/*' --exclude 'usr/share/locale/*' \\
  --exclude 'libLLVM*' --exclude 'usr/lib/x86_64-linux-gnu/perl*' --exclude 'usr/lib/firmware' \\
  bin sbin lib lib64 usr etc/passwd etc/group etc/ssl/certs etc/ld.so.conf etc/ld.so.conf.d etc/ld.so.cache etc/postgresql-common entrypoint
mkdir -p /etc/systemd/system/docker.service.d
printf '[Service]\\nEnvironment=DOCKER_ALLOW_IPV6_ON_IPV4_INTERFACE=1\\n' > /etc/systemd/system/docker.service.d/lab.conf
apt-get -q update
apt-get -q -y install --no-install-recommends docker.io docker-cli docker-registry iptables
# Debian's registry asks for a password that nobody has set.
sed -i '/^auth:/,/^[^ ]/{/^auth:/d;/^ /d}' /etc/docker/registry/config.yml
systemctl restart docker-registry
docker import -c 'ENTRYPOINT ["/entrypoint"]' -c 'STOPSIGNAL SIGINT' -c 'ENV PGDATA=/var/lib/postgresql/data' \\
  -c 'ENV PATH=/usr/lib/postgresql/17/bin:/usr/sbin:/usr/bin:/sbin:/bin' /root/image.tar 127.0.0.1:5000/timescale/timescaledb:latest-pg17
rm /root/image.tar
docker push -q 127.0.0.1:5000/timescale/timescaledb:latest-pg17
`;
