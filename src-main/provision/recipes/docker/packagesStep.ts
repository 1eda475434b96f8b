import type { Inventory } from '../../../../src-shared/model/host.ts';
import { readFacts } from '../../shellCheck.ts';
import type { Step } from '../../step.ts';
import { installScript, removeScript } from '../packages.ts';
import type { Parameters } from './parameters.ts';

/** Shell text that prints version and architecture of a Docker that answers. */
export const answers = "docker version --format '{{.Server.Version}} {{.Server.Arch}}' 2>/dev/null";

function packagesOf(host: Inventory, source: Parameters['source']): string[] {
  if (source === 'docker') return ['docker-ce', 'docker-ce-cli', 'containerd.io', 'iptables'];
  // On trixie the command is a package of its own, only recommended by the engine's.
  return ['docker.io', ...(host.codename.value === 'trixie' ? ['docker-cli'] : []), 'iptables'];
}

/** Any Docker that answers will do; where there is none, it is installed. */
export function packagesStep(host: Inventory, { source }: Pick<Parameters, 'source'>): Step {
  const packages = packagesOf(host, source);
  return {
    id: 'packages',
    title: 'Install Docker',
    changes: [
      `Packages ${packages.join(', ')} and what they need, without recommended ones. A Docker that is there and runs is left as it is.`,
      'Undo takes away the packages that were not there before, with the images, containers and volumes that Docker then has.',
    ],
    needsRoot: true,
    needsReboot: false,
    reversible: true,
    async check(remote, signal) {
      const facts = await readFacts(
        remote,
        `echo "docker=$(${answers})"
snap list docker >/dev/null 2>&1 && echo snap=yes
true`,
        signal,
      );
      const version = facts.get('docker')?.trim() ?? '';
      const evidence = version === '' ? 'No Docker answers.' : `Docker ${version} answers.`;
      return {
        done: version !== '' && !facts.has('snap'),
        evidence: facts.has('snap')
          ? 'Docker is there as a snap, which sees only its own folders.'
          : evidence,
        saved: {},
      };
    },
    test: `${answers} | grep -q .`,
    apply: () => `if snap list docker >/dev/null 2>&1; then
  echo 'Docker is there as a snap, which sees only its own folders: take that away first (sudo snap remove docker).' >&2
  exit 1
fi
${installScript({ name: 'docker', packages })}systemctl enable --now docker
tries=0
until ${answers}; do
  tries=$((tries + 1))
  [ $tries -lt 30 ] || { journalctl -u docker -n 20 --no-pager >&2; exit 1; }
  sleep 1
done
`,
    undo: () => `if command -v docker >/dev/null && [ -e /var/lib/benchberry/docker.packages.before ]; then
  systemctl stop docker.socket docker.service containerd.service 2>/dev/null || true
fi
${removeScript('docker')}if [ ! -e /usr/bin/dockerd ]; then
  ip link delete docker0 2>/dev/null || true
  for folder in /etc/cni/net.d /etc/cni; do
    [ ! -d "$folder" ] || rmdir --ignore-fail-on-non-empty "$folder"
  done
fi
`,
  };
}
