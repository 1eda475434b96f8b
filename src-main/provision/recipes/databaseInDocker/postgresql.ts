import { reservedFor } from '../../tuning/piSafe.ts';
import { GiB, MiB } from '../../tuning/sizes.ts';
import type { Make, Plan, Server } from './make.ts';

/** The official image, and TimescaleDB's, which is made from it. */
export function postgresql(plan: Plan): Make {
  const { name, version, port, memoryBytes } = plan;
  return {
    label: 'PostgreSQL',
    image: `postgres:${version}`,
    // Images of PostgreSQL 18 keep a folder for each version in it; the old path would keep them from starting.
    inside: Number(version) >= 18 ? '/var/lib/postgresql' : '/var/lib/postgresql/data',
    ports: [[port, 5432]],
    options: [
      ...['--shm-size', memoryBytes <= 1.5 * GiB ? '128m' : '256m'],
      ...['--env', 'POSTGRES_PASSWORD_FILE=/run/secrets/password'],
      ...['--volume', `${passwordFile(name)}:/run/secrets/password:ro`],
    ],
    architectures: ['arm64', 'armhf', 'amd64'],
    server: serverOf(name),
    notes: [],
    result: '',
  };
}

export function timescaledb(plan: Plan): Make {
  const make = postgresql(plan);
  const { settle, ...server } = make.server;
  return {
    ...make,
    label: 'TimescaleDB',
    image: `timescale/timescaledb:latest-pg${plan.version}`,
    options: [...make.options, ...tuning(plan)],
    server: { ...server, settle: tuned(plan.name) + settle },
  };
}

/** Readable within the container only: the folder is closed to everybody but root. */
export const passwordFile = (name: string) => `/var/lib/benchberry/${name}.password`;

function serverOf(name: string): Server {
  const psql = `psql -X -q -A -t -U postgres`;
  return {
    start: (command) => `mkdir -p -m 700 /var/lib/benchberry
printf %s "$password" > ${passwordFile(name)}
chmod 444 ${passwordFile(name)}
${command}
docker start ${name} > /dev/null
`,
    ready: `docker exec ${name} pg_isready -q -h 127.0.0.1`,
    // Within the container a local connection needs no password: its own address does.
    login: `PGPASSWORD=$password docker exec -e PGPASSWORD ${name} sh -c '${psql} -w -h "$(hostname -i)" -c "select 1"'`,
    settle: `# Data that was there before has the password of then.
PASSWORD=$password docker exec -i -e PASSWORD ${name} ${psql} -v ON_ERROR_STOP=1 <<'end_of_sql'
\\getenv password PASSWORD
set log_min_error_statement = panic;
alter role postgres password :'password';
end_of_sql
: > ${passwordFile(name)}
`,
  };
}

/** Always given: where the kernel keeps no account of memory the image's own script fails without it. */
function tuning({ host, memoryBytes }: Plan): string[] {
  const reserved = host.gui.running.value === true ? reservedFor.desktop : reservedFor.headless;
  const left = Math.max(Math.floor((memoryBytes - reserved) / MiB), 128);
  return [
    ...['--env', `TS_TUNE_MEMORY=${left}MB`],
    ...['--env', `TS_TUNE_NUM_CPUS=${host.cores.value ?? 1}`],
    ...['--env', 'TIMESCALEDB_TELEMETRY=off'],
  ];
}

const tuned = (name: string) => `if [ -z "$(docker exec ${name} psql -X -q -A -t -U postgres \\
  -c "select current_setting('timescaledb.last_tuned', true)")" ]; then
  echo 'The server runs, but untuned: an earlier first start has failed in its tuning. Remove the data and start again.' >&2
  exit 1
fi
`;
