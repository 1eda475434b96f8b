import { Button, SimpleGrid, Stack } from '@mantine/core';
import { IconFileImport, IconPlus, IconTerminal2 } from '@tabler/icons-react';
import { type ReactNode, useEffect, useState } from 'react';
import { Link } from 'wouter';
import type { SavedPlan } from '../../../src-shared/model/plan.ts';
import { useCommand } from '../../api.tsx';
import { EmptyHint } from '../../components/EmptyHint.tsx';
import { Loaded } from '../../components/Loaded.tsx';
import { Page } from '../../components/Page.tsx';
import { SkeletonRows } from '../../components/Skeletons.tsx';
import { StartFailed, useStartRun } from '../../components/StartRun.tsx';
import { Gallery } from '../../gallery/Gallery.tsx';
import { useGallery } from '../../gallery/useGallery.ts';
import { paths } from '../../routes.ts';
import { useDroppedFile } from '../../state/droppedFile.ts';
import { CommandLineDialog } from './CommandLineDialog.tsx';
import { ImportDialog } from './ImportDialog.tsx';
import { PlanCard } from './PlanCard.tsx';
import classes from './Plans.module.css';

/** What can be run: the samples that came with Benchberry, and the user's own. */
export function PlansScreen(): ReactNode {
  const plans = useCommand('plans.list', null);
  const [opened, setOpened] = useState<'import' | 'command-line' | null>(null);
  const close = () => setOpened(null);
  const dropped = useDroppedFile('plan');
  useEffect(() => {
    if (dropped !== null) setOpened('import');
  }, [dropped]);
  const published = new Set(useGallery()?.map(({ plan }) => plan.id));
  const run = useStartRun();
  const list = (title: string, some: readonly SavedPlan[]) =>
    some.length > 0 && (
      <section aria-label={title}>
        <h2 className={classes.heading}>{title}</h2>
        <SimpleGrid cols={{ base: 1, md: 2, xl: 3 }} spacing={16}>
          {some.map((saved) => (
            <PlanCard key={saved.id} saved={saved} run={run} />
          ))}
        </SimpleGrid>
      </section>
    );
  return (
    <Page
      title="Plans"
      wide
      actions={
        <>
          <Button
            variant="default"
            leftSection={<IconFileImport size={16} aria-hidden />}
            onClick={() => setOpened('import')}
          >
            Import YAML
          </Button>
          <Button
            variant="default"
            leftSection={<IconTerminal2 size={16} aria-hidden />}
            onClick={() => setOpened('command-line')}
          >
            Paste a command line
          </Button>
          <Button component={Link} href={paths.newPlan} leftSection={<IconPlus size={16} aria-hidden />}>
            New benchmark
          </Button>
        </>
      }
    >
      <ImportDialog opened={opened === 'import'} onClose={close} />
      <CommandLineDialog opened={opened === 'command-line'} onClose={close} />
      {run.dialog}
      <Loaded query={plans} skeleton={<SkeletonRows rows={4} />}>
        {(all) => (
          <Stack gap={24}>
            {run.error !== null && <StartFailed error={run.error} />}
            {list(
              'Your plans',
              all.filter((saved) => !saved.sample),
            )}
            {all.every((saved) => saved.sample) && (
              <EmptyHint action={{ label: 'New benchmark', href: paths.newPlan }}>
                None of your own yet. Start from a sample below, or from the defaults:
              </EmptyHint>
            )}
            <Gallery />
            {list(
              'Samples',
              all.filter((saved) => saved.sample && !published.has(saved.id)),
            )}
          </Stack>
        )}
      </Loaded>
    </Page>
  );
}
