import {
  IconBoltOff,
  IconCircleCheck,
  IconHandStop,
  IconKeyOff,
  IconPower,
  IconQuestionMark,
  IconTemperaturePlus,
} from '@tabler/icons-react';
import type { ReactNode } from 'react';
import type { Host } from '../../../src-shared/model/host.ts';
import { StateBadge } from '../../components/StateBadge.tsx';

/** What matters most about a host, as it was when it was last looked at. */
export function HostStateBadge(props: { host: Host; keyChanged?: boolean }): ReactNode {
  const { hostKey, inventory } = props.host;
  if (props.keyChanged === true) {
    return (
      <StateBadge tone="bad" Icon={IconHandStop}>
        Key changed
      </StateBadge>
    );
  }
  if (inventory === null) {
    return hostKey === null ? (
      <StateBadge tone="quiet" Icon={IconKeyOff}>
        Not connected yet
      </StateBadge>
    ) : (
      <StateBadge tone="quiet" Icon={IconQuestionMark}>
        Not looked at yet
      </StateBadge>
    );
  }
  const throttle = inventory.throttle.value;
  if (throttle?.underVoltage === true) {
    return (
      <StateBadge tone="bad" Icon={IconBoltOff}>
        Under-voltage
      </StateBadge>
    );
  }
  if (throttle?.throttled === true || throttle?.frequencyCapped === true || throttle?.softTemperatureLimit) {
    return (
      <StateBadge tone="warn" Icon={IconTemperaturePlus}>
        Throttled
      </StateBadge>
    );
  }
  if (inventory.rebootPending.value === true) {
    return (
      <StateBadge tone="warn" Icon={IconPower}>
        Restart pending
      </StateBadge>
    );
  }
  return (
    <StateBadge tone="good" Icon={IconCircleCheck}>
      Ready
    </StateBadge>
  );
}
