import { ActionIcon, Radio } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import type { Run } from '../../../src-shared/model/run.ts';
import { runColor } from '../../charts/panel.ts';
import { TimeAgo } from '../../components/TimeAgo.tsx';
import { RunVerdicts } from '../../components/VerdictBadge.tsx';
import { paths } from '../../routes.ts';
import classes from './Compare.module.css';

/** The runs in their order and colours; one of them is the base that changes count from. */
export function RunColumns(props: {
  runs: readonly Run[];
  labels: readonly string[];
  base: number;
  onBase: (id: string) => void;
  onDrop: (id: string) => void;
}): ReactNode {
  return (
    <Radio.Group
      value={props.runs[props.base]?.id ?? null}
      onChange={props.onBase}
      aria-label="Base of the comparison"
    >
      <ul className={classes.runs}>
        {props.runs.map((run, i) => (
          <li key={run.id} className={classes.run} style={{ borderTopColor: runColor(i) }}>
            <div className={classes.runHead}>
              <Link href={paths.run(run.id)} className={classes.runLink ?? ''}>
                {props.labels[i]}
              </Link>
              <ActionIcon
                variant="subtle"
                color="gray"
                size="sm"
                aria-label={`Leave ${props.labels[i]} out`}
                onClick={() => props.onDrop(run.id)}
              >
                <IconX size={14} aria-hidden />
              </ActionIcon>
            </div>
            <div className={classes.runFacts}>
              {run.name} on {run.targetName}
              {run.serverLabel !== null && ` · ${run.serverLabel}`}
            </div>
            <div className={classes.runFoot}>
              <RunVerdicts head={run} />
              <TimeAgo iso={run.startedAt} />
              <Radio value={run.id} label="Base" size="xs" />
            </div>
          </li>
        ))}
      </ul>
    </Radio.Group>
  );
}
