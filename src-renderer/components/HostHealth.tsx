import { IconAlertTriangle, IconCircleCheck, IconPlugX, type TablerIcon } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import type { HealthSample } from '../../src-shared/model/host.ts';
import { formatBytes, formatCount } from '../../src-shared/units.ts';
import { isThrottled } from '../state/healthline.ts';
import { ErrorPanel } from './ErrorPanel.tsx';
import { Figure, Figures } from './Figure.tsx';
import classes from './HostHealth.module.css';
import { SkeletonFigures } from './Skeletons.tsx';
import { useHostHealth } from './useHostHealth.ts';

/** A host's health now, a figure a second, for as long as it is shown. */
export function HostHealth(props: { hostId: string }): ReactNode {
  return <Strip key={props.hostId} hostId={props.hostId} />;
}

function Strip(props: { hostId: string }): ReactNode {
  const { sample, silent, error, retry } = useHostHealth(props.hostId);
  if (error !== null) return <ErrorPanel error={error} next={{ label: 'Try again', onClick: retry }} />;
  if (sample === null) return <SkeletonFigures />;
  const { cpu, memory, disk, network, temperatureC, clockMhz } = sample;
  const percent = (share: number) => `${formatCount(share * 100)} %`;
  return (
    <Figures label="Health of the host now">
      <Figure
        label="Temperature"
        value={temperatureC === null ? '–' : temperatureC.toFixed(0)}
        unit="°C"
        exact={temperatureC === null ? 'This host does not tell it.' : `${temperatureC.toFixed(1)} °C`}
        aside={<HealthState sample={sample} silent={silent} />}
      />
      <Figure
        label="CPU"
        value={formatCount((1 - cpu.idle - cpu.wait) * 100)}
        unit="%"
        aside={clockMhz === null ? `load ${sample.load1.toFixed(2)}` : `at ${formatCount(clockMhz)} MHz`}
      />
      <Bytes
        label="Memory in use"
        bytes={memory.totalBytes - memory.availableBytes}
        aside={`of ${formatBytes(memory.totalBytes)}, swap ${formatBytes(memory.swapUsedBytes)}`}
      />
      <Bytes
        label="Disk written"
        bytes={disk?.writeBytesPerSecond ?? null}
        per="/s"
        aside={disk === null ? 'not known' : `busy ${percent(disk.busy)}, waited for ${percent(cpu.wait)}`}
      />
      <Bytes
        label="Network received"
        bytes={network?.receivedBytesPerSecond ?? null}
        per="/s"
        aside={network === null ? 'not known' : `sent ${formatBytes(network.sentBytesPerSecond)}/s`}
      />
    </Figures>
  );
}

function Bytes(props: { label: string; bytes: number | null; per?: string; aside: string }): ReactNode {
  const [value = '–', unit = 'B'] = props.bytes === null ? [] : formatBytes(props.bytes).split(' ');
  return <Figure label={props.label} value={value} unit={`${unit}${props.per ?? ''}`} aside={props.aside} />;
}

/** Whether the host may do what it can: icon, word and colour. */
export function HealthState(props: { sample: HealthSample | null; silent: boolean }): ReactNode {
  const { sample, silent } = props;
  if (sample === null || silent) return <State tone="quiet" Icon={IconPlugX} words="no answer" />;
  if (sample.underVoltage === true)
    return <State tone="warn" Icon={IconAlertTriangle} words="under-voltage" />;
  if (isThrottled(sample)) return <State tone="warn" Icon={IconAlertTriangle} words="throttled" />;
  return <State tone="good" Icon={IconCircleCheck} words="ok" />;
}

/** A state in a figure's small print. */
export function State(props: {
  tone: 'good' | 'warn' | 'quiet';
  Icon: TablerIcon;
  words: string;
}): ReactNode {
  return (
    <span className={classes.state} data-tone={props.tone}>
      <props.Icon size={14} aria-hidden />
      {props.words}
    </span>
  );
}
