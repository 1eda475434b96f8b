import { Button } from '@mantine/core';
import {
  IconArrowBackUp,
  IconChevronDown,
  IconChevronRight,
  IconLock,
  IconPower,
  IconShieldLock,
} from '@tabler/icons-react';
import { type ReactNode, useEffect, useId, useRef, useState } from 'react';
import type { ProvisionStep } from '../../../src-shared/model/provision.ts';
import { CopyBlock } from '../../components/CopyBlock.tsx';
import { ErrorPanel } from '../../components/ErrorPanel.tsx';
import classes from './Provision.module.css';
import { StepStateBadge } from './StepStateBadge.tsx';

const busy: readonly ProvisionStep['state'][] = ['checking', 'applying', 'verifying', 'undoing'];

/** One change: what it is, what exactly it changes, how it stands; commands and log one click away. */
export function StepCard(props: { step: ProvisionStep; brief: boolean }): ReactNode {
  const { step } = props;
  const isBusy = busy.includes(step.state);
  const failed = step.state === 'failed';
  return (
    <li className={classes.step} data-busy={isBusy || undefined} data-failed={failed || undefined}>
      <div className={classes.stepHead}>
        <h3 className={classes.stepTitle}>{step.title}</h3>
        <StepStateBadge state={step.state} />
      </div>
      {!props.brief && (
        <>
          <Traits step={step} />
          <Changes step={step} />
        </>
      )}
      {step.evidence !== '' && <p className={classes.evidence}>Seen: {step.evidence}</p>}
      {step.error !== null && <ErrorPanel error={step.error} />}
      <Folds step={step} open={isBusy || failed} brief={props.brief} />
    </li>
  );
}

function Changes(props: { step: ProvisionStep }): ReactNode {
  return (
    <ul className={classes.changes}>
      {props.step.changes.map((change) => (
        <li key={change}>{change}</li>
      ))}
    </ul>
  );
}

function Traits(props: { step: ProvisionStep }): ReactNode {
  const { step } = props;
  return (
    <div className={classes.traits}>
      {step.reversible ? (
        <span>
          <IconArrowBackUp size={14} aria-hidden /> Can be undone
        </span>
      ) : (
        <span data-worry>
          <IconLock size={14} aria-hidden /> Cannot be undone
        </span>
      )}
      {step.needsReboot && (
        <span data-worry>
          <IconPower size={14} aria-hidden /> Needs a restart of the host
        </span>
      )}
      {step.needsRoot && (
        <span>
          <IconShieldLock size={14} aria-hidden /> As root
        </span>
      )}
    </div>
  );
}

/** The commands as they are run, and what the host printed; the log of a step that is on is open. */
function Folds(props: { step: ProvisionStep; open: boolean; brief: boolean }): ReactNode {
  const { step } = props;
  const [changes, setChanges] = useState(false);
  const [commands, setCommands] = useState(false);
  const [log, setLog] = useState<boolean | null>(null);
  const hasLog = step.log !== '';
  const showLog = hasLog && (log ?? props.open);
  const id = useId();
  return (
    <>
      <div className={classes.folds}>
        {props.brief && (
          <Fold opened={changes} controls={`${id}-changes`} onClick={() => setChanges(!changes)}>
            Changes
          </Fold>
        )}
        {step.script !== '' && (
          <Fold opened={commands} controls={`${id}-commands`} onClick={() => setCommands(!commands)}>
            Commands
          </Fold>
        )}
        {hasLog && (
          <Fold opened={showLog} controls={`${id}-log`} onClick={() => setLog(!showLog)}>
            Log
          </Fold>
        )}
      </div>
      {changes && (
        <div id={`${id}-changes`}>
          <Traits step={step} />
          <Changes step={step} />
        </div>
      )}
      {commands && (
        <div id={`${id}-commands`}>
          <CopyBlock text={step.script} label={`Commands of: ${step.title}`} maxLines={16} />
        </div>
      )}
      {showLog && <Log id={`${id}-log`} text={step.log} label={`Log of: ${step.title}`} />}
    </>
  );
}

function Fold(props: {
  opened: boolean;
  controls: string;
  onClick: () => void;
  children: ReactNode;
}): ReactNode {
  return (
    <Button
      variant="subtle"
      color="gray"
      size="compact-sm"
      leftSection={
        props.opened ? <IconChevronDown size={16} aria-hidden /> : <IconChevronRight size={16} aria-hidden />
      }
      aria-expanded={props.opened}
      aria-controls={props.controls}
      onClick={props.onClick}
    >
      {props.children}
    </Button>
  );
}

/** Follows its end, unless one has scrolled up to read. */
function Log(props: { id: string; text: string; label: string }): ReactNode {
  const box = useRef<HTMLTextAreaElement>(null);
  const follows = useRef(true);
  const { text } = props;
  useEffect(() => {
    const area = box.current;
    if (area !== null && follows.current && text !== '') area.scrollTop = area.scrollHeight;
  }, [text]);
  return (
    <textarea
      ref={box}
      id={props.id}
      className={classes.log}
      readOnly
      spellCheck={false}
      rows={Math.min(12, text.trimEnd().split('\n').length)}
      aria-label={props.label}
      value={text.trimEnd()}
      onScroll={({ currentTarget: { scrollTop, scrollHeight, clientHeight } }) => {
        follows.current = scrollTop + clientHeight >= scrollHeight - 8;
      }}
    />
  );
}
