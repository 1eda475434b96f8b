import { SegmentedControl, Select, Text } from '@mantine/core';
import { type ReactNode, useMemo, useState } from 'react';
import { headRate } from '../../../src-shared/headRate.ts';
import type { Run } from '../../../src-shared/model/run.ts';
import { useCommands } from '../../api.tsx';
import { BandLegend } from '../../charts/BandLegend.tsx';
import { ChartGroup } from '../../charts/group.tsx';
import type { Mark } from '../../charts/panel.ts';
import { TimeChart } from '../../charts/TimeChart.tsx';
import { elapsedAxis, rowsAxis } from '../../charts/xAxis.ts';
import { ErrorPanel } from '../../components/ErrorPanel.tsx';
import { SkeletonBlock } from '../../components/Skeletons.tsx';
import classes from './Compare.module.css';
import { CompareWaits } from './CompareWaits.tsx';
import { hostPanels } from './hostPanels.ts';
import { Latencies } from './Latencies.tsx';
import { type Alignment, commonParts, comparePanels, type Part, type Recording } from './panels.ts';
import { serverPanels } from './serverPanels.ts';
import type { Side } from './useSides.ts';

/** The sides over each other, a line each, aligned on the start of what is compared or on the rows loaded. */
export function CompareCharts(props: { sides: readonly Side[] }): ReactNode {
  const { sides } = props;
  const parts = useMemo(() => commonParts(sides), [sides]);
  const [chosen, setChosen] = useState<string | null>(null);
  const [wanted, setWanted] = useState<Alignment>('time');
  const part = parts.find(({ label }) => label === chosen) ?? parts[0];
  const runs = sides.flatMap(({ counted }) => counted);
  const series = useCommands(
    'runs.series',
    runs.map(({ id }) => ({ id })),
  );
  const loaded = series.map(({ data }) => data);
  const ready = loaded.every((data) => data !== undefined);
  const error = series.find((query) => query.error !== null);
  const byRun = new Map(runs.map(({ id }, i) => [id, loaded[i]]));
  const recordings = ready ? sides.flatMap((side) => recordingOf(side, byRun)) : [];
  if (part === undefined) return null;
  // Only a load goes on by rows.
  const alignment = part.operation === null ? wanted : 'time';
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
        {part.operation === null && (
          <SegmentedControl
            aria-label="Align the runs on"
            size="xs"
            data={[
              { value: 'time', label: 'By elapsed time' },
              { value: 'rows', label: 'By rows loaded' },
            ]}
            value={alignment}
            onChange={(value) => setWanted(value === 'rows' ? 'rows' : 'time')}
          />
        )}
        <Text size="sm" c="dimmed">
          {alignment === 'rows' ? 'Rows count' : 'Time counts'} from the start of {part.label} in each run.
        </Text>
      </div>
      {error?.error ? (
        <ErrorPanel error={error.error} next={{ label: 'Try again', onClick: () => void error.refetch() }} />
      ) : ready ? (
        <>
          <Panels
            key={`${part.label} ${alignment}`}
            recordings={recordings}
            part={part}
            alignment={alignment}
          />
          <Latencies sides={sides} recordings={recordings} part={part} />
        </>
      ) : (
        <div className={classes.charts}>
          <SkeletonBlock height={240} />
          <SkeletonBlock height={240} />
        </div>
      )}
    </section>
  );
}

type Answer = Pick<Recording, 'ticks' | 'health' | 'server'> | undefined;

/** Of a side of several runs the one whose rate is in the middle stands for what cannot be joined. */
function recordingOf(
  { key, label, color, counted }: Side,
  answers: ReadonlyMap<string, Answer>,
): Recording[] {
  const all = counted.flatMap((run) => {
    const answer = answers.get(run.id);
    return answer === undefined ? [] : [{ run, ...answer }];
  });
  const ordered = [...all].sort((a, b) => rateOf(a.run) - rateOf(b.run));
  const middle = ordered[(ordered.length - 1) >> 1];
  return middle === undefined ? [] : [{ key, label, color, ...middle, all }];
}

function rateOf(run: Run): number {
  return headRate(run)?.perSecond ?? run.phases[0]?.operations[0]?.perSecond ?? 0;
}

function Panels(props: { recordings: readonly Recording[]; part: Part; alignment: Alignment }): ReactNode {
  const { recordings, part, alignment } = props;
  const { panels, duration } = useMemo(
    () => comparePanels(recordings, part, alignment),
    [recordings, part, alignment],
  );
  const hosts = useMemo(() => hostPanels(recordings, part), [recordings, part]);
  const servers = useMemo(() => serverPanels(recordings, part), [recordings, part]);
  const bands = useMemo(() => [...servers.bands, ...hosts.bands], [servers, hosts]);
  const onTime = alignment === 'time';
  const beside = onTime ? [...servers.panels, ...hosts.panels] : [];
  return (
    <ChartGroup axis={onTime ? elapsedAxis : rowsAxis}>
      {onTime && <BandLegend bands={bands} />}
      <div className={classes.charts}>
        {[...panels, ...beside].map((panel) => (
          <TimeChart
            key={panel.id}
            panel={panel}
            marks={noMarks}
            bands={onTime ? bands : []}
            duration={duration}
          />
        ))}
      </div>
      {!onTime && servers.panels.length + hosts.panels.length > 0 && (
        <Text size="sm" c="dimmed" mt={8}>
          Server and host were sampled by the clock: they are drawn by elapsed time.
        </Text>
      )}
      <CompareWaits waits={servers.waits} sides={recordings} />
    </ChartGroup>
  );
}
const noMarks: readonly Mark[] = [];
