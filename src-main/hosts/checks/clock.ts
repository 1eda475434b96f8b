import type { MachineCheck } from '../../../src-shared/model/host.ts';
import { parseKilohertz } from '../inventory/board.ts';
import { parseThrottled, parseVcgencmdClock } from '../inventory/firmware.ts';
import type { Survey, SurveyItem } from '../inventory/survey.ts';
import { check, figure, unknown } from './check.ts';

/** Keeps every core busy for so many seconds, then asks at which clock they run. */
export function clockItems(seconds: number): SurveyItem[] {
  const asked = [
    'cat /sys/devices/system/cpu/cpu0/cpufreq/cpuinfo_max_freq',
    'cat /sys/devices/system/cpu/cpu0/cpufreq/scaling_cur_freq',
    'vcgencmd measure_clock arm',
    'vcgencmd get_throttled',
  ];
  // The shell that is told to end takes its loops with it, and what comes after it has the cores.
  const load = `trap 'kill $loops 2>/dev/null; wait $loops' EXIT; trap 'exit 143' HUP INT TERM PIPE
loops=; for c in $(seq "$(nproc)"); do sh -c 'while :; do :; done' & loops="$loops $!"; done
sleep ${seconds} & wait $!
`;
  return [['clock-load', `${load}${asked.map((command) => `echo "= ${command}"; ${command}`).join('\n')}`]];
}

/** The clock under load against what the board is set to. */
export function clockCheck(survey: Survey): MachineCheck {
  const title = 'Processor clock';
  const raw = survey.text('clock-load');
  const [, rating = '', asked = '', actual = '', bits = ''] = raw.split(/^= .*$/m);
  const rated = parseKilohertz(rating);
  const measured = [parseKilohertz(asked), parseVcgencmdClock(actual)].filter((mhz) => mhz !== null);
  if (rated === null || measured.length === 0)
    return check('clock', title, unknown('The host does not tell its clock', raw));
  const mhz = Math.min(...measured);
  const throttle = parseThrottled(bits);
  const figures = { value: mhz, unit: 'MHz', raw };
  const detail = `${figure(mhz)} MHz with all cores busy; the board is set to ${figure(rated)}`;
  // The firmware's own figure wanders by a per cent.
  if (mhz >= rated * 0.97) return check('clock', title, { ...figures, result: 'pass', detail });
  const why = throttle?.underVoltage
    ? 'The voltage is too low: use a better power supply.'
    : throttle?.softTemperatureLimit || throttle?.throttled
      ? 'It is too hot: cool it.'
      : 'Look at the power supply, the cooling and the governor.';
  return check('clock', title, { ...figures, result: 'fail', detail, advice: why });
}
