import type { ReactNode } from 'react';
import type { RunHead } from '../../src-shared/model/run.ts';
import { TimeAgo } from './TimeAgo.tsx';

/** When a run began; of one that was printed elsewhere when it was imported, or the year in which it was published. */
export function RunWhen(props: { head: Pick<RunHead, 'startedAt' | 'verdicts'> }): ReactNode {
  const { startedAt, verdicts } = props.head;
  const is = (wanted: string) => verdicts.some(({ code }) => code === wanted);
  // Of many articles no more than the year is known.
  if (is('published')) return `published ${startedAt.slice(0, 4)}`;
  return (
    <>
      {is('imported') && 'imported '}
      <TimeAgo iso={startedAt} />
    </>
  );
}
