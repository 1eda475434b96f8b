import { quote } from '../../../hosts/quote.ts';
import { type Setting, settingLine } from '../../tuning/setting.ts';
import { type Cluster, configFolder, ownFile, psql, readsConfD } from './readServer.ts';

/** Shell functions that both ways share: `ask SQL`, `ready`, `take_effect`. */
const tools = (where: Cluster) => `cd /
ask() { ${psql(where)} -c "$1"; }
ready() {
  tries=0
  until ask 'select 1' > /dev/null 2>&1; do
    tries=$((tries + 1))
    [ $tries -lt 60 ] || return 1
    sleep 1
  done
}
# Reloads, and restarts where a setting waits for that. Fails when the server does not take statements after it.
take_effect() {
  loaded=$(ask 'select pg_conf_load_time()') || return 1
  ask 'select pg_reload_conf()' > /dev/null || return 1
  tries=0
  while [ "$(ask 'select pg_conf_load_time()')" = "$loaded" ]; do
    tries=$((tries + 1))
    [ $tries -lt 50 ] || return 1
    sleep 0.2
  done
  waiting=$(ask "select string_agg(name, ', ') from pg_settings where pending_restart") || return 1
  [ -n "$waiting" ] || return 0
  echo "The server restarts for: $waiting"
  pg_ctlcluster ${where.version} ${where.cluster} restart || return 1
  ready
}
`;

const log = ({ version, cluster }: Cluster) => `/var/log/postgresql/postgresql-${version}-${cluster}.log`;

/** Writes the settings, makes them take effect; a server that would not start gets its old file back. */
export function applyScript(where: Cluster, profile: string, settings: readonly Setting[]): string {
  const lines = settings.map((setting) => `# ${setting.reason}\n${settingLine(setting)}`);
  const own = ownFile(where);
  return `${tools(where)}
pg_lsclusters -h ${where.version} ${where.cluster} > /dev/null 2>&1 || { echo 'There is no cluster ${where.version}/${where.cluster}.' >&2; exit 1; }
ready || { echo 'The server does not take statements: nothing was changed.' >&2; exit 1; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
if ${readsConfD(where)}; then file=${own}; else file=$(ask 'show data_directory')/postgresql.auto.conf; fi
if [ -e "$file" ]; then cp -p "$file" "$work/before"; fi
give_up() {
  echo "$1" >&2
  if [ -e "$work/before" ]; then cp -p "$work/before" "$file"; else rm -f "$file"; fi
  tail -n 20 ${log(where)} >&2 || true
  if ready_now; then take_effect || true; else pg_ctlcluster ${where.version} ${where.cluster} start || true; fi
  if ready; then echo 'The settings before are back, the server runs with them.' >&2
  else echo 'The settings before are back, but the server does not start.' >&2; fi
  exit 1
}
ready_now() { ask 'select 1' > /dev/null 2>&1; }
cat > "$work/settings" <<'end_of_settings'
# Written by Benchberry, profile ${profile}. Without this file the server is as it was.
${lines.join('\n')}
end_of_settings
if [ -z "$(ask "select 1 from pg_settings where name = 'timescaledb.max_background_workers'")" ]; then
  # No TimescaleDB in this server.
  sed -i '/^timescaledb\\./d' "$work/settings"
fi
if [ "$file" = ${own} ]; then
  chown postgres:postgres "$work/settings"
  chmod 644 "$work/settings"
  cp -p "$work/settings" "$file.new"
  mv "$file.new" "$file"
else
  sed -n 's/^[a-z].*/alter system set &;/p' "$work/settings" | ${psql(where)} || give_up 'The server did not take a setting.'
fi
echo "Written: $file"
# What only waits for a restart has the same words as what is wrong: it is told apart by its context; what is gone from
# the files and waits for a restart has no file.
wrong=$(ask "select string_agg(coalesce(f.name, 'a line') || ': ' || f.error, '; ') from pg_file_settings f left join pg_settings s using (name)
  where f.error is not null and f.sourcefile is not null and coalesce(s.context, '') <> 'postmaster'") || give_up 'The server does not answer.'
[ -z "$wrong" ] || give_up "The server does not take: $wrong"
take_effect || give_up 'The server does not start with these settings.'
`;
}

/** Puts the file back as it was and makes that take effect. Without the cluster there is nothing to do. */
export function undoScript(where: Cluster, file: string, before: string | null): string {
  const put =
    before === null
      ? `rm -f ${quote(file)}`
      : `printf %s ${quote(before)} > ${quote(`${file}.new`)}
  chown --reference=${quote(file)} ${quote(`${file}.new`)} 2>/dev/null || chown postgres:postgres ${quote(`${file}.new`)}
  chmod --reference=${quote(file)} ${quote(`${file}.new`)} 2>/dev/null || true
  mv ${quote(`${file}.new`)} ${quote(file)}`;
  return `${tools(where)}
if [ -d ${configFolder(where)} ]; then
  ${put}
  if ask 'select 1' > /dev/null 2>&1; then
    take_effect || { tail -n 20 ${log(where)} >&2; exit 1; }
  fi
  echo 'The settings are as they were.'
fi
`;
}
