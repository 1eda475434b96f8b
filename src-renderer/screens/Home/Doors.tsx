import { Button, SimpleGrid, Text } from '@mantine/core';
import { IconDatabasePlus, IconPlayerPlayFilled, IconServerCog } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import type { SavedPlan } from '../../../src-shared/model/plan.ts';
import { builtInTargets } from '../../../src-shared/model/target.ts';
import { useCommand } from '../../api.tsx';
import type { StartRun } from '../../components/StartRun.tsx';
import { paths } from '../../routes.ts';
import { usePlanTarget } from '../Plans/usePlanTarget.ts';
import classes from './Home.module.css';

/** The first start: one click to a running benchmark, or the way to a database of one’s own. */
export function Doors(props: { plans: readonly SavedPlan[]; start: StartRun }): ReactNode {
  const { start } = props;
  const sample = quickest(props.plans);
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
      <SimpleGrid cols={{ base: 1, md: 3 }} spacing={16}>
        {sample !== undefined && (
          <div className={classes.door} data-first>
            <IconPlayerPlayFilled size={28} aria-hidden />
            <h2>Try it now</h2>
            <p>
              {capital(judged.data?.summary || 'A short benchmark')} on the built-in PostgreSQL. Nothing has
              to be installed.
            </p>
            <Button
              size="md"
              loading={start.pending}
              disabled={target === undefined}
              onClick={() => target !== undefined && start.start(sample.plan, target)}
            >
              Run the quick benchmark
            </Button>
          </div>
        )}
        <div className={classes.door}>
          <IconServerCog size={28} aria-hidden />
          <h2>Set up a Raspberry Pi</h2>
          <p>
            From a bare board to a tuned database, over SSH. Every change is shown before it is made, with its
            way back.
          </p>
          <Button size="md" variant="default" component={Link} href={paths.newHost}>
            Connect to a Pi
          </Button>
        </div>
        <div className={classes.door}>
          <IconDatabasePlus size={28} aria-hidden />
          <h2>Use a database I have</h2>
          <p>
            PostgreSQL, TimescaleDB, QuestDB and others, on this computer or another. A benchmark leaves alone
            what it has not made.
          </p>
          <Button size="md" variant="default" component={Link} href={paths.newTarget}>
            Add a target
          </Button>
        </div>
      </SimpleGrid>
    </section>
  );
}

/** The sample that is over soonest and needs no target of one's own. */
function quickest(plans: readonly SavedPlan[]): SavedPlan | undefined {
  const onSandbox = plans.filter((saved) => saved.sample && saved.plan.target === builtInTargets.sandbox);
  return onSandbox.find((saved) => saved.id === 'sample:quick') ?? onSandbox[0];
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1).replace(/[.]$/, '');
}
