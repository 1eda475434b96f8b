import { quote } from '../../../hosts/quote.ts';
import { readFacts } from '../../shellCheck.ts';
import type { Step } from '../../step.ts';
import { settingLine } from '../../tuning/setting.ts';
import type { Release } from '../releases.ts';
import { workbenchNetworks } from './network.ts';
import { cluster, type Parameters } from './parameters.ts';

const mark = '# The workbench’s network, by Benchberry';

/** A cluster of its own, that listens on the network and lets the workbench's network in with a password. */
export function clusterStep({ postgres }: Release, { product, port, dataFolder }: Parameters): Step {
  const folder = `/etc/postgresql/${postgres}/${cluster}`;
  const settings = [
    settingLine({ name: 'listen_addresses', value: '*' }),
    ...(product === 'timescaledb'
      ? [
          settingLine({ name: 'shared_preload_libraries', value: 'timescaledb' }),
          settingLine({ name: 'timescaledb.telemetry_level', value: 'off' }),
        ]
      : []),
  ];
  const file = `${folder}/conf.d/10-benchberry.conf`;
  const listeners = `ss -Hltnp 'sport = :${port}'`;
  // PostgreSQL starts with one kind of address left to it: the other program's answer would be taken for its own.
  const others = `${listeners} | grep -v '"postgres"'`;
  const data = dataFolder === '' ? '' : ` --datadir ${quote(dataFolder)}`;
  return {
    id: 'cluster',
    title: `Make a cluster of its own on port ${port}`,
    changes: [
      `Cluster ${postgres}/${cluster}, data in ${dataFolder || `/var/lib/postgresql/${postgres}/${cluster}`}; it starts with the host. Other clusters are left alone.`,
      `New file ${file}: ${settings.join('; ')}`,
      `${folder}/pg_hba.conf: the network that this workbench signs in from may connect, with a password (scram-sha-256).`,
      'Undo removes the cluster with all data in it.',
    ],
    needsRoot: true,
    needsReboot: false,
    reversible: true,
    async check(remote, signal) {
      const facts = await readFacts(
        remote,
        `export LC_ALL=C
command -v pg_lsclusters >/dev/null || exit 0
pg_lsclusters -h | while read -r version name port status rest; do
  if [ "$version/$name" = ${postgres}/${cluster} ]; then echo "port=$port"; echo "status=$status"; fi
done
[ -e ${file} ] && echo ours=yes
grep -qxF ${quote(mark)} ${folder}/pg_hba.conf 2>/dev/null && echo network=yes
${listeners} | grep -Eq '(0\\.0\\.0\\.0|\\*|\\[::\\]):${port} ' && echo open=yes
${others} | sed 's/^/other=/'
true`,
        signal,
      );
      const existed = facts.has('port');
      const done =
        facts.get('status') === 'online' &&
        facts.get('port') === String(port) &&
        ['ours', 'network', 'open'].every((key) => facts.has(key)) &&
        !facts.has('other');
      const evidence = done
        ? `Cluster ${postgres}/${cluster} runs and listens on port ${port}.`
        : existed
          ? `Cluster ${postgres}/${cluster}: ${facts.get('status')}, port ${facts.get('port')}, ${facts.has('ours') ? 'made by Benchberry, not finished' : 'not made by Benchberry'}${facts.has('other') ? `; another program listens on port ${port} too` : ''}.`
          : `There is no cluster ${postgres}/${cluster}.`;
      return { done, evidence, saved: {} };
    },
    test: `[ -e ${file} ] && pg_lsclusters -h ${postgres} ${cluster} 2>/dev/null | grep -q ' online '`,
    apply: () => `if [ -d ${folder} ] && [ ! -e ${file} ]; then
  echo 'There is a cluster ${postgres}/${cluster} that Benchberry did not make: it is left alone.' >&2
  exit 1
fi
${workbenchNetworks}
if [ ! -d ${folder} ]; then
  pg_createcluster ${postgres} ${cluster} --port ${port} --locale C.UTF-8 --encoding UTF8${data}
fi
mkdir -p ${folder}/conf.d
cat > ${file} <<'end_of_file'
# Written by Benchberry.
${settings.join('\n')}
end_of_file
chown postgres:postgres ${file}
chmod 644 ${file}
if ! grep -qxF ${quote(mark)} ${folder}/pg_hba.conf; then
  { echo ${quote(mark)}; for network in $networks; do echo "host all all $network scram-sha-256"; done; } >> ${folder}/pg_hba.conf
fi
pg_ctlcluster ${postgres} ${cluster} restart || pg_ctlcluster ${postgres} ${cluster} start || {
  tail -n 20 /var/log/postgresql/postgresql-${postgres}-${cluster}.log >&2
  exit 1
}
if ${others}; then
  pg_ctlcluster ${postgres} ${cluster} stop
  echo 'Address already in use: another program listens on port ${port} too. The cluster is stopped.' >&2
  exit 1
fi
echo "Let in with a password: $networks"
`,
    undo: () => `if [ -e ${file} ]; then
  pg_dropcluster --stop ${postgres} ${cluster}
  # Files that Debian's tools did not make stay behind.
  rm -rf ${folder}
fi
rm -f /var/log/postgresql/postgresql-${postgres}-${cluster}.log*
`,
  };
}
