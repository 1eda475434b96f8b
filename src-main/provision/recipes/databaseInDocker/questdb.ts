import { GiB } from '../../tuning/sizes.ts';
import type { Make, Plan } from './make.ts';

const root = '/var/lib/questdb';

export function questdb({ name, memoryBytes, address, ...given }: Plan): Make {
  const { questdbVersion, httpPort, wirePort, ilpPort, openFiles } = given;
  const small = memoryBytes < 8 * GiB;
  return {
    label: 'QuestDB',
    image: `questdb/questdb:${questdbVersion}`,
    inside: root,
    ports: [
      [httpPort, 9000],
      [wirePort, 8812],
      [ilpPort, 9009],
    ],
    options: [
      ...['--ulimit', `nofile=${openFiles}:${openFiles}`],
      ...['--env', 'QDB_TELEMETRY_ENABLED=false'],
      // By default every column of a table maps 16 MB for itself: more than a small board has.
      ...(small ? ['--env', 'QDB_CAIRO_WRITER_DATA_APPEND_PAGE_SIZE=1M'] : []),
      ...(small ? ['--env', 'QDB_CAIRO_O3_COLUMN_MEMORY_SIZE=256k'] : []),
    ],
    architectures: ['arm64', 'amd64'],
    server: {
      start: (command) => `${command}\n${configure(name)}docker start ${name} > /dev/null\n`,
      ready: `${ask(address || '127.0.0.1', httpPort)} | grep -Eq '^HTTP/1.1 (200|401)'`,
      login: `${authorized}${ask(address || '127.0.0.1', httpPort)} | grep -q '^HTTP/1.1 200'`,
      settle: `if ${ask(address || '127.0.0.1', httpPort)} | grep -q '^HTTP/1.1 200'; then
  echo 'This version of QuestDB answers over HTTP without a password too.'
fi
`,
    },
    notes: [
      `Console and SQL on port ${httpPort}, PostgreSQL’s wire on ${wirePort}, rows over TCP on ${ilpPort}; user admin.`,
      `Port ${ilpPort} takes rows from everybody who reaches it.`,
    ],
    result: '',
  };
}

/**
 * Shell text that prints the first line of the answer to a query over HTTP; `$header` may hold the password: it is in no
 * argument and in no file. bash is on every Debian, curl is not.
 */
const ask = (address: string, port: number) =>
  `HEADER=\${header:-} timeout 10 bash -c '
exec 3<> "/dev/tcp/$0/$1"
printf "GET /exec?query=select%%201 HTTP/1.1\\r\\nHost: $0\\r\\n%sConnection: close\\r\\n\\r\\n" "$HEADER" >&3
IFS= read -r -t 9 line <&3
printf "%s\\n" "$line"' ${address} ${port} 2>/dev/null`;

const authorized = `header=$(printf 'Authorization: Basic %s\\r\\n.' "$(printf 'admin:%s' "$password" | base64 -w 0)")
header=\${header%.}
`;

/** The password goes into server.conf among the data, every letter as \uXXXX: nothing in it has a meaning there. */
const configure = (name: string) => `work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/conf"
docker cp ${name}:${root}/conf/server.conf "$work/before" > /dev/null 2>&1 || : > "$work/before"
escaped=$(printf %s "$password" | iconv -f UTF-8 -t UTF-16BE | od -An -v -tx2 --endian=big | tr -d '\\n' | sed 's/ /\\\\u/g')
{
  sed '/^[[:space:]]*\\(pg\\|http\\)\\.\\(user\\|password\\)[[:space:]]*=/d' "$work/before"
  for wire in pg http; do printf '%s.user=admin\\n%s.password=%s\\n' $wire $wire "$escaped"; done
} > "$work/conf/server.conf"
chmod 600 "$work/conf/server.conf"
# The image gives its own user whatever is in there when it starts.
tar -C "$work" --owner=0 --group=0 -cf - conf | docker cp - ${name}:${root} > /dev/null
rm -rf "$work"
`;
