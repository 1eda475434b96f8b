import { Text } from '@mantine/core';
import type { ReactNode } from 'react';
import type { Inventory, Throttle } from '../../../src-shared/model/host.ts';
import type { RunGate, RunHost } from '../../../src-shared/model/run.ts';
import { formatBytes, formatCount, formatElapsed } from '../../../src-shared/units.ts';
import { MachineChecks } from '../../components/MachineChecks.tsx';
import { Facts } from './Facts.tsx';
import classes from './Run.module.css';

/** The machine the server ran on, as it was before the run, and what was another after it. */
export function HostMachine(props: { host: RunHost }): ReactNode {
  const { name, before, after, gate, quieted, place } = props.host;
  const known = before ?? after;
  return (
    <section className="panel">
      <h2 className={classes.sideTitle}>Host: {name}</h2>
      {known === null ? (
        <Text c="dimmed">The host could not be read.</Text>
      ) : (
        <Facts
          facts={[
            ['Board', told(known.model.value)],
            ['System', told(known.os.value)],
            ['Kernel', told(known.kernel.value)],
            ['Cores', known.cores.value === null ? 'not known' : formatCount(known.cores.value)],
            ['Memory', size(known.memoryBytes.value)],
            ['Disk', disk(known)],
            ['Free', change(before, after, ({ root }) => size(root.freeBytes.value))],
            ['Temperature', change(before, after, ({ temperatureC }) => degrees(temperatureC.value))],
            ['Since its boot', change(before, after, ({ throttle }) => history(throttle.value))],
          ]}
        />
      )}
      <Facts
        facts={[
          [
            'Watched disk',
            place === null ? 'the one under /' : `the one under ${place.folder}, ${place.how}`,
          ],
          ['Kept quiet', quietWords(quieted)],
        ]}
      />
      {gate !== null && <Gate gate={gate} name={name} />}
    </section>
  );
}

/** What was looked at before the run, and why it began if something had not passed. */
function Gate(props: { gate: RunGate; name: string }): ReactNode {
  const { gate, name } = props;
  const waited = gate.waitedMs < 1000 ? '' : `, after a wait of ${formatElapsed(gate.waitedMs)}`;
  return (
    <>
      <h3 className={classes.gateTitle}>The gate before the run</h3>
      <Text size="sm">
        {gate.override === null ? `Passed${waited}.` : `Not passed; begun all the same: ${gate.override}`}
      </Text>
      <MachineChecks checks={gate.checks} label={`What was looked at on ${name} before the run`} />
    </>
  );
}

function quietWords(quieted: RunHost['quieted']): string {
  if (quieted === null) return 'no';
  return quieted.length === 0 ? 'yes; nothing that disturbs was on' : `yes; stopped: ${quieted.join(', ')}`;
}

const told = (text: string | null) => text ?? 'not known';
const size = (bytes: number | null) => (bytes === null ? 'not known' : formatBytes(bytes));
const degrees = (c: number | null) => (c === null ? 'not known' : `${c.toFixed(1)} °C`);

function disk({ root }: Inventory): string {
  const kinds = { sd: 'SD card', emmc: 'eMMC', usb: 'USB disk', nvme: 'NVMe', other: 'other disk' };
  const kind = root.kind.value;
  return [kind === null ? null : kinds[kind], root.device.value, root.fileSystem.value]
    .filter((part) => part !== null)
    .join(', ');
}

function history(throttle: Throttle | null): string {
  if (throttle === null) return 'not known';
  const seen = [
    throttle.underVoltageOccurred && 'under-voltage',
    throttle.throttledOccurred && 'throttled',
    throttle.frequencyCappedOccurred && 'clock capped',
    throttle.softTemperatureLimitOccurred && 'soft temperature limit',
  ].filter((word) => word !== false);
  return seen.length === 0 ? 'never held back' : seen.join(', ');
}

/** `21 GiB`, or `21 GiB before, 19 GiB after`. */
function change(
  before: Inventory | null,
  after: Inventory | null,
  read: (inventory: Inventory) => string,
): string {
  const [first, second] = [before && read(before), after && read(after)];
  if (first === null || second === null || first === second) return first ?? second ?? 'not known';
  return `${first} before, ${second} after`;
}
