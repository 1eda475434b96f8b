import { readFacts } from '../../shellCheck.ts';
import type { Step } from '../../step.ts';

/** sudo tells who called it; root itself needs no group. */
const who = `user=\${SUDO_USER:-root}`;
const member = 'id -nG "$user" | tr " " "\\n" | grep -qx docker';

export const groupStep: Step = {
  id: 'group',
  title: 'Docker without sudo',
  changes: [
    'The user who signs in joins the group docker, which is as much as being root. It holds from the next sign-in.',
  ],
  needsRoot: true,
  needsReboot: false,
  reversible: true,
  async check(remote, signal) {
    const facts = await readFacts(
      remote,
      `${who}
echo "user=$user"
if [ "$user" = root ] || ${member}; then echo member=yes; fi`,
      signal,
    );
    const user = facts.get('user') ?? '';
    const done = facts.has('member');
    return { done, evidence: `${user} is ${done ? '' : 'not '}in the group docker.`, saved: {} };
  },
  test: `${who}
[ "$user" = root ] || ${member}`,
  apply: () => `${who}
if [ "$user" != root ]; then gpasswd -a "$user" docker; fi
`,
  undo: () => `${who}
if getent group docker >/dev/null && ${member}; then gpasswd -d "$user" docker; fi
`,
};
