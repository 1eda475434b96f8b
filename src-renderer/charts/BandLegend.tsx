import type { ReactNode } from 'react';
import { formatElapsed } from '../../src-shared/units.ts';
import { bandColor, bandTotals } from './bands.ts';
import { type Band, bandLabels, bandStyles } from './panel.ts';
import classes from './TimeChart.module.css';

/** What the shades in the panels mean, and how long they are together. Nothing where there are none. */
export function BandLegend(props: { bands: readonly Band[] }): ReactNode {
  const totals = bandTotals(props.bands);
  if (totals.length === 0) return null;
  return (
    <ul className={classes.bands} aria-label="Shaded times">
      {totals.map(({ band, totalMs }) => (
        <li key={`${band.kind} ${band.owner?.label}`}>
          <svg width="18" height="12" aria-hidden="true">
            <rect
              x="0.5"
              y="0.5"
              width="17"
              height="11"
              fill={bandColor(band)}
              fillOpacity="0.16"
              stroke={bandColor(band)}
              strokeDasharray={bandStyles[band.kind].dash}
            />
          </svg>
          {band.owner === undefined ? '' : `${band.owner.label} `}
          {bandLabels[band.kind]}, {formatElapsed(totalMs)} in all
        </li>
      ))}
    </ul>
  );
}
