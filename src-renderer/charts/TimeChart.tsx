import { ActionIcon, Button, Menu, Popover, Text } from '@mantine/core';
import { useElementSize, useMergedRef } from '@mantine/hooks';
import { IconCopy, IconInfoCircle } from '@tabler/icons-react';
import { memo, type ReactNode, useCallback, useId, useMemo, useRef, useState } from 'react';
import { toastDone, toastError } from '../components/toasts.tsx';
import { Crosshair } from './Crosshair.tsx';
import { copyCsv, copyPng, copySvg } from './exportPanel.ts';
import { useGroup, useGroupStore } from './group.tsx';
import { choose, valueAt } from './interaction.ts';
import { Legend } from './Legend.tsx';
import { Plot } from './Plot.tsx';
import type { Band, Mark, Panel } from './panel.ts';
import classes from './TimeChart.module.css';

const plotHeight = 176;
const noBands: readonly Band[] = [];

/**
 * One panel: title with its unit, the plot, the legend table. Crosshair and zoom are those of the `ChartGroup` around
 * it. `duration` is the end of the axis while nothing is zoomed, ms.
 */
export const TimeChart = memo(function TimeChart(props: {
  panel: Panel;
  marks: readonly Mark[];
  bands?: readonly Band[];
  duration: number;
}): ReactNode {
  const { panel, marks } = props;
  const titleId = useId();
  const box = useRef<HTMLDivElement>(null);
  const { ref: measure, width } = useElementSize<HTMLDivElement>();
  const ref = useMergedRef(measure, box);
  const store = useGroupStore();
  const zoom = useGroup((state) => state.zoom);
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
  const copies: [name: string, copy: () => Promise<void>][] = [
    ['PNG', () => copyPng(box.current, panel, from, to)],
    ['SVG', () => copySvg(box.current, panel, from, to)],
    ['CSV', () => copyCsv(panel, from, to)],
  ];
  return (
    <section className={classes.panel} aria-labelledby={titleId} data-panel={panel.id}>
      <header className={classes.header}>
        <h2 id={titleId} className={classes.title}>
          {panel.title} <span className={classes.unit}>{panel.unit}</span>
        </h2>
        {zoom !== null && (
          <Button size="compact-xs" variant="light" onClick={() => store.setState({ zoom: null })}>
            Show all
          </Button>
        )}
        <Popover width={320} position="bottom-end">
          <Popover.Target>
            <ActionIcon
              variant="subtle"
              color="gray"
              size={24}
              aria-label={`${panel.title}: how the figures are made`}
            >
              <IconInfoCircle size={16} />
            </ActionIcon>
          </Popover.Target>
          <Popover.Dropdown>
            <Text size="sm">{panel.help}</Text>
          </Popover.Dropdown>
        </Popover>
        <Menu position="bottom-end">
          <Menu.Target>
            <ActionIcon variant="subtle" color="gray" size={24} aria-label={`${panel.title}: copy`}>
              <IconCopy size={16} />
            </ActionIcon>
          </Menu.Target>
          <Menu.Dropdown>
            {copies.map(([name, copy]) => (
              <Menu.Item
                key={name}
                onClick={() => {
                  copy().then(() => toastDone(`${panel.title} copied as ${name}`), toastError);
                }}
              >
                Copy as {name}
              </Menu.Item>
            ))}
          </Menu.Dropdown>
        </Menu>
      </header>
      <div className={classes.body}>
        <div className={classes.plot} ref={ref} style={{ height: plotHeight }}>
          {width > 0 && (
            <>
              <Plot
                panel={panel}
                shown={shown}
                marks={marks}
                bands={props.bands ?? noBands}
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
    </section>
  );
});
