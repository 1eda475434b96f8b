import type { ReactNode } from 'react';
import { plotArea } from './Plot.tsx';

export interface PlacedTick {
  /** From the left or the top of the drawing, px. */
  at: number;
  label: string;
}

/** Axes of a drawing that has no time along its bottom, with the look of those that have. */
export function PlotFrame(props: {
  label: string;
  width: number;
  height: number;
  x: readonly PlacedTick[];
  y: readonly PlacedTick[];
  /** Room for the labels on the left, px. */
  left?: number;
  children: ReactNode;
}): ReactNode {
  const { width, height, left = plotArea.left } = props;
  const right = width - plotArea.right;
  const bottom = height - plotArea.bottom;
  const text = { fontSize: 11, fill: 'var(--mantine-color-dimmed)' };
  return (
    <svg
      width={width}
      height={height}
      viewBox={`0 0 ${width} ${height}`}
      role="img"
      aria-label={props.label}
      style={{ display: 'block' }}
    >
      {props.y.map(({ at, label }) => (
        <g key={`${at} ${label}`}>
          <line x1={left} x2={right} y1={at} y2={at} stroke="var(--grid-line)" />
          <text x={left - 8} y={at + 4} textAnchor="end" {...text}>
            {label}
          </text>
        </g>
      ))}
      <line x1={left} x2={right} y1={bottom} y2={bottom} stroke="var(--mantine-color-dimmed)" />
      {props.x.map(({ at, label }) => (
        <text key={`${at} ${label}`} {...inside(at, label, width)} y={bottom + 16} {...text}>
          {label}
        </text>
      ))}
      {props.children}
    </svg>
  );
}

/** In the middle below its place; at the edge so that all of it is seen. */
function inside(at: number, label: string, width: number): { x: number; textAnchor: 'middle' | 'end' } {
  const half = label.length * 3.5;
  return at + half > width ? { x: width, textAnchor: 'end' } : { x: at, textAnchor: 'middle' };
}
