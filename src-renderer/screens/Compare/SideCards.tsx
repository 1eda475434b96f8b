import { ActionIcon, Radio, Text } from '@mantine/core';
import { IconArrowLeft, IconArrowRight, IconX } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import type { ComparisonVerdict } from '../../../src-shared/model/comparison.ts';
import { RunWhen } from '../../components/RunWhen.tsx';
import { RunVerdicts } from '../../components/VerdictBadge.tsx';
import { paths } from '../../routes.ts';
import classes from './Compare.module.css';
import { GroupRuns } from './GroupRuns.tsx';
import type { Side } from './useSides.ts';
import { VerdictMark } from './VerdictMark.tsx';

/** The sides in their order and colours; one of them is the base that changes count from. */
export function SideCards(props: {
  sides: readonly Side[];
  base: number;
  verdicts: readonly (ComparisonVerdict | null)[];
  onBase: (index: number) => void;
  onDrop: (key: string) => void;
  onMove: (from: number, to: number) => void;
}): ReactNode {
  const { sides, base } = props;
  return (
    <Radio.Group
      value={sides[base]?.key ?? null}
      onChange={(key) => props.onBase(sides.findIndex((side) => side.key === key))}
      aria-label="Base of the comparison"
    >
      <ul className={classes.runs}>
        {sides.map((side, i) => (
          <li key={side.key} className={classes.run} style={{ borderTopColor: side.color }}>
            <div className={classes.runHead}>
              <SideName side={side} />
              <span className={classes.moves}>
                <ActionIcon
                  variant="subtle"
                  color="gray"
                  size="sm"
                  aria-label={`Move ${side.label} to the left`}
                  disabled={i === 0}
                  onClick={() => props.onMove(i, i - 1)}
                >
                  <IconArrowLeft size={14} aria-hidden />
                </ActionIcon>
                <ActionIcon
                  variant="subtle"
                  color="gray"
                  size="sm"
                  aria-label={`Move ${side.label} to the right`}
                  disabled={i === sides.length - 1}
                  onClick={() => props.onMove(i, i + 1)}
                >
                  <IconArrowRight size={14} aria-hidden />
                </ActionIcon>
                <ActionIcon
                  variant="subtle"
                  color="gray"
                  size="sm"
                  aria-label={`Leave ${side.label} out`}
                  onClick={() => props.onDrop(side.key)}
                >
                  <IconX size={14} aria-hidden />
                </ActionIcon>
              </span>
            </div>
            <div className={classes.runFacts}>
              {side.name} on {side.targetName}
              {serverOf(side)}
            </div>
            {side.group === null ? null : <GroupRuns side={side} />}
            <div className={classes.runFoot}>
              {side.group === null && side.runs[0] !== undefined && (
                <>
                  <RunVerdicts head={side.runs[0]} />
                  <RunWhen head={side.runs[0]} />
                </>
              )}
              {props.verdicts[i] && <VerdictMark verdict={props.verdicts[i]} />}
              <Radio value={side.key} label="Base" size="xs" />
            </div>
          </li>
        ))}
      </ul>
    </Radio.Group>
  );
}

function serverOf({ runs }: Side): string {
  const labels = [...new Set(runs.map(({ serverLabel }) => serverLabel))];
  return labels.length === 1 && labels[0] ? ` · ${labels[0]}` : '';
}

function SideName(props: { side: Side }): ReactNode {
  const { side } = props;
  const [first] = side.runs;
  if (side.group === null && first !== undefined) {
    return (
      <Link href={paths.run(first.id)} className={classes.runLink ?? ''}>
        {side.label}
      </Link>
    );
  }
  return (
    <Text component="span" fw={600} className={classes.runLink ?? ''}>
      {side.label}
    </Text>
  );
}
