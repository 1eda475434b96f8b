import type { VirtualPi } from './virtualPi.ts';

/**
 * Makes a virtual Pi of the variant `timescaledb` a registry of images, reachable at the address returned: no public one
 * can be reached. Its `timescale/timescaledb:latest-pg17` and `postgres:17` are this Pi's own PostgreSQL behind an entry
 * point that does what the real one's documentation says; its `questdb/questdb:latest` is a program that answers as
 * QuestDB does and has no database in it.
 */
export async function serveImages(pi: VirtualPi): Promise<string> {
  await pi.exec('sh', '-c', 'printf %s "$1" > /entrypoint', 'sh', entryPoint);
  await pi.exec('sh', '-c', 'printf %s "$1" > /questdb', 'sh', questdb);
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
  echo "listen_addresses = '*'" >> "$PGDATA/postgresql.conf"
  if [ "$PRODUCT" = postgres ]; then exec $bin/postgres -D "$PGDATA"; fi
  echo "shared_preload_libraries = 'timescaledb'" >> "$PGDATA/postgresql.conf"
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

// As questdb/questdb: as root it gives its user what is in its folder; it takes its passwords from
// server.conf and listens on three ports.
const questdb = `#!/usr/bin/perl
use strict; use warnings; use IO::Socket::INET; use IO::Select;
my $root = '/var/lib/questdb';
if ($> == 0) {
  mkdir "$root/db";
  system('chown', '-R', '10001:10001', $root) == 0 or die;
  exec 'setpriv', '--reuid', '10001', '--regid', '10001', '--clear-groups', $0;
}
my %config;
if (open(my $file, '<', "$root/conf/server.conf")) {
  while (<$file>) {
    chomp;
    my ($key, $value) = /^([\\w.]+)=(.*)$/ or next;
    $value =~ s/\\\\u([0-9a-f]{4})/my $c = chr hex $1; utf8::encode($c); $c/ge;
    $config{$key} = $value;
  }
}
my $allowed;
if (defined $config{'http.user'}) {
  open(my $pipe, '-|', 'sh', '-c', 'printf %s "$1" | base64 -w 0', 'sh', "$config{'http.user'}:$config{'http.password'}") or die;
  $allowed = 'Basic ' . <$pipe>;
}
my %sockets = map { $_ => IO::Socket::INET->new(LocalPort => $_, Listen => 16, ReuseAddr => 1) || die $! } 9000, 8812, 9009;
$SIG{TERM} = sub { exit 143 };
my $select = IO::Select->new(values %sockets);
while (1) {
  for my $ready ($select->can_read) {
    my $client = $ready->accept or next;
    next if $ready != $sockets{9000};
    my ($request, $given) = (scalar <$client>, '');
    while (my $line = <$client>) { $given = $1 if $line =~ /^Authorization: (.*?)\\r/i; last if $line eq "\\r\\n"; }
    my $status = defined $allowed && $given ne $allowed ? '401 Unauthorized' : '200 OK';
    my $body = $status =~ /^200/ ? '{"query":"select 1","columns":[{"name":"1","type":"INT"}],"dataset":[[1]],"count":1}' : '';
    print $client "HTTP/1.1 $status\\r\\nContent-Length: " . length($body) . "\\r\\nConnection: close\\r\\n\\r\\n$body";
  }
}
`;

// The image first: Docker's own files have no place in it. Images cannot be run here without the drop-in.
const buildScript = `set -eu
export DEBIAN_FRONTEND=noninteractive
chmod 755 /entrypoint /questdb
cd /
tar -cf /root/image.tar --exclude 'usr/share/doc/*' --exclude 'usr/share/man/*' --exclude 'usr/share/locale/*' \\
  --exclude 'libLLVM*' --exclude 'usr/lib/x86_64-linux-gnu/perl/*' --exclude 'usr/lib/firmware' \\
  bin sbin lib lib64 usr etc/passwd etc/group etc/ssl/certs etc/ld.so.conf etc/ld.so.conf.d etc/ld.so.cache etc/postgresql-common entrypoint questdb
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
docker create --name base 127.0.0.1:5000/timescale/timescaledb:latest-pg17
docker commit -c 'ENV PRODUCT=postgres' base 127.0.0.1:5000/library/postgres:17
docker commit -c 'ENTRYPOINT ["/questdb"]' -c 'STOPSIGNAL SIGTERM' base 127.0.0.1:5000/questdb/questdb:latest
for image in timescale/timescaledb:latest-pg17 library/postgres:17 questdb/questdb:latest; do
  docker push -q "127.0.0.1:5000/$image"
done
`;
