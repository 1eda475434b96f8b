import type { MachineCheck } from '../../../src-shared/model/host.ts';
import { readClock } from '../inventory/clock.ts';
import { askSurvey, type SurveyItem } from '../inventory/survey.ts';
import { surveyItems } from '../inventory/surveyItems.ts';
import { quote } from '../quote.ts';
import type { Remote } from '../remote.ts';
import {
  aptCheck,
  clockSetCheck,
  governorCheck,
  loadCheck,
  rebootCheck,
  spaceCheck,
  swapCheck,
  temperatureCheck,
  throttleCheck,
} from './gateChecks.ts';
import { linkCheck } from './network.ts';

export interface Expected {
  /** Where the database lies. */
  folder?: string;
  /** What the run will write, in bytes, and the largest WAL the server keeps. */
  dataBytes?: number;
  walBytes?: number;
}

/** Items of the inventory that the gate asks again. */
const again = [
  ...['vcgencmd-throttled', 'vcgencmd-temp', 'thermal', 'clock-synchronized', 'locks', 'apt-lock-files'],
  ...['apt-processes', 'model', 'cpuinfo', 'route', 'wireless', 'speed', 'wifi', 'reboot'],
];

const items = (folder: string): readonly SurveyItem[] => [
  ['swap-before', 'grep -E "^pswp(in|out) " /proc/vmstat'],
  ...surveyItems.filter(([name]) => again.includes(name)),
  ['loadavg', 'cat /proc/loadavg'],
  [
    'under-voltage',
    'for h in /sys/class/hwmon/hwmon*; do [ "$(cat "$h/name")" = rpi_volt ] && cat "$h/in0_lcrit_alarm"; done 2>/dev/null | grep .',
  ],
  ['governor', 'cat /sys/devices/system/cpu/cpu0/cpufreq/scaling_governor'],
  // The folder may not be there yet: the disk is that of the next one above it.
  ['space', `f=${quote(folder)}; while [ ! -d "$f" ]; do f=$(dirname -- "$f"); done; df -PB1 "$f"`],
  ['swap-after', 'sleep 2; grep -E "^pswp(in|out) " /proc/vmstat'],
];

/**
 * May a run begin on this host? Reads only; takes three seconds. A line that says `wait` will pass by itself. What only
 * the database can tell (its settings, a vacuum) its driver says: see `Session.readiness`.
 * @throws AppError what `Remote.script` throws
 */
export async function gate(
  remote: Remote,
  signal: AbortSignal,
  expected: Expected = {},
): Promise<MachineCheck[]> {
  const survey = await askSurvey(remote, items(expected.folder ?? '/'), { signal });
  const offset = await readClock(remote, signal);
  return [
    throttleCheck(survey),
    temperatureCheck(survey),
    governorCheck(survey),
    clockSetCheck(survey, offset),
    aptCheck(survey),
    swapCheck(survey),
    loadCheck(survey),
    spaceCheck(survey, (expected.dataBytes ?? 0) * 2 + (expected.walBytes ?? 0)),
    linkCheck(survey),
    rebootCheck(survey),
  ];
}
