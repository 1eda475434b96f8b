import {
  IconArrowBackUp,
  IconCheck,
  IconCircleCheck,
  IconCircleX,
  IconClock,
  IconEye,
  IconLoader2,
  IconPencil,
  type TablerIcon,
} from '@tabler/icons-react';
import type { ReactNode } from 'react';
import type { ProvisionStep } from '../../../src-shared/model/provision.ts';
import { StateBadge, type Tone } from '../../components/StateBadge.tsx';

const looks: Record<ProvisionStep['state'], { tone: Tone; Icon: TablerIcon; word: string }> = {
  waiting: { tone: 'quiet', Icon: IconClock, word: 'Not looked at yet' },
  checking: { tone: 'accent', Icon: IconEye, word: 'Checking' },
  'already-so': { tone: 'quiet', Icon: IconCheck, word: 'Already so' },
  'to-do': { tone: 'accent', Icon: IconPencil, word: 'Will change' },
  applying: { tone: 'accent', Icon: IconLoader2, word: 'Applying' },
  verifying: { tone: 'accent', Icon: IconEye, word: 'Verifying' },
  done: { tone: 'good', Icon: IconCircleCheck, word: 'Done' },
  failed: { tone: 'bad', Icon: IconCircleX, word: 'Failed' },
  undoing: { tone: 'accent', Icon: IconLoader2, word: 'Undoing' },
  undone: { tone: 'quiet', Icon: IconArrowBackUp, word: 'Undone' },
  'not-undoable': { tone: 'warn', Icon: IconCheck, word: 'Stays as it is' },
};

export function StepStateBadge(props: { state: ProvisionStep['state'] }): ReactNode {
  const { tone, Icon, word } = looks[props.state];
  return (
    <StateBadge tone={tone} Icon={Icon}>
      {word}
    </StateBadge>
  );
}
