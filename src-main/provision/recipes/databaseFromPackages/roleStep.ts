import { readFacts } from '../../shellCheck.ts';
import type { Step } from '../../step.ts';
import type { Release } from '../releases.ts';
import { cluster, type Parameters } from './parameters.ts';

/** The workbench's user, and the extension in the template that its databases are made from. */
export function roleStep({ postgres }: Release, { product, port, user, password }: Parameters): Step {
  const timescaledb = product === 'timescaledb';
  const psql = (database: string) =>
    `runuser -u postgres -- psql -X -q -A -t -v ON_ERROR_STOP=1 --cluster ${postgres}/${cluster} -d ${database}`;
  return {
    id: 'user',
    title: `Let the workbench in as ${user}`,
    changes: [
      `User ${user} in the cluster ${cluster}, with the password: may make databases, read statistics (pg_monitor) and ask for checkpoints; no superuser.`,
      ...(timescaledb ? ['Extension timescaledb in template1: every new database has it.'] : []),
    ],
    needsRoot: true,
    needsReboot: false,
    reversible: true,
    async check(remote, signal) {
      const facts = await readFacts(
        { ...remote, script: (text, options) => remote.script(text, { ...options, input: `${password}\n` }) },
        `export LC_ALL=C
[ -d /etc/postgresql/${postgres}/${cluster} ] || exit 0
cd /
${psql('template1')} -c "select 'role=' || rolcreatedb from pg_roles where rolname = '${user}' union all
  select 'extension=' || extversion from pg_extension where extname = 'timescaledb'" 2>/dev/null
IFS= read -r PGPASSWORD || true
export PGPASSWORD
if [ -n "$PGPASSWORD" ]; then
  PGCONNECT_TIMEOUT=10 psql -X -q -A -t -w -h 127.0.0.1 -p ${port} -U ${user} -d postgres -c "select 'login=yes'" 2>/dev/null || echo login=no
fi
true`,
        signal,
      );
      const extension = facts.get('extension');
      const done =
        facts.get('role') === 'true' &&
        (!timescaledb || extension !== undefined) &&
        (password === '' || facts.get('login') === 'yes');
      const seen = [
        facts.has('role') ? `There is a user ${user}` : `There is no user ${user}`,
        ...(timescaledb ? [extension === undefined ? 'no TimescaleDB' : `TimescaleDB ${extension}`] : []),
        ...(facts.get('login') === 'no' && facts.has('role') ? ['the password is another one'] : []),
      ];
      return { done, evidence: `${seen.join(', ')}.`, saved: {} };
    },
    test: `cd / && [ "$(${psql('template1')} -c "select count(*) from pg_roles where rolname = '${user}' and rolcreatedb")" = 1 ]${
      timescaledb
        ? ` && [ "$(${psql('template1')} -c "select count(*) from pg_extension where extname = 'timescaledb'")" = 1 ]`
        : ''
    }`,
    secretInput: [password],
    // psql ends a statement's text at no quote of a password: it quotes the variable itself.
    apply: () => `IFS= read -r password
[ -n "$password" ] || { echo 'No password was given for ${user}.' >&2; exit 1; }
cd /
PASSWORD=$password ${psql('template1')} <<'end_of_sql'
\\getenv password PASSWORD
set log_min_error_statement = panic;
select format('create role %I', '${user}') where not exists (select from pg_roles where rolname = '${user}') \\gexec
alter role ${user} login createdb nosuperuser password :'password';
grant pg_monitor to ${user};
select format('grant pg_checkpoint to %I', '${user}') where exists (select from pg_roles where rolname = 'pg_checkpoint') \\gexec
${timescaledb ? 'create extension if not exists timescaledb;\n' : ''}end_of_sql
echo 'User ${user} is there.'
`,
    undo: () => "echo 'The user goes with the cluster.'\n",
  };
}
