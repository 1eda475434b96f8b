import {
  IconArrowBackUp,
  IconCircleCheck,
  IconCircleX,
  IconEye,
  IconLoader2,
  IconPlayerStop,
  type TablerIcon,
} from '@tabler/icons-react';
import type { ReactNode } from 'react';
import type { Provisioning } from '../../../src-shared/model/provision.ts';
import { StateBadge, type Tone } from '../../components/StateBadge.tsx';

const looks: Record<Provisioning['status'], { tone: Tone; Icon: TablerIcon; word: string }> = {
  planned: { tone: 'quiet', Icon: IconEye, word: 'Planned' },
  applying: { tone: 'accent', Icon: IconLoader2, word: 'Applying' },
  done: { tone: 'good', Icon: IconCircleCheck, word: 'Done' },
  failed: { tone: 'bad', Icon: IconCircleX, word: 'Failed' },
  cancelled: { tone: 'quiet', Icon: IconPlayerStop, word: 'Stopped' },
  undoing: { tone: 'accent', Icon: IconLoader2, word: 'Undoing' },
  undone: { tone: 'quiet', Icon: IconArrowBackUp, word: 'Undone' },
};

export function ProvisioningBadge(props: { status: Provisioning['status'] }): ReactNode {
  const { tone, Icon, word } = looks[props.status];
  return (
    <StateBadge tone={tone} Icon={Icon}>
      {word}
    </StateBadge>
  );
}
