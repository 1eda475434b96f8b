import { Select, Text } from '@mantine/core';
import { useQueries } from '@tanstack/react-query';
import { type ReactNode, useMemo, useState } from 'react';
import { toAppError } from '../../../src-shared/errors.ts';
import type { Run } from '../../../src-shared/model/run.ts';
import { commandKey, useApi } from '../../api.tsx';
import { BandLegend } from '../../charts/BandLegend.tsx';
import { ChartGroup } from '../../charts/group.tsx';
import type { Mark } from '../../charts/panel.ts';
import { TimeChart } from '../../charts/TimeChart.tsx';
import { ErrorPanel } from '../../components/ErrorPanel.tsx';
import { SkeletonBlock } from '../../components/Skeletons.tsx';
import classes from './Compare.module.css';
import { CompareWaits } from './CompareWaits.tsx';
import { hostPanels } from './hostPanels.ts';
import { commonParts, comparePanels, mostRuns, type Part, type Recording } from './panels.ts';
import { serverPanels } from './serverPanels.ts';

/** The runs over each other, a line each, aligned on the start of what is compared. */
export function CompareCharts(props: { runs: readonly Run[]; labels: readonly string[] }): ReactNode {
  const { labels } = props;
  const runs = props.runs.slice(0, mostRuns);
  const parts = useMemo(() => commonParts(props.runs), [props.runs]);
  const [chosen, setChosen] = useState<string | null>(null);
  const part = parts.find(({ label }) => label === chosen) ?? parts[0];
  const series = useSeries(runs);
  const error = series.find((query) => query.error !== null);
  const recordings = runs.flatMap((run, i) => {
    const data = series[i]?.data;
    if (!data) return [];
    const { ticks, health, server } = data;
    return [{ run, ticks, health, server, label: labels[i] ?? run.name }];
  });
  if (part === undefined) return null;
  return (
    <section aria-labelledby="charts-title">
      <div className={classes.chartsHead}>
        <h2 id="charts-title" className={classes.title}>
          Over time
        </h2>
        {parts.length > 1 && (
          <Select
            aria-label="What the charts show"
            data={parts.map(({ label }) => label)}
            value={part.label}
            onChange={setChosen}
            allowDeselect={false}
            w={320}
          />
        )}
        <Text size="sm" c="dimmed">
          Time counts from the start of {part.label} in each run.
          {props.runs.length > mostRuns && ` The first ${mostRuns} runs are drawn.`}
        </Text>
      </div>
      {error ? (
        <ErrorPanel
          error={toAppError(error.error)}
          next={{ label: 'Try again', onClick: () => void error.refetch() }}
        />
      ) : recordings.length === runs.length ? (
        <Panels key={part.label} recordings={recordings} part={part} />
      ) : (
        <div className={classes.charts}>
          <SkeletonBlock height={240} />
          <SkeletonBlock height={240} />
        </div>
      )}
    </section>
  );
}

function Panels(props: { recordings: readonly Recording[]; part: Part }): ReactNode {
  const { recordings, part } = props;
  const { panels, duration } = useMemo(() => comparePanels(recordings, part), [recordings, part]);
  const hosts = useMemo(() => hostPanels(recordings, part), [recordings, part]);
  const servers = useMemo(() => serverPanels(recordings, part), [recordings, part]);
  const bands = useMemo(() => [...servers.bands, ...hosts.bands], [servers, hosts]);
  return (
    <ChartGroup>
      <BandLegend bands={bands} />
      <div className={classes.charts}>
        {[...panels, ...servers.panels, ...hosts.panels].map((panel) => (
          <TimeChart key={panel.id} panel={panel} marks={noMarks} bands={bands} duration={duration} />
        ))}
      </div>
      <CompareWaits waits={servers.waits} labels={recordings.map(({ label }) => label)} />
    </ChartGroup>
  );
}
const noMarks: readonly Mark[] = [];

/** The seconds of each run; fetched again when a run has changed its state. */
function useSeries(runs: readonly Run[]) {
  const api = useApi();
  return useQueries({
    queries: runs.map(({ id, status }) => ({
      queryKey: [...commandKey('runs.series', { id }), status],
      queryFn: ({ signal }: { signal: AbortSignal }) => api.call('runs.series', { id }, signal),
    })),
  });
}
