import { Button } from '@mantine/core';
import { useElementSize, useMergedRef } from '@mantine/hooks';
import { memo, type ReactNode, useCallback, useMemo, useRef, useState } from 'react';
import { Crosshair } from './Crosshair.tsx';
import { panelCsv, panelPicture } from './exportPanel.ts';
import { useGroup, useGroupStore } from './group.tsx';
import { choose, valueAt } from './interaction.ts';
import { Legend } from './Legend.tsx';
import { PanelFrame } from './PanelFrame.tsx';
import { Plot } from './Plot.tsx';
import type { Band, Mark, Panel } from './panel.ts';
import classes from './TimeChart.module.css';

const plotHeight = 176;
const noBands: readonly Band[] = [];

/**
 * One panel: title with its unit, the plot, the legend table. Crosshair and zoom are those of the `ChartGroup` around
 * it. `duration` is the end of the axis while nothing is zoomed.
 */
export const TimeChart = memo(function TimeChart(props: {
  panel: Panel;
  marks: readonly Mark[];
  bands?: readonly Band[];
  duration: number;
}): ReactNode {
  const { panel, marks } = props;
  const box = useRef<HTMLDivElement>(null);
  const { ref: measure, width } = useElementSize<HTMLDivElement>();
  const ref = useMergedRef(measure, box);
  const store = useGroupStore();
  const zoom = useGroup((state) => state.zoom);
  const axis = useGroup((state) => state.axis);
  const [from, to] = zoom ?? [0, Math.max(1000, props.duration)];
  const keys = panel.series.map(({ key }) => key).join('\n');
  const [chosen, setChosen] = useState<ReadonlySet<string> | null>(null);
  const shown = useMemo(() => chosen ?? new Set(keys.split('\n')), [chosen, keys]);
  const describe = useCallback(
    (at: number) =>
      panel.series
        .filter(({ key }) => shown.has(key))
        .map((series) => {
          const value = valueAt(series, at, from, to);
          return `${series.label} ${Number.isNaN(value) ? 'nothing' : panel.format(value)}`;
        })
        .join(', '),
    [panel, shown, from, to],
  );
  return (
    <PanelFrame
      id={panel.id}
      title={panel.title}
      unit={panel.unit}
      help={panel.help}
      box={box}
      picture={() => panelPicture(panel, from, to)}
      csv={() => panelCsv(panel, axis, from, to)}
      actions={
        zoom !== null && (
          <Button size="compact-xs" variant="light" onClick={() => store.setState({ zoom: null })}>
            Show all
          </Button>
        )
      }
    >
      <div className={classes.body}>
        <div className={classes.plot} ref={ref} style={{ height: plotHeight }}>
          {width > 0 && (
            <>
              <Plot
                panel={panel}
                shown={shown}
                marks={marks}
                bands={props.bands ?? noBands}
                axis={axis}
                from={from}
                to={to}
                width={Math.floor(width)}
                height={plotHeight}
              />
              <Crosshair
                label={panel.title}
                from={from}
                to={to}
                steps={panel.series[0]?.data.x ?? []}
                width={Math.floor(width)}
                height={plotHeight}
                describe={describe}
              />
            </>
          )}
        </div>
        <Legend
          panel={panel}
          shown={shown}
          from={from}
          to={to}
          onChoose={(key, toggle) => setChosen(choose(shown, keys.split('\n'), key, toggle))}
        />
      </div>
    </PanelFrame>
  );
});
