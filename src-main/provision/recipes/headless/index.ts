import { z } from 'zod';
import type { FieldMeta } from '../../../../src-shared/model/form.ts';
import type { Inventory } from '../../../../src-shared/model/host.ts';
import type { Recipe, Step } from '../../step.ts';
import { bootTarget, dietPiAutostart, disableDisplayManager, maskUnits, stopDesktop } from './steps.ts';

const parameters = z.object({
  stronger: z
    .boolean()
    .default(false)
    .meta({
      title: 'Switch off every part of the desktop',
      description:
        'Also disables the display manager (lightdm, gdm3, sddm) and keeps the boot screen (plymouth) and the graphical target from ever starting. The usual form only changes what the host boots into, which frees the same memory.',
    } satisfies FieldMeta),
});

/** Boots without the desktop and ends the running one: its memory and its share of the processor go to the database. */
export const headless: Recipe = {
  id: 'headless',
  label: 'Headless',
  description: 'Boots without the desktop and ends the running one, so that its memory goes to the database.',
  parameters,
  refuse: ({ gui }) =>
    gui.defaultTarget.value === null
      ? 'This system does not start with systemd: nothing is known of its desktop.'
      : null,
  steps(host, given) {
    const { stronger } = parameters.parse(given);
    return [stopDesktop(), ...bootSteps(host), ...(stronger ? strongerSteps() : [])];
  },
};

function bootSteps({ distribution }: Inventory): Step[] {
  return distribution.value === 'dietpi' ? [dietPiAutostart(), bootTarget()] : [bootTarget()];
}

function strongerSteps(): Step[] {
  return [
    disableDisplayManager(),
    maskUnits({
      id: 'plymouth',
      title: 'Keep the boot screen from starting',
      units: [
        'plymouth-start.service',
        'plymouth-read-write.service',
        'plymouth-quit.service',
        'plymouth-quit-wait.service',
      ],
    }),
    maskUnits({
      id: 'graphical-target',
      title: 'Keep the graphical target from starting',
      units: ['graphical.target'],
    }),
  ];
}
