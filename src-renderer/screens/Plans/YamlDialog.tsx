import { Modal } from '@mantine/core';
import type { ReactNode } from 'react';
import type { Plan } from '../../../src-shared/model/plan.ts';
import { useCommand } from '../../api.tsx';
import { Loaded } from '../../components/Loaded.tsx';
import { SavableText } from '../../components/SavableText.tsx';
import { SkeletonBlock } from '../../components/Skeletons.tsx';

/** The plan as the file that the terminal runs and another machine imports. */
export function YamlDialog(props: { plan: Plan; onClose: () => void }): ReactNode {
  const yaml = useCommand('plans.toYaml', { plan: props.plan });
  return (
    <Modal opened onClose={props.onClose} title={`${props.plan.name} as YAML`} size="lg">
      <Loaded query={yaml} skeleton={<SkeletonBlock height={240} />}>
        {(text) => <SavableText text={text} fileName={fileNameOf(props.plan.name)} />}
      </Loaded>
    </Modal>
  );
}

/** `TSBS on rpi-3` → `tsbs-on-rpi-3.yaml`. */
function fileNameOf(name: string): string {
  const stem = name
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '');
  return `${stem === '' ? 'plan' : stem}.yaml`;
}
