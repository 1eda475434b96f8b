import { UnstyledButton } from '@mantine/core';
import { IconCheck, IconLock } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import classes from './Provision.module.css';
import { type Stage, stageLabels, stages } from './words.ts';

/** The wizard's steps at its side: passed ones are ticked, those to come are locked until they have what they need. */
export function StageList(props: {
  at: Stage;
  open: ReadonlySet<Stage>;
  passed: ReadonlySet<Stage>;
  onGo: (stage: Stage) => void;
}): ReactNode {
  return (
    <nav aria-label="Steps of setting up" className={classes.stages}>
      <ol>
        {stages.map((stage, index) => {
          const locked = !props.open.has(stage);
          const passed = props.passed.has(stage) && stage !== props.at;
          return (
            <li key={stage}>
              <UnstyledButton
                className={classes.stage}
                disabled={locked}
                aria-current={stage === props.at ? 'step' : undefined}
                title={locked ? 'Opens when the step before it is through' : undefined}
                onClick={() => props.onGo(stage)}
              >
                <span className={classes.stageMark} aria-hidden>
                  {passed ? <IconCheck size={14} /> : locked ? <IconLock size={12} /> : index + 1}
                </span>
                {stageLabels[stage]}
                {passed && <span className="visually-hidden">, through</span>}
              </UnstyledButton>
            </li>
          );
        })}
      </ol>
    </nav>
  );
}
