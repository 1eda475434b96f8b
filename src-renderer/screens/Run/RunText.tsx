import type { ReactNode } from 'react';
import { useCommand } from '../../api.tsx';
import { CopyBlock } from '../../components/CopyBlock.tsx';
import { Loaded } from '../../components/Loaded.tsx';
import { SkeletonBlock } from '../../components/Skeletons.tsx';

/** The run in the lines that TSBS, pgbench or sysbench would print, to be copied. */
export function RunText(props: { id: string }): ReactNode {
  const text = useCommand('runs.text', { id: props.id });
  return (
    <Loaded query={text} skeleton={<SkeletonBlock height={320} />}>
      {(lines) =>
        lines === '' ? (
          <p className="panel quiet">
            There are no lines yet: they come with the first phase that has ended.
          </p>
        ) : (
          <CopyBlock text={lines} label="In the words of the program that each step re-creates" />
        )
      }
    </Loaded>
  );
}
