import { z } from 'zod';
import type { Recipe } from '../../src-main/provision/step.ts';

const step = { changes: [], needsRoot: true, reversible: true, needsReboot: false };
/** Two steps that hold after a restart only. */
const restarts: Recipe = {
  id: 'lab-restarts',
  label: 'Holds after a restart',
  description: '',
  parameters: z.object({}),
  refuse: () => null,
  steps: () =>
    ['one', 'two'].map((id) => ({
      ...step,
      id,
      title: `Holds after a restart: ${id}`,
      needsReboot: true,
      async check(remote, signal) {
        const made = (await remote.readFile(`/etc/lab-${id}`, { signal }))?.trim() ?? '';
        const boot = (await remote.readFile('/proc/sys/kernel/random/boot_id', { signal }))?.trim();
        return { done: made !== '' && made !== boot, evidence: made === '' ? 'Not made' : 'Made', saved: {} };
      },
      test: `[ -e /etc/lab-${id} ]`,
      apply: () => `cat /proc/sys/kernel/random/boot_id > /etc/lab-${id}; echo made >> /etc/lab-times-${id}`,
      undo: () => `rm -f /etc/lab-${id} /etc/lab-times-${id}`,
    })),
};
/** A step that begins, takes a secret, and ends when it is let. */
const slow: Recipe = {
  id: 'lab-slow',
  label: 'Takes its time',
  description: '',
  parameters: z.object({ secret: z.string().default('').meta({ kind: 'secret' }) }),
  refuse: () => null,
  steps: (_host, { secret }) => [
    {
      ...step,
      id: 'wait',
      title: 'Wait for a file',
      secretInput: [z.string().parse(secret)],
      async check(remote, signal) {
        const text = await remote.readFile('/etc/lab-slow', { root: true, signal });
        return {
          done: text === 'all\n',
          evidence: text === null ? 'No file' : 'A file',
          saved: { before: text ?? '' },
        };
      },
      test: '[ "$(cat /etc/lab-slow 2>/dev/null)" = all ]',
      apply: () => `IFS= read -r secret
printf %s "$secret" | sha256sum > /etc/lab-secret
echo half > /etc/lab-slow
echo begun >> /etc/lab-times
while [ ! -e /run/lab-go ]; do sleep 0.1; done
echo all > /etc/lab-slow`,
      undo: (saved) =>
        `rm -f /etc/lab-slow /etc/lab-times /etc/lab-secret; echo ${JSON.stringify(saved).length}`,
    },
  ],
};

export const labRecipes: readonly Recipe[] = [restarts, slow];
