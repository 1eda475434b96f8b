import { ActionIcon, Popover, Text } from '@mantine/core';
import {
  IconAlertTriangle,
  IconCircleCheck,
  IconCircleX,
  IconHourglass,
  IconMessage,
  IconQuestionMark,
  type TablerIcon,
} from '@tabler/icons-react';
import type { ReactNode } from 'react';
import type { MachineCheck } from '../../src-shared/model/host.ts';
import { formatBytes, formatCount } from '../../src-shared/units.ts';
import classes from './MachineChecks.module.css';

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

/**
 * Verdicts about a machine: what was looked at, what was found, and what to do about it; with `figures` also what was
 * measured, in a column.
 */
export function MachineChecks(props: {
  checks: readonly MachineCheck[];
  label: string;
  figures?: boolean;
}): ReactNode {
  return (
    <ul className={classes.checks} aria-label={props.label}>
      {props.checks.map((check) => (
        <Check key={check.id} check={check} figure={props.figures === true} />
      ))}
    </ul>
  );
}

function Check(props: { check: MachineCheck; figure: boolean }): ReactNode {
  const { check } = props;
  const { Icon, word, className } = looks[check.result];
  return (
    <li className={classes.check}>
      <Icon size={18} role="img" aria-label={word} className={className} />
      <b>{check.title}</b>
      <div>
        {check.detail}
        {check.result !== 'pass' && check.advice !== '' && <div className="quiet">{check.advice}</div>}
      </div>
      <span className={classes.checkFigure}>{props.figure && figure(check)}</span>
      {check.raw.trim() === '' ? <span /> : <Raw title={check.title} raw={check.raw} />}
    </li>
  );
}

function Raw(props: { title: string; raw: string }): ReactNode {
  const words = `What the host said about: ${props.title}`;
  return (
    <Popover width={480} position="bottom-end">
      <Popover.Target>
        <ActionIcon variant="subtle" color="gray" size="sm" aria-label={words} title={words}>
          <IconMessage size={16} aria-hidden />
        </ActionIcon>
      </Popover.Target>
      <Popover.Dropdown>
        <Text size="sm" fw={600}>
          What the host said
        </Text>
        <pre className="raw">{props.raw.trim()}</pre>
      </Popover.Dropdown>
    </Popover>
  );
}

/** With its unit: three significant digits, full digits from a thousand up. */
function figure({ value, unit }: MachineCheck): string {
  if (value === null) return '';
  if (unit === 'B' || unit === 'bytes') return formatBytes(value);
  const digits =
    Math.abs(value) >= 1000
      ? formatCount(value)
      : value.toLocaleString('en-US', { maximumSignificantDigits: 3 });
  return unit === null ? digits : `${digits} ${unit}`;
}
