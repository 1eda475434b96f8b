import { Button } from '@mantine/core';
import {
  IconArrowsDiff,
  IconPlayerPlay,
  IconPlayerStopFilled,
  IconRotateClockwise,
} from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import type { RunSeries } from '../../../src-shared/model/runSeries.ts';
import { groupKey, mostSides } from '../../../src-shared/model/sideKey.ts';
import { seriesCells, seriesCounts } from '../../../src-shared/stats/runSeries.ts';
import { formatCounted } from '../../../src-shared/units.ts';
import { useAction, useApi } from '../../api.tsx';
import { useStartRun } from '../../components/StartRun.tsx';
import { toastError } from '../../components/toasts.tsx';
import { paths } from '../../routes.ts';
import { useActiveBenchmark } from '../../shell/useActiveBenchmark.ts';

/** Stop while it is on; afterwards what can be done with it. */
export function Actions(props: { series: RunSeries }): ReactNode {
  const { series } = props;
  const api = useApi();
  const stop = useAction('series.stop');
  const run = useStartRun(toastError);
  const busy = useActiveBenchmark() !== null;
  if (series.endedAt === null) {
    return (
      <Button
        leftSection={<IconPlayerStopFilled size={16} aria-hidden />}
        loading={stop.isPending}
        title="Ends the run that is on, and those that would come; what was measured is kept, and it can be resumed"
        onClick={() => stop.mutate({ id: series.id }, { onError: toastError })}
      >
        Stop the series
      </Button>
    );
  }
  const { open, failed } = seriesCounts(series);
  const sides = seriesCells(series)
    .filter(({ spread }) => spread !== null)
    .map(({ cell, target }) => groupKey({ series: series.id, cell, target }));
  const why = busy ? 'A benchmark is on: another one would disturb it.' : undefined;
  async function runAgain(): Promise<void> {
    const targets = await Promise.all(
      series.targets.map((nameOrUrl) => api.call('targets.resolve', { nameOrUrl })),
    );
    run.start(series.plan, ...targets);
  }
  return (
    <>
      {sides.length > 1 && (
        <Button
          variant="default"
          component={Link}
          href={paths.compare(sides.slice(0, mostSides))}
          leftSection={<IconArrowsDiff size={16} aria-hidden />}
        >
          Compare
        </Button>
      )}
      {failed > 0 && (
        <Button
          variant="default"
          leftSection={<IconRotateClockwise size={16} aria-hidden />}
          disabled={busy}
          loading={run.pending}
          title={why ?? 'Runs those that failed once more, and those that have no end yet'}
          onClick={() => run.resume(series, true)}
        >
          Run the failed again
        </Button>
      )}
      {open > 0 ? (
        <Button
          leftSection={<IconPlayerPlay size={16} aria-hidden />}
          disabled={busy}
          loading={run.pending}
          title={why ?? 'Goes on with what has no end yet'}
          onClick={() => run.resume(series, false)}
        >
          Resume, {formatCounted(open, 'run')} left
        </Button>
      ) : (
        <Button
          leftSection={<IconPlayerPlay size={16} aria-hidden />}
          disabled={busy}
          loading={run.pending}
          title={why ?? 'A new series of the same plan on the same targets'}
          onClick={() => void runAgain().catch(toastError)}
        >
          Run again
        </Button>
      )}
      {run.dialog}
    </>
  );
}
