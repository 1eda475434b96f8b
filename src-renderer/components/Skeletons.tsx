import { Skeleton, Stack, VisuallyHidden } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './Figure.module.css';

/** Shapes of what will come. Each says once that it loads. */
export function SkeletonRows(props: { rows?: number }): ReactNode {
  return (
    <Loading>
      <Stack gap={8}>
        {range(props.rows ?? 6).map((row) => (
          <Skeleton key={row} height={40} />
        ))}
      </Stack>
    </Loading>
  );
}

export function SkeletonFigures(props: { figures?: number }): ReactNode {
  return (
    <Loading>
      <div className={classes.figures}>
        {range(props.figures ?? 5).map((figure) => (
          <Skeleton key={figure} height={64} />
        ))}
      </div>
    </Loading>
  );
}

export function SkeletonForm(props: { fields?: number }): ReactNode {
  return (
    <Loading>
      <Stack gap={16} maw={560}>
        {range(props.fields ?? 6).map((field) => (
          <div key={field}>
            <Skeleton height={12} width={120} mb={8} />
            <Skeleton height={36} />
          </div>
        ))}
      </Stack>
    </Loading>
  );
}

/** A block of the given height: a chart, a text. */
export function SkeletonBlock(props: { height: number }): ReactNode {
  return (
    <Loading>
      <Skeleton height={props.height} />
    </Loading>
  );
}

function Loading(props: { children: ReactNode }): ReactNode {
  return (
    <div aria-busy="true">
      <VisuallyHidden>Loading</VisuallyHidden>
      {props.children}
    </div>
  );
}

function range(count: number): number[] {
  return Array.from({ length: count }, (_, index) => index);
}
