import { z } from 'zod';
import type { FieldMeta } from '../../../../src-shared/model/form.ts';
import { activeDisturbers, disturbers, quietScript } from '../../quietHost.ts';
import { factList, readFacts } from '../../shellCheck.ts';
import type { Recipe, Step } from '../../step.ts';

const parameters = z.object({
  hours: z
    .int()
    .min(1)
    .max(168)
    .default(4)
    .meta({
      title: 'For how long',
      description:
        'After this time the host starts everything again by itself, whatever has become of the workbench.',
      unit: 'h',
    } satisfies FieldMeta),
});

const unit = 'benchberry-quiet';

/** The quiet of a run, for a stretch of time chosen by hand. */
export const quiet: Recipe = {
  id: 'quiet',
  label: 'Quiet for the run',
  description:
    'Stops the timers and services that disturb a measurement (updates, trimming, printing, Bluetooth …) and starts them again after.',
  parameters,
  refuse: ({ gui }) =>
    gui.defaultTarget.value === null
      ? 'This system does not start with systemd: its timers are not known.'
      : null,
  steps: (_host, given) => [beQuiet(parameters.parse(given).hours)],
};

function beQuiet(hours: number): Step {
  return {
    id: 'stop-disturbers',
    title: `Keep the host quiet for ${hours} h`,
    changes: [
      `Stopped, where it is on: ${disturbers.join(', ')}`,
      `The unit ${unit}.service starts all of it again after ${hours} h; so does a restart of the host.`,
    ],
    needsRoot: true,
    needsReboot: false,
    reversible: true,
    test: `[ -z "$(${activeDisturbers})" ]`,
    async check(remote, signal) {
      const facts = await readFacts(remote, `${activeDisturbers} | sed 's/^/on=/'`, signal);
      const on = factList(facts, 'on');
      return {
        done: on.length === 0,
        evidence: on.length === 0 ? 'None of it is on.' : `On: ${on.join(', ')}.`,
        saved: { on },
      };
    },
    apply: () => `systemctl stop ${unit}.service 2>/dev/null || true\n${quietScript(unit, hours * 3600)}`,
    undo: () =>
      `systemctl stop ${unit}.service 2>/dev/null || true\necho 'Started again what had been stopped'`,
  };
}
