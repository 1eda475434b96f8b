import { Popover, UnstyledButton } from '@mantine/core';
import {
  IconAlertTriangle,
  IconCircleCheck,
  IconCircleX,
  IconHourglass,
  IconQuestionMark,
  type TablerIcon,
} from '@tabler/icons-react';
import type { ReactNode } from 'react';
import type { MachineCheck } from '../../../src-shared/model/host.ts';
import formClasses from '../../form/Form.module.css';
import classes from './Hosts.module.css';

const looks: Record<
  MachineCheck['result'],
  { Icon: TablerIcon; word: string; className: string | undefined }
> = {
  pass: { Icon: IconCircleCheck, word: 'Fine', className: classes.passed },
  warn: { Icon: IconAlertTriangle, word: 'Worth a look', className: classes.warned },
  fail: { Icon: IconCircleX, word: 'In the way', className: classes.failed },
  wait: { Icon: IconHourglass, word: 'Passes by itself', className: classes.waited },
  unknown: { Icon: IconQuestionMark, word: 'Unknown', className: classes.notKnown },
};

/** Verdicts about a machine: what was looked at, what was found with its figure, and what to do about it. */
export function MachineChecks(props: { checks: readonly MachineCheck[]; label: string }): ReactNode {
  return (
    <ul className={classes.checks} aria-label={props.label}>
      {props.checks.map((check) => (
        <Check key={check.id} check={check} />
      ))}
    </ul>
  );
}

function Check(props: { check: MachineCheck }): ReactNode {
  const { check } = props;
  const { Icon, word, className } = looks[check.result];
  return (
    <li className={classes.check}>
      <Icon size={18} role="img" aria-label={word} className={className} />
      <div>
        <b>{check.title}</b>
        {check.detail !== '' && <div>{check.detail}</div>}
        {check.result !== 'pass' && check.advice !== '' && <div className="quiet">{check.advice}</div>}
        {check.raw.trim() !== '' && <Raw title={check.title} raw={check.raw} />}
      </div>
      <span className={classes.checkFigure}>
        {check.value !== null && `${figure(check.value)}${check.unit === null ? '' : ` ${check.unit}`}`}
      </span>
    </li>
  );
}

function Raw(props: { title: string; raw: string }): ReactNode {
  return (
    <Popover width={480} position="bottom-start">
      <Popover.Target>
        <UnstyledButton className={formClasses.reset} aria-label={`What the host said about: ${props.title}`}>
          What the host said
        </UnstyledButton>
      </Popover.Target>
      <Popover.Dropdown>
        <pre className={classes.raw}>{props.raw.trim()}</pre>
      </Popover.Dropdown>
    </Popover>
  );
}

/** Three significant digits, full digits from a thousand up. */
function figure(value: number): string {
  return Math.abs(value) >= 1000
    ? Math.round(value).toLocaleString('en-US')
    : value.toLocaleString('en-US', { maximumSignificantDigits: 3 });
}
