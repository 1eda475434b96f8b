import { Button, Text } from '@mantine/core';
import { IconArrowsDiff, IconColumns } from '@tabler/icons-react';
import { type ReactNode, useState } from 'react';
import { Link } from 'wouter';
import type { RunHead } from '../../../src-shared/model/run.ts';
import { compareWords, mostSides, sidesOf } from '../../../src-shared/model/sideKey.ts';
import { useCommand } from '../../api.tsx';
import { EmptyState } from '../../components/EmptyState.tsx';
import { Loaded } from '../../components/Loaded.tsx';
import { SkeletonRows } from '../../components/Skeletons.tsx';
import { paths } from '../../routes.ts';
import { RunList } from '../Runs/RunList.tsx';
import classes from './Compare.module.css';

/** Two or more are chosen here; the first chosen is the base. `chosen`: one that the address names already. */
export function SidePicker(props: {
  chosen: readonly string[];
  onChoose: (keys: readonly string[]) => void;
}): ReactNode {
  const counts = useCommand('runs.facets', {});
  const [chosen, setChosen] = useState<readonly RunHead[]>([]);
  const added = useChosenSides(chosen);
  const keys = [...props.chosen, ...added.filter((key) => !props.chosen.includes(key))];
  return (
    <Loaded query={counts} skeleton={<SkeletonRows rows={8} />}>
      {({ all, archived }) =>
        all + archived < 2 ? (
          <EmptyState
            Icon={IconArrowsDiff}
            title={all === 0 ? 'No run to compare yet' : 'One run, and two are needed'}
            action={
              <Button component={Link} href={paths.newPlan}>
                New benchmark
              </Button>
            }
          >
            Run the same plan on two targets, or twice with one setting changed; then both can be put side by
            side here.
          </EmptyState>
        ) : (
          <div className={classes.stack}>
            <div className={classes.chartsHead}>
              <Text>
                Choose two or more runs, or groups of repeats. The first one chosen is the base that changes
                count from.
              </Text>
              <Button
                leftSection={<IconColumns size={16} aria-hidden />}
                disabled={keys.length < 2 || keys.length > mostSides}
                title={keys.length > mostSides ? `At most ${mostSides} stand side by side.` : undefined}
                onClick={() => props.onChoose(keys)}
              >
                {keys.length < 2 ? 'Compare' : compareWords(keys)}
              </Button>
            </div>
            <RunList chosen={chosen} onChoose={setChosen} />
          </div>
        )
      }
    </Loaded>
  );
}

/** The sides that chosen runs make: all repeats of one set-up are one. */
export function useChosenSides(chosen: readonly RunHead[]): string[] {
  const series = useCommand('series.list', null).data ?? [];
  return sidesOf(
    chosen.map(({ id }) => id),
    series,
  ).keys;
}
