import { Popover, Text, UnstyledButton } from '@mantine/core';
import {
  IconAlertTriangle,
  IconBoltOff,
  IconBook2,
  IconCircleCheck,
  IconCircleX,
  IconDatabaseX,
  IconFileImport,
  IconGauge,
  IconHourglassLow,
  IconLoader2,
  IconPlayerStop,
  IconPlugX,
  IconPower,
  IconSwitch2,
  IconTargetOff,
  IconTemperaturePlus,
  type TablerIcon,
} from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { isActive, type RunHead } from '../../src-shared/model/run.ts';
import { type Verdict, type VerdictCode, verdictLabels } from '../../src-shared/model/verdict.ts';
import { StateBadge, type Tone } from './StateBadge.tsx';
import classes from './VerdictBadge.module.css';

const looks: Record<VerdictCode, { tone: Tone; Icon: TablerIcon }> = {
  valid: { tone: 'good', Icon: IconCircleCheck },
  'client-bound': { tone: 'warn', Icon: IconGauge },
  'rate-not-held': { tone: 'warn', Icon: IconGauge },
  errors: { tone: 'bad', Icon: IconAlertTriangle },
  'rows-missing': { tone: 'bad', Icon: IconAlertTriangle },
  'host-rebooted': { tone: 'bad', Icon: IconPower },
  throttled: { tone: 'warn', Icon: IconTemperaturePlus },
  'under-voltage': { tone: 'warn', Icon: IconBoltOff },
  swapping: { tone: 'warn', Icon: IconSwitch2 },
  'disk-full': { tone: 'bad', Icon: IconDatabaseX },
  'threshold-missed': { tone: 'bad', Icon: IconTargetOff },
  'too-short': { tone: 'warn', Icon: IconHourglassLow },
  interrupted: { tone: 'quiet', Icon: IconPlugX },
  cancelled: { tone: 'quiet', Icon: IconPlayerStop },
  failed: { tone: 'bad', Icon: IconCircleX },
  imported: { tone: 'quiet', Icon: IconFileImport },
  published: { tone: 'quiet', Icon: IconBook2 },
};

/** Icon, word and colour; opens why, and what to do about it. Several phases may come to one verdict, each for its reason. */
function VerdictBadge(props: { code: VerdictCode; verdicts: readonly Verdict[] }): ReactNode {
  const { code, verdicts } = props;
  const { tone, Icon } = looks[code];
  const advices = [...new Set(verdicts.map(({ advice }) => advice))].filter((advice) => advice !== '');
  return (
    <Popover width={340} position="bottom-start">
      <Popover.Target>
        <UnstyledButton
          className={classes.badge}
          data-tone={tone}
          aria-label={`Verdict: ${verdictLabels[code]}. Why?`}
          onClick={(event) => event.stopPropagation()}
        >
          <Icon size={14} aria-hidden />
          {verdictLabels[code]}
        </UnstyledButton>
      </Popover.Target>
      <Popover.Dropdown onClick={(event) => event.stopPropagation()}>
        <Text size="sm" fw={600} mb={4}>
          {verdictLabels[code]}
        </Text>
        {verdicts.map(({ reason }) => (
          <Text key={reason} size="sm" mb={4}>
            {reason}
          </Text>
        ))}
        {advices.length > 0 && (
          <Text size="sm" mt={8}>
            <b>What to do:</b> {advices.join(' ')}
          </Text>
        )}
      </Popover.Dropdown>
    </Popover>
  );
}

/** What stands beside a run's figures: its verdicts, or that it is still on. */
export function RunVerdicts(props: { head: Pick<RunHead, 'status' | 'verdicts'> }): ReactNode {
  const { status, verdicts } = props.head;
  if (isActive(status)) {
    return (
      <StateBadge tone="accent" Icon={IconLoader2}>
        {status === 'preparing' ? 'Preparing' : 'Running'}
      </StateBadge>
    );
  }
  return (
    <span className={classes.row}>
      {[...Map.groupBy(verdicts, ({ code }) => code)].map(([code, own]) => (
        <VerdictBadge key={code} code={code} verdicts={own} />
      ))}
    </span>
  );
}
