import { Text } from '@mantine/core';
import type { ReactNode } from 'react';
import type { RunSeries } from '../../../src-shared/model/runSeries.ts';
import { seriesSentence } from '../../../src-shared/stats/runSeries.ts';
import { useCommand } from '../../api.tsx';
import { Loaded } from '../../components/Loaded.tsx';
import { Page } from '../../components/Page.tsx';
import { SkeletonRows } from '../../components/Skeletons.tsx';
import { TimeAgo } from '../../components/TimeAgo.tsx';
import { paths } from '../../routes.ts';
import { Actions } from './Actions.tsx';
import { Present } from './Present.tsx';
import { Scaling } from './Scaling.tsx';
import classes from './Series.module.css';
import { SeriesTable } from './SeriesTable.tsx';

const crumbs = [{ label: 'Runs', href: paths.runs }];

/** Repeats or a sweep, while it is on and ever after: how it stands, its cells, and how the rate grows with a parameter. */
export function SeriesScreen(props: { id: string }): ReactNode {
  const series = useCommand('series.get', { id: props.id });
  const inPage = (children: ReactNode) => (
    <Page title="Series" crumbs={crumbs} wide>
      {children}
    </Page>
  );
  return (
    <Loaded query={series} skeleton={inPage(<SkeletonRows rows={6} />)} frame={inPage}>
      {(data) => <SeriesPage series={data} />}
    </Loaded>
  );
}

function SeriesPage(props: { series: RunSeries }): ReactNode {
  const { series } = props;
  const { plan, targets, parameters } = series;
  return (
    <Page
      title={`${plan.name} on ${targets.join(', ')}`}
      crumbs={crumbs}
      wide
      actions={<Actions series={series} />}
    >
      <div className={classes.stack}>
        <div>
          <Text fw={600} role="status">
            {seriesSentence(series)}
          </Text>
          <Text size="sm" c="dimmed">
            {kindOf(series)} Started <TimeAgo iso={series.startedAt} />
            {series.resumedAt !== null && (
              <>
                , resumed <TimeAgo iso={series.resumedAt} />
              </>
            )}
            {series.endedAt !== null && (
              <>
                , ended <TimeAgo iso={series.endedAt} />
              </>
            )}
            .
          </Text>
        </div>
        {series.endedAt === null && <Present series={series} />}
        <SeriesTable series={series} />
        {parameters.length > 0 && <Scaling series={series} />}
      </div>
    </Page>
  );
}

/** In which order its runs follow each other. */
function kindOf({ plan, targets, parameters }: RunSeries): string {
  const cells = parameters.length > 0 ? 'cell by cell, the last parameter changing fastest' : '';
  const on = targets.length > 1 ? `${cells === '' ? '' : 'each '}on ${targets.join(', then ')}` : '';
  const round = [cells, on].filter((part) => part !== '').join(', ');
  const words = plan.repeat > 1 ? `${plan.repeat} rounds${round === '' ? '' : `, in each: ${round}`}` : round;
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}.`;
}
