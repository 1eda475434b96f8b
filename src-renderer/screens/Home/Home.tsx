import { Button, SimpleGrid, Stack } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import type { SavedPlan } from '../../../src-shared/model/plan.ts';
import { useCommand } from '../../api.tsx';
import { Loaded } from '../../components/Loaded.tsx';
import { Page } from '../../components/Page.tsx';
import { SkeletonRows } from '../../components/Skeletons.tsx';
import { StartFailed, type StartRun, useStartRun } from '../../components/StartRun.tsx';
import { Gallery } from '../../gallery/Gallery.tsx';
import { useGallery } from '../../gallery/useGallery.ts';
import { paths } from '../../routes.ts';
import { PlanCard } from '../Plans/PlanCard.tsx';
import { Doors } from './Doors.tsx';
import classes from './Home.module.css';
import { LastRuns } from './LastRuns.tsx';

const shownRuns = 8;

/** On first start one clear next step; later the last runs and what could be run next. */
export function HomeScreen(): ReactNode {
  const runs = useCommand('runs.list', { limit: 20 });
  const plans = useCommand('plans.list', null);
  const start = useStartRun();
  const published = new Set(useGallery()?.map(({ plan }) => plan.id));
  return (
    <Page
      title="Home"
      wide
      actions={
        <Button
          component={Link}
          href={paths.newPlan}
          // The first start has one clear next step, and this is not it.
          variant={runs.data?.length === 0 ? 'default' : 'filled'}
          leftSection={<IconPlus size={16} aria-hidden />}
        >
          New benchmark
        </Button>
      }
    >
      {start.dialog}
      <Loaded query={runs} skeleton={<SkeletonRows />}>
        {(heads) => (
          <Loaded query={plans} skeleton={<SkeletonRows />}>
            {(all) => (
              <Stack gap={24}>
                {start.error !== null && <StartFailed error={start.error} />}
                {heads.length === 0 ? (
                  <Doors plans={all} start={start} />
                ) : (
                  <LastRuns heads={heads.slice(0, shownRuns)} />
                )}
                <Gallery />
                <Samples
                  plans={all.filter((saved) => saved.sample && !published.has(saved.id))}
                  start={start}
                />
              </Stack>
            )}
          </Loaded>
        )}
      </Loaded>
    </Page>
  );
}

function Samples(props: { plans: readonly SavedPlan[]; start: StartRun }): ReactNode {
  if (props.plans.length === 0) return null;
  return (
    <section aria-label="Sample plans">
      <h2 className={classes.heading}>Sample plans</h2>
      <SimpleGrid cols={{ base: 1, md: 2, xl: 3 }} spacing={16}>
        {props.plans.map((saved) => (
          <PlanCard key={saved.id} saved={saved} run={props.start} />
        ))}
      </SimpleGrid>
    </section>
  );
}
