import { quote } from '../../../hosts/quote.ts';
import { type Setting, settingLine } from '../../tuning/setting.ts';
import type { Server } from './server.ts';

/** Shell functions that both ways share: `ask SQL`, `ready`, `take_effect`; `$work` is a folder that goes by itself. */
const tools = (server: Server) => `cd /
${server.tools}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
ask() { ${server.psql} -c "$1" < /dev/null; }
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
  restart_server || return 1
  ready
}
`;

/** Writes the settings, makes them take effect; a server that would not start gets its old file back. */
export function applyScript(server: Server, profile: string, settings: readonly Setting[]): string {
  const lines = settings.map((setting) => `# ${setting.reason}\n${settingLine(setting)}`);
  return `${tools(server)}
${server.there} || { echo 'There is no ${server.name}.' >&2; exit 1; }
ready || { echo 'The server does not take statements: nothing was changed.' >&2; exit 1; }
${server.place}
fetch "$file" "$work/before" 2>/dev/null || true
give_up() {
  echo "$1" >&2
  if [ -e "$work/before" ]; then put "$work/before" "$file"; else rm -f "$file"; fi
  server_log >&2 || true
  if ask 'select 1' > /dev/null 2>&1; then take_effect || true; else start_server || true; fi
  if ready; then echo 'The settings before are back, the server runs with them.' >&2
  else echo 'The settings before are back, but the server does not start.' >&2; fi
  exit 1
}
cat > "$work/settings" <<'end_of_settings'
# Written by Benchberry, profile ${profile}. Without this file the server is as it was.
${lines.join('\n')}
end_of_settings
if [ -z "$(ask "select 1 from pg_settings where name = 'timescaledb.max_background_workers'")" ]; then
  # No TimescaleDB in this server.
  sed -i '/^timescaledb\\./d' "$work/settings"
fi
if [ "$method" = file ]; then
  chown postgres:postgres "$work/settings"
  chmod 644 "$work/settings"
  put "$work/settings" "$file"
else
  sed -n "s/^\\([a-z][^ ]*\\) = '/alter system set \\1 = E'/; s/^alter.*/&;/p" "$work/settings" | ${server.psql} || give_up 'The server did not take a setting.'
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

/** Ends with 0 where every one of the settings stands in a file that the server reads. */
export function testScript(server: Server, settings: readonly Setting[]): string {
  // Those of TimescaleDB are left out where it is not loaded.
  const wanted = settings.filter(({ name }) => !name.startsWith('timescaledb.'));
  const text = (value: string) => `'${value.replaceAll("'", "''")}'`;
  const pairs = wanted.map(({ name, value }) => `(${text(name)}, ${text(value)})`).join(', ');
  const sql = `select count(distinct name) from pg_file_settings where (name, setting) in (${pairs})`;
  return `cd /\n[ "$(${server.psql} -c ${quote(sql)} < /dev/null)" = ${wanted.length} ]`;
}

/** Puts the file back as it was and makes that take effect. Without the server there is nothing to do. */
export function undoScript(server: Server, file: string, before: string | null): string {
  const path = quote(file);
  // Its owner and mode stay; a file that is gone by now gets the server's own.
  const put =
    before === null
      ? `rm -f ${path}`
      : `fetch ${path} "$work/file" || { : > "$work/file"; chown postgres:postgres "$work/file"; }
  printf %s ${quote(before)} > "$work/file"
  put "$work/file" ${path}`;
  return `${tools(server)}
if ${server.there}; then
  ${put}
  if ask 'select 1' > /dev/null 2>&1; then
    take_effect || { server_log >&2; exit 1; }
  fi
  echo 'The settings are as they were.'
fi
`;
}
