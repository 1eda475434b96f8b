import { Button, Popover, Table, Text, UnstyledButton } from '@mantine/core';
import { IconAlertTriangle, IconCheck, IconZoomExclamation, type TablerIcon } from '@tabler/icons-react';
import { type ReactNode, useState } from 'react';
import {
  type Difference,
  type DifferenceArea,
  type DifferenceGrade,
  differenceAreas,
  differenceGrades,
} from '../../../src-shared/model/comparison.ts';
import { formatCounted } from '../../../src-shared/units.ts';
import type { Tone } from '../../components/StateBadge.tsx';
import badge from '../../components/VerdictBadge.module.css';
import classes from './Compare.module.css';
import { SideTh } from './SideTh.tsx';
import type { Side } from './useSides.ts';

const areaLabels: Record<DifferenceArea, string> = {
  target: 'Target',
  host: 'Host',
  storage: 'Storage',
  network: 'Network',
  cooling: 'Cooling',
  plan: 'Plan',
  seed: 'Seed',
  server: 'Server',
  loader: 'Loader',
  client: 'Client machine',
  tool: 'Benchberry',
  health: 'Health',
};

const gradeLooks: Record<DifferenceGrade, { tone: Tone; Icon: TablerIcon; word: string }> = {
  breaks: { tone: 'bad', Icon: IconAlertTriangle, word: 'Breaks it' },
  explains: { tone: 'warn', Icon: IconZoomExclamation, word: 'May explain it' },
  harmless: { tone: 'quiet', Icon: IconCheck, word: 'Harmless' },
};

/** The gravest first; in a grade in the order of the areas. */
const grades = differenceGrades.toReversed();

/** Everything that is not the same in the set-ups, before any figure, with what it does to the comparison. */
export function Differences(props: {
  differences: readonly Difference[];
  sides: readonly Side[];
}): ReactNode {
  const { differences, sides } = props;
  const [all, setAll] = useState(false);
  const ordered = grades.flatMap((grade) =>
    differenceAreas.flatMap((area) =>
      differences.filter((difference) => difference.grade === grade && difference.area === area),
    ),
  );
  const harmless = ordered.filter(({ grade }) => grade === 'harmless').length;
  // What does nothing steps back where there is something that does.
  const folded = harmless > 3 && harmless < ordered.length && !all;
  const shown = folded ? ordered.filter(({ grade }) => grade !== 'harmless') : ordered;
  return (
    <section className="panel" aria-labelledby="differences-title">
      <h2 id="differences-title" className={classes.title}>
        What differs
      </h2>
      {differences.length === 0 ? (
        <Text>
          Nothing that is recorded: target, host, plan, seed, server, client machine and version are the same.
        </Text>
      ) : (
        <Table.ScrollContainer minWidth={640}>
          <Table verticalSpacing={4} className={classes.differences} aria-label="Differences of the set-ups">
            <Table.Thead>
              <Table.Tr>
                <Table.Th>What it does</Table.Th>
                <Table.Th>Of</Table.Th>
                <Table.Th>What</Table.Th>
                {sides.map((side) => (
                  <SideTh key={side.key} side={side} />
                ))}
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {shown.map((difference) => (
                <Table.Tr key={`${difference.area} ${difference.name}`}>
                  <Table.Td>
                    <Grade difference={difference} />
                  </Table.Td>
                  <Table.Td className="quiet">{areaLabels[difference.area]}</Table.Td>
                  <Table.Th scope="row">{difference.name}</Table.Th>
                  {difference.values.map((value, column) => (
                    <Table.Td key={sides[column]?.key} className={value === null ? 'quiet' : 'mono'}>
                      {value === ''
                        ? '(empty)'
                        : (value ?? (difference.area === 'server' ? 'default or absent' : 'none'))}
                    </Table.Td>
                  ))}
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </Table.ScrollContainer>
      )}
      {(folded || all) && (
        <Button variant="subtle" size="compact-sm" mt={8} className="no-print" onClick={() => setAll(!all)}>
          {all ? 'Show less' : `Show ${formatCounted(harmless, 'harmless difference')} too`}
        </Button>
      )}
    </section>
  );
}

function Grade(props: { difference: Difference }): ReactNode {
  const { grade, reason } = props.difference;
  const { tone, Icon, word } = gradeLooks[grade];
  return (
    <Popover width={320} position="bottom-start">
      <Popover.Target>
        <UnstyledButton className={badge.badge} data-tone={tone} aria-label={`${word}. Why?`}>
          <Icon size={14} aria-hidden />
          {word}
        </UnstyledButton>
      </Popover.Target>
      <Popover.Dropdown>
        <Text size="sm">
          {reason.slice(0, 1).toUpperCase()}
          {reason.slice(1)}.
        </Text>
      </Popover.Dropdown>
    </Popover>
  );
}
