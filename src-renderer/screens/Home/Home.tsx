import { Button, SimpleGrid, Stack, Table, Text } from '@mantine/core';
import { IconDatabasePlus, IconPlayerPlayFilled, IconPlus } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { Link, useLocation } from 'wouter';
import type { SavedPlan } from '../../../src-shared/model/plan.ts';
import type { RunHead } from '../../../src-shared/model/run.ts';
import { builtInTargets } from '../../../src-shared/model/target.ts';
import { formatCount, formatLatency, formatRate } from '../../../src-shared/units.ts';
import { useCommand } from '../../api.tsx';
import { Loaded } from '../../components/Loaded.tsx';
import { Page } from '../../components/Page.tsx';
import { SkeletonRows } from '../../components/Skeletons.tsx';
import { StartFailed, type StartRun, useStartRun } from '../../components/StartRun.tsx';
import { TimeAgo } from '../../components/TimeAgo.tsx';
import { RunVerdicts } from '../../components/VerdictBadge.tsx';
import { paths } from '../../routes.ts';
import { PlanCard } from '../Plans/PlanCard.tsx';
import { usePlanTarget } from '../Plans/usePlanTarget.ts';
import classes from './Home.module.css';

const shownRuns = 8;

/** On first start one clear next step; later the last runs and what could be run next. */
export function HomeScreen(): ReactNode {
  const runs = useCommand('runs.list', { limit: 20 });
  const plans = useCommand('plans.list', null);
  const start = useStartRun();
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
                  <Doors sample={quickest(all)} start={start} />
                ) : (
                  <LastRuns heads={heads.slice(0, shownRuns)} />
                )}
                <Samples plans={all.filter((saved) => saved.sample)} start={start} />
              </Stack>
            )}
          </Loaded>
        )}
      </Loaded>
    </Page>
  );
}

/** The sample that is over soonest and needs no target of one's own. */
function quickest(plans: readonly SavedPlan[]): SavedPlan | undefined {
  const onSandbox = plans.filter((saved) => saved.sample && saved.plan.target === builtInTargets.sandbox);
  return onSandbox.find((saved) => saved.id === 'sample:quick') ?? onSandbox[0];
}

function Doors(props: { sample: SavedPlan | undefined; start: StartRun }): ReactNode {
  const { sample, start } = props;
  const judged = useCommand(
    'plans.validate',
    { plan: sample?.plan ?? null },
    { enabled: sample !== undefined },
  );
  const { target } = usePlanTarget(builtInTargets.sandbox);
  return (
    <section aria-label="Begin">
      <Text className={classes.lead}>
        How fast does a database take data in, and how fast does it answer?
      </Text>
      <Text c="dimmed" mb={16}>
        A benchmark loads a known data set, runs known queries, and says what was measured and whether to
        trust it.
      </Text>
      <SimpleGrid cols={{ base: 1, sm: 2 }} spacing={16}>
        {sample !== undefined && target !== undefined && (
          <div className={classes.door} data-first>
            <IconPlayerPlayFilled size={28} aria-hidden />
            <h2>Try it now</h2>
            <p>
              {capital(judged.data?.summary || 'A short benchmark')} on the built-in PostgreSQL. Nothing has
              to be installed.
            </p>
            <Button size="md" loading={start.pending} onClick={() => start.start(sample.plan, target)}>
              Run the quick benchmark
            </Button>
          </div>
        )}
        <div className={classes.door}>
          <IconDatabasePlus size={28} aria-hidden />
          <h2>Use a database I have</h2>
          <p>
            PostgreSQL or TimescaleDB, on this computer or another. A benchmark makes a database of its own
            there and leaves all others alone.
          </p>
          <Button size="md" variant="default" component={Link} href={paths.newTarget}>
            Add a target
          </Button>
        </div>
      </SimpleGrid>
    </section>
  );
}

function LastRuns(props: { heads: readonly RunHead[] }): ReactNode {
  const [, navigate] = useLocation();
  return (
    <section aria-label="Last runs">
      <div className={classes.headline}>
        <h2 className={classes.heading}>Last runs</h2>
        <Button size="compact-sm" variant="subtle" color="gray" component={Link} href={paths.runs}>
          All runs
        </Button>
      </div>
      <Table.ScrollContainer minWidth={720}>
        <Table className="panel" aria-label="Last runs" highlightOnHover>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>Run</Table.Th>
              <Table.Th>Target</Table.Th>
              <Table.Th>Verdict</Table.Th>
              <Table.Th ta="right">Rows</Table.Th>
              <Table.Th ta="right">Rows/s</Table.Th>
              <Table.Th ta="right">p99</Table.Th>
              <Table.Th ta="right">When</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {props.heads.map((head) => (
              <Table.Tr key={head.id} className={classes.row} onClick={() => navigate(paths.run(head.id))}>
                <Table.Td>
                  <Link
                    href={paths.run(head.id)}
                    className={classes.runLink}
                    onClick={(e) => e.stopPropagation()}
                  >
                    {head.name}
                  </Link>
                </Table.Td>
                <Table.Td>
                  {head.targetName}
                  {head.serverLabel !== null && (
                    <Text size="xs" c="dimmed">
                      {head.serverLabel}
                    </Text>
                  )}
                </Table.Td>
                <Table.Td>
                  <RunVerdicts head={head} />
                </Table.Td>
                <Table.Td ta="right">{head.rows === null ? '–' : formatCount(head.rows)}</Table.Td>
                <Table.Td ta="right">
                  {head.rowsPerSecond === null ? '–' : formatRate(head.rowsPerSecond)}
                </Table.Td>
                <Table.Td
                  ta="right"
                  title={head.p99Us === null ? undefined : `${formatCount(head.p99Us)} µs`}
                >
                  {head.p99Us === null ? '–' : formatLatency(head.p99Us)}
                </Table.Td>
                <Table.Td ta="right">
                  <TimeAgo iso={head.startedAt} />
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
    </section>
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

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1).replace(/[.]$/, '');
}
