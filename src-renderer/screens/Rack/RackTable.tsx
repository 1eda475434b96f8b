import { Anchor, Button, Table, Text } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { Link } from 'wouter';
import type { RackFigures, RackMember, RackRate, RackResult } from '../../../src-shared/model/rack.ts';
import { isActive } from '../../../src-shared/model/run.ts';
import { rateWords } from '../../../src-shared/stats/rack.ts';
import { formatDelta, formatLatency, formatRate } from '../../../src-shared/units.ts';
import { useAction, useCommand } from '../../api.tsx';
import { TimeAgo } from '../../components/TimeAgo.tsx';
import { toastError } from '../../components/toasts.tsx';
import { RunVerdicts } from '../../components/VerdictBadge.tsx';
import { paths } from '../../routes.ts';
import { ratesOf } from './figures.ts';
import { LeaveOut } from './LeaveOut.tsx';
import classes from './Rack.module.css';

/** A row per host: its run, its rates against the others, and what may explain them. */
export function RackTable(props: { result: RackResult }): ReactNode {
  const { result } = props;
  const rates = ratesOf(result);
  return (
    <Table.ScrollContainer minWidth={1000}>
      <Table className="panel" aria-label="Hosts of the rack">
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Host</Table.Th>
            <Table.Th>Run</Table.Th>
            {rates.map((rate) => (
              <Table.Th key={rate} ta="right" title="Below each figure: against the median of the others">
                {rateWords[rate].unit}
              </Table.Th>
            ))}
            <Table.Th ta="right" title="Of the batches of a load, else of the first type of query">
              p99
            </Table.Th>
            <Table.Th ta="right" title="Highest while the run was on">
              Temperature
            </Table.Th>
            <Table.Th ta="right" title="How long the firmware held the processor back">
              Throttled
            </Table.Th>
            <Table.Th ta="right" title="How long the supply was too low">
              Under-voltage
            </Table.Th>
            <Table.Th ta="right" title="Of the checks of the machine">
              fsync
            </Table.Th>
            <Table.Th>
              <span className="visually-hidden">Actions</span>
            </Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {result.run.members.map((member, i) => (
            <Row key={member.hostId} result={result} member={member} index={i} rates={rates} />
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}

function Row(props: {
  result: RackResult;
  member: RackMember;
  index: number;
  rates: readonly RackRate[];
}): ReactNode {
  const { member, result } = props;
  const host = result.hosts[props.index];
  const figures = host?.figures ?? null;
  const slow = result.outliers.find(({ hostId }) => hostId === member.hostId);
  return (
    <Table.Tr className={member.leftOut === null ? '' : classes.left}>
      <Table.Td>
        <Anchor component={Link} href={paths.host(member.hostId)} fw={600} c="inherit">
          {member.hostName}
        </Anchor>
        {member.leftOut !== null && (
          <Text size="xs" c="dimmed">
            Left out: {member.leftOut.reason}
          </Text>
        )}
      </Table.Td>
      <Table.Td>
        <RunState member={member} ended={result.run.endedAt !== null} />
      </Table.Td>
      {props.rates.map((rate) => (
        <Rate
          key={rate}
          value={figures?.[rate] ?? null}
          delta={host?.delta[rate] ?? null}
          slow={slow?.rate === rate}
        />
      ))}
      <Facts figures={figures} />
      <Table.Td ta="right">
        <RowActions member={member} runId={result.run.id} hasFigures={figures !== null} />
      </Table.Td>
    </Table.Tr>
  );
}

function Rate(props: { value: number | null; delta: number | null; slow: boolean }): ReactNode {
  return (
    <Table.Td ta="right">
      {props.value === null ? '–' : formatRate(props.value)}
      {props.delta !== null && (
        <span className={classes.delta} data-slow={props.slow || undefined}>
          {formatDelta(props.delta)}
        </span>
      )}
    </Table.Td>
  );
}

function Facts(props: { figures: RackFigures | null }): ReactNode {
  const { figures } = props;
  const seconds = (value: number | null | undefined) =>
    value === null || value === undefined ? '–' : `${value.toFixed(0)} s`;
  const temperature = figures?.temperatureC ?? null;
  const p99 = figures?.p99Us ?? null;
  const fsync = figures?.fsyncMs ?? null;
  return (
    <>
      <Table.Td ta="right">{p99 === null ? '–' : formatLatency(p99)}</Table.Td>
      <Table.Td ta="right">{temperature === null ? '–' : `${temperature.toFixed(1)} °C`}</Table.Td>
      <Table.Td ta="right">{seconds(figures?.throttledSeconds)}</Table.Td>
      <Table.Td ta="right">{seconds(figures?.underVoltageSeconds)}</Table.Td>
      <Table.Td ta="right">
        {fsync === null ? '–' : formatLatency(fsync * 1000)}
        {fsync !== null && figures !== null && figures.measuredAt !== null && (
          <span className={classes.delta}>
            <TimeAgo iso={figures.measuredAt} />
          </span>
        )}
      </Table.Td>
    </>
  );
}

/** How the host's last run stands; the way to each of them. */
function RunState(props: { member: RackMember; ended: boolean }): ReactNode {
  const { member } = props;
  const last = member.runIds.at(-1);
  const run = useCommand('runs.get', { id: last ?? '' }, { enabled: last !== undefined }).data;
  const progress = useCommand('runs.progress', null).data?.find(({ runId }) => runId === last);
  if (member.error !== null) return <Text size="sm">{member.error.message}</Text>;
  if (last === undefined) return <Text c="dimmed">{props.ended ? 'Not run' : 'Waits for its turn'}</Text>;
  if (run === undefined) return null;
  const active = isActive(run.status);
  return (
    <>
      <RunVerdicts head={run} />
      <Text size="xs" c="dimmed">
        {active && progress !== undefined
          ? `${progress.doing}${progress.fraction === null ? '' : ` · ${Math.floor(progress.fraction * 100)} %`}`
          : null}{' '}
        {member.runIds.map((id, i) => (
          <span key={id}>
            <Anchor
              component={Link}
              href={paths.run(id)}
              size="xs"
              c="var(--accent-text)"
              underline="always"
              aria-label={`Run ${i + 1} on ${member.hostName}`}
            >
              {member.runIds.length === 1 ? 'Run' : `Run ${i + 1}`}
            </Anchor>{' '}
          </span>
        ))}
      </Text>
    </>
  );
}

function RowActions(props: { member: RackMember; runId: string; hasFigures: boolean }): ReactNode {
  const { member } = props;
  const last = member.runIds.at(-1) ?? '';
  const on = useCommand('runs.progress', null).data?.some(({ runId }) => runId === last) ?? false;
  const stop = useAction('runs.stop');
  const take = useAction('racks.leaveOut');
  const [asking, setAsking] = useState(false);
  if (on) {
    return (
      <Button
        size="compact-sm"
        variant="default"
        loading={stop.isPending}
        aria-label={`Stop on ${member.hostName}`}
        onClick={() => stop.mutate({ id: last }, { onError: toastError })}
      >
        Stop
      </Button>
    );
  }
  if (member.leftOut !== null) {
    return (
      <Button
        size="compact-sm"
        variant="default"
        loading={take.isPending}
        aria-label={`Take ${member.hostName} in again`}
        onClick={() =>
          take.mutate({ id: props.runId, hostId: member.hostId, reason: null }, { onError: toastError })
        }
      >
        Take in
      </Button>
    );
  }
  if (!props.hasFigures) return null;
  return (
    <>
      <Button
        size="compact-sm"
        variant="default"
        aria-label={`Leave ${member.hostName} out`}
        onClick={() => setAsking(true)}
      >
        Leave out
      </Button>
      {asking && <LeaveOut id={props.runId} member={member} onClose={() => setAsking(false)} />}
    </>
  );
}
