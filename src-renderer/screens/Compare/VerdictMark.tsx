import { Popover, Text, UnstyledButton } from '@mantine/core';
import {
  IconArrowDownRight,
  IconArrowUpRight,
  IconEqualNot,
  IconHelp,
  IconTilde,
  type TablerIcon,
} from '@tabler/icons-react';
import type { ReactNode } from 'react';
import type { ComparisonKind, ComparisonVerdict } from '../../../src-shared/model/comparison.ts';
import type { Tone } from '../../components/StateBadge.tsx';
import classes from '../../components/VerdictBadge.module.css';

const looks: Record<ComparisonKind, { tone: Tone; Icon: TablerIcon; word: string }> = {
  faster: { tone: 'good', Icon: IconArrowUpRight, word: 'Better' },
  slower: { tone: 'bad', Icon: IconArrowDownRight, word: 'Worse' },
  'no-difference': { tone: 'quiet', Icon: IconTilde, word: 'No difference shown' },
  'cannot-tell': { tone: 'quiet', Icon: IconHelp, word: "Can't tell" },
  'not-comparable': { tone: 'warn', Icon: IconEqualNot, word: 'Not comparable' },
};

/** What is said of a side against the base: icon, word and colour; opens what it rests on. */
export function VerdictMark(props: { verdict: ComparisonVerdict; short?: boolean }): ReactNode {
  const { verdict, short = false } = props;
  const { tone, Icon, word } = looks[verdict.kind];
  return (
    <Popover width={340} position="bottom-end">
      <Popover.Target>
        <UnstyledButton className={classes.badge} data-tone={tone} aria-label={`${word}. Why?`}>
          <Icon size={14} aria-hidden />
          {!short && word}
        </UnstyledButton>
      </Popover.Target>
      <Popover.Dropdown ta="left">
        <Text size="sm" fw={600} mb={4}>
          {verdict.sentence}
        </Text>
        <Text size="sm">{verdict.reason}</Text>
      </Popover.Dropdown>
    </Popover>
  );
}
