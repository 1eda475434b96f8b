import { Modal } from '@mantine/core';
import type { ReactNode } from 'react';
import type { Plan } from '../../../src-shared/model/plan.ts';
import { useCommand } from '../../api.tsx';
import { Loaded } from '../../components/Loaded.tsx';
import { SavableText } from '../../components/SavableText.tsx';
import { SkeletonBlock } from '../../components/Skeletons.tsx';
import { LeftOutList } from './ReadPlan.tsx';

/** The plan's load as a configuration of `tsbs_load`, and what such a file has no word for. */
export function TsbsDialog(props: { plan: Plan; onClose: () => void }): ReactNode {
  const config = useCommand('plans.toTsbsConfig', { plan: props.plan });
  return (
    <Modal opened onClose={props.onClose} title={`${props.plan.name} for tsbs_load`} size="lg">
      <Loaded query={config} skeleton={<SkeletonBlock height={240} />}>
        {({ text, leftOut }) => (
          <SavableText text={text} fileName="config.yaml">
            <LeftOutList leftOut={leftOut} />
          </SavableText>
        )}
      </Loaded>
    </Modal>
  );
}
