import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { AppError } from '../../src-shared/errors.ts';
import { ErrorPanel } from './ErrorPanel.tsx';

/**
 * Draws what a query brought; before that the shape of it, or the error with a way to try again. `frame` is put around
 * the error where the children bring a page of their own.
 */
export function Loaded<T>(props: {
  query: UseQueryResult<T, AppError>;
  skeleton: ReactNode;
  frame?: (error: ReactNode) => ReactNode;
  children: (data: T) => ReactNode;
}): ReactNode {
  const { query, frame } = props;
  if (query.data !== undefined) return props.children(query.data);
  // Of a lost connection the shell tells, and fetches everything again once it is back.
  if (!query.isError || query.error.code === 'connection-lost') return props.skeleton;
  const error = (
    <ErrorPanel error={query.error} next={{ label: 'Try again', onClick: () => void query.refetch() }} />
  );
  return frame === undefined ? error : frame(error);
}
