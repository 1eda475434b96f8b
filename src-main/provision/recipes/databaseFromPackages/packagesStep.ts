import type { Step } from '../../step.ts';
import { installScript, missingPackages, packagesTest, removeScript } from '../packages.ts';
import type { Release } from '../releases.ts';
import type { Parameters } from './parameters.ts';

const noMain = '/etc/postgresql-common/createcluster.d/benchberry.conf';

/** The packages; no cluster `main` is made that nobody asked for. */
export function packagesStep(release: Release, { product }: Parameters): Step {
  const server = `postgresql-${release.postgres}`;
  const packages = [
    server,
    ...(product === 'timescaledb' && release.timescaledb ? [release.timescaledb] : []),
  ];
  return {
    id: 'packages',
    title: `Install ${product === 'timescaledb' ? 'TimescaleDB' : 'PostgreSQL'}`,
    changes: [
      `Packages ${packages.join(' and ')} and what they need, without recommended ones.`,
      ...(product === 'timescaledb'
        ? ['The edition is the Apache one: hypertables yes; compression and continuous aggregates no.']
        : []),
      'Undo takes away the packages that were not there before, unless something else needs them by then.',
    ],
    needsRoot: true,
    needsReboot: false,
    reversible: true,
    async check(remote, signal) {
      const missing = await missingPackages(remote, packages, signal);
      const evidence =
        missing.length === 0 ? `Installed: ${packages.join(', ')}.` : `Not installed: ${missing.join(', ')}.`;
      return { done: missing.length === 0, evidence, saved: { missing } };
    },
    test: packagesTest(packages),
    apply: () =>
      `${installScript({
        name: 'database',
        packages,
        before: `if ! dpkg-query -W -f '\${db:Status-Abbrev}' postgresql-common 2>/dev/null | grep -q '^ii'; then
  apt-get -q -y -o DPkg::Lock::Timeout=300 install --no-install-recommends postgresql-common
fi
# No cluster "main" that nobody asked for; only for as long as packages are installed.
trap 'rm -f ${noMain}' EXIT
mkdir -p /etc/postgresql-common/createcluster.d
echo 'create_main_cluster = false' > ${noMain}
`,
      })}`,
    undo: () => `rm -f ${noMain}
if command -v pg_lsclusters >/dev/null && [ -n "$(pg_lsclusters -h)" ]; then
  echo 'The packages stay: there are other clusters.'
  pg_lsclusters
else
  ${removeScript('database').trim().replaceAll('\n', '\n  ')}
  for folder in /etc/postgresql/${release.postgres} /etc/postgresql /etc/postgresql-common/createcluster.d /etc/postgresql-common; do
    [ ! -d "$folder" ] || rmdir --ignore-fail-on-non-empty "$folder"
  done
fi
`,
  };
}
