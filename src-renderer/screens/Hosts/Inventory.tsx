import { Button, Group, Popover, Switch, Text, UnstyledButton } from '@mantine/core';
import { IconAlertTriangle, IconQuestionMark, IconRefresh } from '@tabler/icons-react';
import { type ReactNode, useState } from 'react';
import type { Inventory } from '../../../src-shared/model/host.ts';
import { formatBytes, formatCount, formatLatency } from '../../../src-shared/units.ts';
import { Figure, Figures } from '../../components/Figure.tsx';
import { TimeAgo } from '../../components/TimeAgo.tsx';
import { diskKinds, factGroups, type ShownFact } from './facts.ts';
import classes from './Hosts.module.css';

/** What a host is and what is on it. What it did not tell is shown as unknown, with its own words one click away. */
export function InventoryView(props: {
  inventory: Inventory;
  onRefresh: () => void;
  refreshing: boolean;
}): ReactNode {
  const { inventory } = props;
  const [raw, setRaw] = useState(false);
  return (
    <section aria-label="Inventory" className={classes.stack}>
      <Headline inventory={inventory} />
      <Group justify="space-between" gap={12}>
        <Group gap={12}>
          <Text size="sm" c="dimmed">
            Read <TimeAgo iso={inventory.at} />. Reading changes nothing.
          </Text>
          <Button
            size="compact-sm"
            variant="subtle"
            color="gray"
            leftSection={<IconRefresh size={14} aria-hidden />}
            disabled={props.refreshing}
            onClick={props.onRefresh}
          >
            Read again
          </Button>
        </Group>
        <Switch
          size="sm"
          label="Show what the host said"
          checked={raw}
          onChange={(event) => setRaw(event.currentTarget.checked)}
        />
      </Group>
      <div className={classes.groups}>
        {factGroups(inventory).map((group) => (
          <section key={group.title} className="panel" aria-label={group.title}>
            <h2 className={classes.heading}>{group.title}</h2>
            <dl className={classes.facts}>
              {group.facts.map((fact) => (
                <FactLine key={fact.label} fact={fact} raw={raw} />
              ))}
            </dl>
          </section>
        ))}
      </div>
    </section>
  );
}

function FactLine(props: { fact: ShownFact; raw: boolean }): ReactNode {
  const { fact } = props;
  return (
    <div>
      <dt>{fact.label}</dt>
      <dd title={fact.exact}>
        {fact.value === null ? <Unknown fact={fact} /> : fact.value}
        {fact.worry === true && (
          <IconAlertTriangle size={14} role="img" aria-label="Worth a look" className={classes.worry} />
        )}
        {props.raw && fact.raw !== null && <pre className="raw">{fact.raw.trim() || 'It said nothing'}</pre>}
      </dd>
    </div>
  );
}

function Unknown(props: { fact: ShownFact }): ReactNode {
  const { label, raw } = props.fact;
  if (raw === null) return <span className="quiet">Unknown</span>;
  return (
    <Popover width={420} position="bottom-start">
      <Popover.Target>
        <UnstyledButton className={classes.unknown} aria-label={`${label}: unknown. What did the host say?`}>
          <IconQuestionMark size={14} aria-hidden />
          Unknown
        </UnstyledButton>
      </Popover.Target>
      <Popover.Dropdown>
        <Text size="sm" fw={600} mb={4}>
          What the host said
        </Text>
        {raw.trim() === '' ? (
          <Text size="sm">Nothing: it does not have what was asked for.</Text>
        ) : (
          <pre className="raw">{raw.trim()}</pre>
        )}
      </Popover.Dropdown>
    </Popover>
  );
}

/** The five figures that decide what the host can take. */
function Headline(props: { inventory: Inventory }): ReactNode {
  const { memoryBytes, cores, root, network, temperatureC, board, clockMhz, maxClockMhz } = props.inventory;
  const memory = split(memoryBytes.value, formatBytes);
  const free = split(root.freeBytes.value, formatBytes);
  const trip = split(network.roundTripUs, formatLatency);
  return (
    <Figures label="What matters most">
      <Figure
        label="Memory"
        {...memory}
        aside={
          board?.memoryBytes === null || board === undefined
            ? 'as Linux sees it'
            : `of ${formatBytes(board.memoryBytes)} as sold`
        }
      />
      <Figure
        label="Cores"
        value={cores.value === null ? '–' : formatCount(cores.value)}
        aside={
          maxClockMhz.value !== null
            ? `up to ${formatCount(maxClockMhz.value)} MHz`
            : clockMhz.value !== null
              ? `at ${formatCount(clockMhz.value)} MHz`
              : 'clock not known'
        }
      />
      <Figure
        label="Free on the root disk"
        {...free}
        aside={root.kind.value === null ? 'kind not known' : diskKinds[root.kind.value]}
      />
      <Figure
        label="Round trip"
        {...trip}
        aside={
          network.wifi.value === null ? (network.device.value ?? '–') : network.wifi.value ? 'Wi-Fi' : 'Cable'
        }
      />
      <Figure
        label="Temperature"
        value={temperatureC.value === null ? '–' : temperatureC.value.toFixed(1)}
        unit={temperatureC.value === null ? undefined : '°C'}
        aside={throttleWords(props.inventory)}
      />
    </Figures>
  );
}

function throttleWords({ throttle }: Inventory): string {
  if (throttle.value === null) return 'throttling not known';
  const { underVoltage, throttled, frequencyCapped, softTemperatureLimit } = throttle.value;
  if (underVoltage) return 'under-voltage';
  return throttled || frequencyCapped || softTemperatureLimit ? 'throttled' : 'not throttled';
}

/** A formatted amount as figure and unit. */
function split(value: number | null, format: (value: number) => string): { value: string; unit?: string } {
  if (value === null) return { value: '–' };
  const [figure = '', unit] = format(value).split(' ');
  return { value: figure, ...(unit !== undefined && { unit }) };
}
