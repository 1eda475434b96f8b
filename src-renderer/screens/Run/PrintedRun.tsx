import { Anchor, Button, Text } from '@mantine/core';
import { IconTrash } from '@tabler/icons-react';
import { type ReactNode, useMemo } from 'react';
import { useLocation } from 'wouter';
import type { Printed } from '../../../src-shared/model/printed.ts';
import type { Run } from '../../../src-shared/model/run.ts';
import { phaseTables, runFacts } from '../../../src-shared/runTables.ts';
import { formatRate } from '../../../src-shared/units.ts';
import { ChartGroup } from '../../charts/group.tsx';
import { formatTick, type Mark, type Panel, runColor } from '../../charts/panel.ts';
import { TimeChart } from '../../charts/TimeChart.tsx';
import { FiguresTables } from '../../components/FiguresTables.tsx';
import { Page } from '../../components/Page.tsx';
import { ShareMenu } from '../../components/ShareMenu.tsx';
import { RunVerdicts } from '../../components/VerdictBadge.tsx';
import { RunPreset, usePresetOf } from '../../gallery/RunPreset.tsx';
import { paths } from '../../routes.ts';
import { Facts } from './Facts.tsx';
import classes from './Run.module.css';
import { useRemoveRuns } from './useRunActions.ts';

/** Figures that were printed elsewhere: where, of what, and what was not told. Nothing of it was measured here. */
export function PrintedRun(props: { run: Run; printed: Printed }): ReactNode {
  const { run, printed } = props;
  const { source, missing } = printed;
  const title = [run.name, run.targetName].filter(Boolean).join(' on ');
  const tables = phaseTables(run);
  return (
    <Page title={title} crumbs={[{ label: 'Runs', href: paths.runs }]} wide actions={<Actions run={run} />}>
      <div className={classes.stack}>
        <div className={classes.status}>
          <RunVerdicts head={run} />
          <Text size="sm">
            {source.url === null ? (
              source.title
            ) : (
              <Anchor
                href={source.url}
                target="_blank"
                rel="noreferrer"
                c="var(--accent-text)"
                underline="always"
              >
                {source.title}
              </Anchor>
            )}
            {source.date !== null && `, ${source.date}`}
          </Text>
          {run.notes !== '' && <p className={classes.notes}>{run.notes}</p>}
        </div>
        {tables.length > 0 ? (
          <FiguresTables tables={tables} />
        ) : (
          <Text size="sm" className="panel">
            The source gives no figure that could stand beside others.
          </Text>
        )}
        <SeriesCharts series={printed.series} />
        <section className="panel" aria-label="Set-up">
          <h2 className={classes.sideTitle}>Set-up, as far as it is told</h2>
          <Facts facts={runFacts(run)} />
        </section>
        {missing.length > 0 && (
          <section className="panel" aria-label="Not told by the source">
            <h2 className={classes.sideTitle}>Not told by the source</h2>
            {missing.map((text) => (
              <Text key={text} size="sm">
                {text}
              </Text>
            ))}
          </section>
        )}
      </div>
    </Page>
  );
}

function Actions(props: { run: Run }): ReactNode {
  const { run } = props;
  const [, navigate] = useLocation();
  const removeRuns = useRemoveRuns();
  const preset = usePresetOf(run.id);
  return (
    <>
      <ShareMenu sides={[run.id]} />
      {preset === null ? (
        <Button
          variant="default"
          leftSection={<IconTrash size={16} aria-hidden />}
          onClick={() => {
            removeRuns([run]);
            navigate(paths.runs);
          }}
        >
          Delete
        </Button>
      ) : (
        <RunPreset preset={preset} />
      )}
    </>
  );
}

const noMarks: readonly Mark[] = [];

function SeriesCharts(props: { series: Printed['series'] }): ReactNode {
  const panels = useMemo(() => props.series.map(panelOf), [props.series]);
  const duration = Math.max(1000, ...props.series.flatMap(({ points }) => points.map(([at]) => at * 1000)));
  if (panels.length === 0) return null;
  return (
    <ChartGroup>
      <div className={classes.charts}>
        {panels.map((panel) => (
          <TimeChart key={panel.id} panel={panel} marks={noMarks} duration={duration} />
        ))}
      </div>
    </ChartGroup>
  );
}

function panelOf({ phase, label, unit, points }: Printed['series'][number], index: number): Panel {
  return {
    id: `printed-${index}`,
    title: label,
    unit,
    scale: 'linear',
    format: (value) => `${formatRate(value)} ${unit}`,
    formatAxis: formatTick,
    help: `As printed of ${phase}: each point is the figure of the interval that ends there.`,
    series: [
      {
        key: 'printed',
        label,
        color: runColor(0),
        dash: '',
        data: { x: points.map(([at]) => at * 1000), y: points.map(([, value]) => value) },
      },
    ],
  };
}
