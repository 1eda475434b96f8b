import { Button, Checkbox, Group, Modal, NativeSelect, Radio, Stack, Text, TextInput } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import type { Host } from '../../../src-shared/model/host.ts';
import type { Plan } from '../../../src-shared/model/plan.ts';
import type { Target } from '../../../src-shared/model/target.ts';
import { useCommand } from '../../api.tsx';
import { StartFailed } from '../../components/StartRun.tsx';
import classes from './Rack.module.css';
import { type RackMemberChoice, useStartRack } from './useStartRack.tsx';

/** The racks there are, by name. */
export function useRacks(): string[] {
  const hosts = useCommand('hosts.list', null).data ?? [];
  return [...new Set(hosts.flatMap(({ group }) => group ?? []))].sort((a, b) => a.localeCompare(b));
}

/** Which plan, on which hosts of which rack, how: then the button for it. */
export function RunOnRack(props: {
  /** null: to be chosen. */
  plan: Plan | null;
  /** null: to be chosen. */
  rack: string | null;
  onClose: () => void;
}): ReactNode {
  const racks = useRacks();
  const [rack, setRack] = useState<string | null>(props.rack);
  const [planId, setPlanId] = useState<string | null>(null);
  const [atOnce, setAtOnce] = useState(false);
  const [override, setOverride] = useState('');
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set());
  const [targetIds, setTargetIds] = useState<Readonly<Record<string, string>>>({});
  const plans = useCommand('plans.list', null).data ?? [];
  const hosts = useCommand('hosts.list', null).data ?? [];
  const targets = useCommand('targets.list', null).data ?? [];
  const starting = useStartRack();

  const name = rack ?? racks[0] ?? '';
  const members = hosts.filter(({ group }) => group === name);
  const plan = props.plan ?? plans.find(({ id }) => id === (planId ?? plans[0]?.id))?.plan ?? null;
  const chosen = members.flatMap((host): RackMemberChoice[] => {
    const target = targetOf(host, targets, targetIds[host.id]);
    return target === undefined || left.has(host.id) ? [] : [{ host, target }];
  });

  return (
    <Modal opened onClose={props.onClose} title="Run on a rack" size="lg">
      <form
        onSubmit={(event) => {
          event.preventDefault();
          const overrideGate = override.trim() === '' ? null : override;
          if (plan !== null) starting.start({ rack: name, plan, atOnce, members: chosen, overrideGate });
        }}
      >
        <Stack gap={16}>
          {props.plan === null && (
            <NativeSelect
              label="Plan"
              value={planId ?? plans[0]?.id ?? ''}
              data={plans.map(({ id, plan: { name: label } }) => ({ value: id, label }))}
              onChange={(event) => setPlanId(event.currentTarget.value)}
            />
          )}
          {props.rack === null && (
            <NativeSelect
              label="Rack"
              value={name}
              data={racks}
              onChange={(event) => setRack(event.currentTarget.value)}
            />
          )}
          <ul className={classes.members} aria-label="Hosts">
            {members.map((host) => (
              <Member
                key={host.id}
                host={host}
                targets={targets.filter(({ hostId }) => hostId === host.id)}
                target={targetOf(host, targets, targetIds[host.id])}
                taken={!left.has(host.id)}
                onTake={(taken) =>
                  setLeft(new Set(taken ? [...left].filter((id) => id !== host.id) : [...left, host.id]))
                }
                onTarget={(id) => setTargetIds({ ...targetIds, [host.id]: id })}
              />
            ))}
          </ul>
          <Radio.Group
            label="How"
            value={atOnce ? 'at-once' : 'in-turn'}
            onChange={(value) => setAtOnce(value === 'at-once')}
          >
            <Stack gap={8} mt={8}>
              <Radio
                value="in-turn"
                label="One after the other"
                description="Each host has this machine and the network for itself: figures to compare boards by."
              />
              <Radio
                value="at-once"
                label="All at once"
                description="They share the processor and the network of this machine; each run says so, and is client-bound where that is too little."
              />
            </Stack>
          </Radio.Group>
          <TextInput
            label="Begin whatever the gate says, because"
            description="Left empty, a host that is not ready ends its own run before anything is measured; the others go on."
            value={override}
            maxLength={500}
            onChange={(event) => setOverride(event.currentTarget.value)}
          />
          {starting.error !== null && <StartFailed error={starting.error} />}
          <Group justify="flex-end" gap={8}>
            <Button variant="default" onClick={props.onClose}>
              Cancel
            </Button>
            <Button type="submit" loading={starting.pending} disabled={plan === null || chosen.length === 0}>
              {chosen.length === 0
                ? 'Choose a host with a target'
                : chosen.length === 1
                  ? 'Run on 1 host'
                  : `Run on ${chosen.length} hosts`}
            </Button>
          </Group>
        </Stack>
      </form>
      {starting.dialog}
    </Modal>
  );
}

/** The chosen one of a host, else the newest that was set up there. */
function targetOf(host: Host, targets: readonly Target[], id: string | undefined): Target | undefined {
  const own = targets.filter(({ hostId }) => hostId === host.id);
  return (
    own.find((target) => target.id === id) ??
    [...own].sort((a, b) => b.createdAt.localeCompare(a.createdAt))[0]
  );
}

function Member(props: {
  host: Host;
  targets: readonly Target[];
  target: Target | undefined;
  taken: boolean;
  onTake: (taken: boolean) => void;
  onTarget: (id: string) => void;
}): ReactNode {
  const { host, targets, target } = props;
  return (
    <li className={classes.member}>
      <Checkbox
        label={host.name}
        checked={target !== undefined && props.taken}
        disabled={target === undefined}
        onChange={(event) => props.onTake(event.currentTarget.checked)}
      />
      {target === undefined ? (
        <Text size="sm" c="dimmed">
          Has no database yet: provision it first
        </Text>
      ) : targets.length === 1 ? (
        <Text size="sm">{target.name}</Text>
      ) : (
        <NativeSelect
          aria-label={`Target on ${host.name}`}
          value={target.id}
          data={targets.map(({ id, name }) => ({ value: id, label: name }))}
          onChange={(event) => props.onTarget(event.currentTarget.value)}
        />
      )}
    </li>
  );
}
