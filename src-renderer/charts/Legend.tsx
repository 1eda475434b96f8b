import { UnstyledButton } from '@mantine/core';
import { type MouseEvent, type ReactNode, useMemo } from 'react';
import { summarize } from '../../src-shared/stats/series.ts';
import { useGroup } from './group.tsx';
import { valueAt } from './interaction.ts';
import type { Panel } from './panel.ts';
import classes from './TimeChart.module.css';

/**
 * Legend and figures in one: per series min, mean, max and last of what is in view, and the value at the crosshair.
 * Click: only this one; click again: all; with Ctrl, Cmd or Shift: this one on or off.
 */
export function Legend(props: {
  panel: Panel;
  shown: ReadonlySet<string>;
  from: number;
  to: number;
  onChoose: (key: string, toggle: boolean) => void;
}): ReactNode {
  const { panel, shown, from, to } = props;
  const cursor = useGroup((state) => state.cursor);
  const axis = useGroup((state) => state.axis);
  const rows = useMemo(
    () => panel.series.map((series) => ({ series, summary: summarize(series.data, from, to) })),
    [panel, from, to],
  );
  const hasMean = panel.series.some(({ data }) => data.weight !== undefined);
  const show = (value: number): string => (Number.isNaN(value) ? '–' : panel.format(value));
  return (
    <table className={classes.legend}>
      <caption
        className={classes.hidden}
      >{`${panel.title}, ${panel.unit}: figures of what is in view`}</caption>
      <thead>
        <tr>
          <th scope="col">{panel.unit}</th>
          <th scope="col">min</th>
          {hasMean && <th scope="col">mean</th>}
          <th scope="col">max</th>
          <th scope="col">last</th>
          <th scope="col" className={classes.at}>
            {cursor === null ? (
              <span className={classes.hidden}>at the crosshair</span>
            ) : (
              `at ${axis.format(cursor)}`
            )}
          </th>
        </tr>
      </thead>
      <tbody>
        {rows.map(({ series, summary }) => (
          <tr key={series.key} data-off={!shown.has(series.key) || undefined}>
            <th scope="row">
              <UnstyledButton
                className={classes.entry}
                aria-pressed={shown.has(series.key)}
                title="Click: only this one. With Ctrl, Cmd or Shift: this one on or off."
                onClick={(event: MouseEvent) =>
                  props.onChoose(series.key, event.ctrlKey || event.metaKey || event.shiftKey)
                }
              >
                <svg width="18" height="8" aria-hidden="true">
                  {panel.stacked && <rect width="18" height="8" fill={series.color} fillOpacity={0.6} />}
                  <line
                    x1="1"
                    y1="4"
                    x2="17"
                    y2="4"
                    stroke={series.color}
                    strokeWidth="2"
                    strokeDasharray={series.dash}
                  />
                </svg>
                {series.label}
              </UnstyledButton>
            </th>
            <td>{show(summary.min)}</td>
            {hasMean && <td>{show(summary.mean)}</td>}
            <td>{show(summary.max)}</td>
            <td>{show(summary.last)}</td>
            <td className={classes.at}>{cursor === null ? '' : show(valueAt(series, cursor, from, to))}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
