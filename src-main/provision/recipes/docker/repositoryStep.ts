import type { Inventory } from '../../../../src-shared/model/host.ts';
import { quote } from '../../../hosts/quote.ts';
import { readFacts } from '../../shellCheck.ts';
import type { Step } from '../../step.ts';
import { installScript, removeScript } from '../packages.ts';
import { releaseOf } from '../releases.ts';
import { answers } from './packagesStep.ts';
import type { Parameters } from './parameters.ts';

const keyFile = '/etc/apt/keyrings/benchberry-docker.asc';
const listFile = '/etc/apt/sources.list.d/benchberry-docker.sources';

/** What Docker's own repository is called for this host, and where in it. */
function repositoryOf(host: Inventory, { repository }: Pick<Parameters, 'repository'>) {
  // Raspberry Pi OS, 32-bit too, takes the packages for Debian: there are none for Raspbian since Docker 29.
  const uri = `${repository}/${releaseOf(host)?.family ?? 'debian'}`;
  const lines = [
    'Types: deb',
    `URIs: ${uri}`,
    `Suites: ${host.codename.value}`,
    'Components: stable',
    `Architectures: ${host.userlandArch.value}`,
    `Signed-By: ${keyFile}`,
  ];
  return { uri, text: `# Written by Benchberry.\n${lines.join('\n')}\n` };
}

/** Docker's own package repository, trusted for the one key that is named by its fingerprint and for nothing else. */
export function repositoryStep(host: Inventory, given: Parameters): Step {
  const { uri, text } = repositoryOf(host, given);
  const fingerprint = given.fingerprint.replaceAll(' ', '').toUpperCase();
  const own = `[ -e ${keyFile} ] && [ "$(cat ${listFile} 2>/dev/null)" = ${quote(text.trimEnd())} ]`;
  // Somebody else's entry for the same place: a second one with another key would be an error to apt.
  const others = `grep -rlsF ${quote(uri)} /etc/apt/sources.list /etc/apt/sources.list.d | grep -vxF ${listFile}`;
  return {
    id: 'repository',
    title: 'Use Docker’s own package repository',
    changes: [
      `New file ${listFile}: ${uri}, ${host.codename.value}, stable, ${host.userlandArch.value}.`,
      `New file ${keyFile}: the key from ${uri}/gpg, taken only if it is the one with the fingerprint ${fingerprint}.`,
      'A Docker that is there and runs is left as it is, and nothing is added then.',
    ],
    needsRoot: true,
    needsReboot: false,
    reversible: true,
    async check(remote, signal) {
      const facts = await readFacts(
        remote,
        `if ${own}; then echo own=yes; fi
echo "others=$(${others} | tr '\\n' ' ')"
echo "docker=$(${answers})"
if [ -d /etc/apt/keyrings ]; then echo folder=yes; fi
true`,
        signal,
      );
      const docker = facts.get('docker')?.trim() ?? '';
      const other = facts.get('others')?.trim() ?? '';
      const saved = { hadFolder: facts.has('folder') };
      if (facts.has('own')) return { done: true, evidence: `${listFile} is there.`, saved };
      if (docker !== '') return { done: true, evidence: `Docker ${docker} answers: it is used.`, saved };
      if (other !== '') return { done: true, evidence: `${uri} is set up in ${other} already.`, saved };
      return { done: false, evidence: `${uri} is not among the package archives.`, saved };
    },
    test: `{ ${own}; } || ${answers} | grep -q . || ${others} | grep -q .`,
    apply: () => `${installScript({ name: 'docker-key', packages: ['ca-certificates', 'gpg'] })}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
/usr/lib/apt/apt-helper download-file ${quote(`${uri}/gpg`)} "$work/key"
# Every key in the file would be trusted: it has to be one, and this one.
found=$(gpg --homedir "$work" --batch --no-autostart --show-keys --with-colons "$work/key" |
  awk -F: '$1 == "pub" { primary = 1 } $1 == "fpr" && primary { print $10; primary = 0 }')
if [ "$found" != ${quote(fingerprint)} ]; then
  echo ${quote(`The key of ${uri} is not the expected one: nothing was added. Expected ${fingerprint}, found:`)} >&2
  echo "$found" >&2
  exit 1
fi
mkdir -p /etc/apt/keyrings
install -m 644 "$work/key" ${keyFile}
cat > ${listFile} <<'end_of_file'
${text}end_of_file
chmod 644 ${listFile}
# Signature, release and architecture are looked at now, by apt itself.
apt-get -q -o DPkg::Lock::Timeout=300 -o APT::Update::Error-Mode=any -o APT::Get::List-Cleanup=0 \\
  -o Dir::Etc::SourceList=${listFile} -o Dir::Etc::SourceParts=/dev/null update || {
  rm -f ${listFile} ${keyFile}
  echo ${quote(`${uri} cannot be used: nothing was added.`)} >&2
  exit 1
}
echo ${quote(`Added: ${uri}, signed by ${fingerprint}`)}
`,
    undo: (saved) => `rm -f ${listFile} ${keyFile}
${saved.hadFolder === true ? '' : '[ ! -d /etc/apt/keyrings ] || rmdir --ignore-fail-on-non-empty /etc/apt/keyrings\n'}${removeScript('docker-key')}`,
  };
}
