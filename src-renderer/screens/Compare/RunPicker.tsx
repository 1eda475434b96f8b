import { Button, Text } from '@mantine/core';
import { IconArrowsDiff, IconColumns } from '@tabler/icons-react';
import { type ReactNode, useState } from 'react';
import { Link } from 'wouter';
import { useCommand } from '../../api.tsx';
import { EmptyState } from '../../components/EmptyState.tsx';
import { Loaded } from '../../components/Loaded.tsx';
import { SkeletonRows } from '../../components/Skeletons.tsx';
import { paths } from '../../routes.ts';
import { RunsTable } from '../Runs/RunsTable.tsx';
import classes from './Compare.module.css';

/** Two or more runs are chosen here; the first chosen is the base. */
export function RunPicker(props: {
  chosen: readonly string[];
  onChoose: (ids: readonly string[]) => void;
}): ReactNode {
  const runs = useCommand('runs.list', {});
  const [chosen, setChosen] = useState(props.chosen);
  return (
    <Loaded query={runs} skeleton={<SkeletonRows rows={8} />}>
      {(heads) =>
        heads.length < 2 ? (
          <EmptyState
            Icon={IconArrowsDiff}
            title={heads.length === 0 ? 'No run to compare yet' : 'One run, and two are needed'}
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
              <Text>Choose two or more runs. The first one chosen is the base that changes count from.</Text>
              <Button
                leftSection={<IconColumns size={16} aria-hidden />}
                disabled={chosen.length < 2}
                onClick={() => props.onChoose(chosen)}
              >
                {chosen.length < 2 ? 'Compare' : `Compare ${chosen.length} runs`}
              </Button>
            </div>
            <RunsTable heads={heads} chosen={chosen} onChoose={setChosen} />
          </div>
        )
      }
    </Loaded>
  );
}
