import type { MachineCheck, Throttle } from '../../../src-shared/model/host.ts';
import { formatBytes } from '../../../src-shared/units.ts';
import { temperatureOf } from '../health/index.ts';
import { parseThrottled } from '../inventory/firmware.ts';
import { parseAptBusy, parseRebootPending } from '../inventory/services.ts';
import { parseDf } from '../inventory/storage.ts';
import type { Survey } from '../inventory/survey.ts';
import { parseClockSynchronized } from '../inventory/system.ts';
import { type Fact, firstMatch, linesOf, numberOf } from '../inventory/text.ts';
import { check, figure, unknown } from './check.ts';

const throttleWords: readonly (readonly [keyof Throttle, keyof Throttle, string])[] = [
  ['underVoltage', 'underVoltageOccurred', 'under-voltage'],
  ['frequencyCapped', 'frequencyCappedOccurred', 'the clock capped'],
  ['throttled', 'throttledOccurred', 'throttled'],
  ['softTemperatureLimit', 'softTemperatureLimitOccurred', 'the soft temperature limit reached'],
];

export function throttleCheck(survey: Survey): MachineCheck {
  const [id, title, raw] = ['throttle', 'Throttling', survey.text('vcgencmd-throttled')];
  const bits = parseThrottled(raw);
  const alarm = survey.text('under-voltage').trim();
  const now = throttleWords.flatMap(([live, , word]) => (bits?.[live] ? [word] : []));
  if (bits === null && alarm === '1') now.push('under-voltage');
  if (now.length > 0)
    return check(id, title, {
      result: 'fail',
      detail: `Right now: ${now.join(', ')}`,
      advice: now.includes('under-voltage')
        ? 'Use a power supply and a cable that give 5.1 V under load; figures taken now are worth nothing.'
        : 'Cool the board; figures taken now are worth nothing.',
      raw,
    });
  if (bits === null)
    return alarm === '0'
      ? check(id, title, {
          result: 'pass',
          detail: 'No under-voltage; vcgencmd, which tells the rest, is missing',
          raw,
        })
      : check(id, title, unknown('Neither vcgencmd nor the kernel tells it', raw));
  const since = throttleWords.flatMap(([, occurred, word]) => (bits[occurred] ? [word] : []));
  if (since.length === 0)
    return check(id, title, { result: 'pass', detail: 'None since the last boot', raw });
  return check(id, title, {
    result: 'warn',
    detail: `Not now, but since the last boot: ${since.join(', ')}`,
    advice: 'It may happen again under load; each sample of the run shows whether it does.',
    raw,
  });
}

/** Idle below this leaves room before 80 °C, where the firmware begins to throttle. */
const coolEnoughC = 65;

export function temperatureCheck(survey: Survey): MachineCheck {
  const [id, title] = ['temperature', 'Temperature'];
  const raw = `${survey.text('vcgencmd-temp')}\n${survey.text('thermal')}`;
  const value = temperatureOf(survey);
  if (value === null) return check(id, title, unknown('The host has no thermometer that is known', raw));
  const cool = value < coolEnoughC;
  return check(id, title, {
    result: cool ? 'pass' : 'wait',
    detail: `${figure(value)} °C; below ${coolEnoughC} is cool enough to begin`,
    advice: cool ? '' : 'Let it cool down; if it stays so warm when idle, it needs a heat sink or a fan.',
    value,
    unit: '°C',
    raw,
  });
}

export function governorCheck(survey: Survey): MachineCheck {
  const raw = survey.text('governor');
  const governor = firstMatch(survey.output('governor'), /^([a-z_]+)$/);
  if (governor === null)
    return check('governor', 'Governor', unknown('The host has no governor of the clock', raw));
  const slow = governor === 'powersave';
  return check('governor', 'Governor', {
    result: slow ? 'warn' : 'pass',
    detail: `The clock's governor is ${governor}`,
    advice: slow ? 'It keeps the clock at its lowest: choose performance for the run.' : '',
    raw,
  });
}

/** Signatures of packages and certificates fail from about here on. */
const mostOffsetSeconds = 60;

export function clockSetCheck(survey: Survey, offset: Fact<number>): MachineCheck {
  const [id, title] = ['clock-set', 'Time of day'];
  const synchronized = parseClockSynchronized(survey.text('clock-synchronized'));
  const raw = `${survey.text('clock-synchronized')}\n${offset.raw}`;
  const figures = { value: offset.value, unit: offset.value === null ? null : 's', raw };
  if (offset.value !== null && Math.abs(offset.value) > mostOffsetSeconds)
    return check(id, title, {
      ...figures,
      result: 'fail',
      detail: `The host's clock is ${figure(Math.abs(offset.value))} s ${offset.value > 0 ? 'ahead' : 'behind'}`,
      advice: 'Set it: sudo timedatectl set-ntp true. A Pi without a battery loses the time when it is off.',
    });
  const apart = offset.value === null ? '' : `, ${figure(Math.abs(offset.value))} s apart from this machine`;
  if (synchronized === null)
    return check(id, title, { ...unknown('The host does not tell whether it is set'), ...figures });
  return check(id, title, {
    ...figures,
    result: synchronized ? 'pass' : 'warn',
    detail: synchronized ? `Set by a time server${apart}` : `Not set by a time server${apart}`,
    advice: synchronized ? '' : 'sudo timedatectl set-ntp true; a clock that is set in mid-run jumps.',
  });
}

export function aptCheck(survey: Survey): MachineCheck {
  const raw = survey
    .text('apt-processes')
    .split('\n')
    .filter((line) => /apt|dpkg|unattended|packagekit/.test(line));
  const busy = parseAptBusy(
    survey.output('locks'),
    survey.text('apt-lock-files'),
    survey.output('apt-processes'),
  );
  if (busy === null) return check('apt', 'Packages', unknown('The host does not tell'));
  return check('apt', 'Packages', {
    result: busy ? 'wait' : 'pass',
    detail: busy ? 'Packages are being installed or updated' : 'Nobody installs or updates packages',
    advice: busy ? 'Wait until it is done; the recipe Quiet keeps such services still during a run.' : '',
    raw: raw.join('\n'),
  });
}

export function swapCheck(survey: Survey): MachineCheck {
  const pages = (name: string) => {
    const counts = linesOf(survey.output(name)).map((line) => numberOf(line.split(' ')[1] ?? null));
    return counts.length === 2 ? counts.reduce((sum: number, count) => sum + (count ?? 0), 0) : null;
  };
  const [before, after] = [pages('swap-before'), pages('swap-after')];
  const raw = `${survey.text('swap-before')}\n${survey.text('swap-after')}`;
  if (before === null || after === null)
    return check('swap', 'Swapping', unknown('The host does not tell', raw));
  const grown = after - before;
  return check('swap', 'Swapping', {
    result: grown > 0 ? 'wait' : 'pass',
    detail: grown > 0 ? `${grown} pages in two seconds` : 'None in two seconds',
    advice: grown > 0 ? 'Memory is short: stop what is not needed, such as the desktop.' : '',
    value: grown,
    unit: 'pages',
    raw,
  });
}

/** Waiting tasks, averaged over a minute. */
const mostLoad = 0.3;

export function loadCheck(survey: Survey): MachineCheck {
  const raw = survey.text('loadavg');
  const value = numberOf(firstMatch(raw, /^([\d.]+) [\d.]+ [\d.]+ /));
  if (value === null) return check('load', 'Load', unknown('The host does not tell', raw));
  const calm = value < mostLoad;
  return check('load', 'Load', {
    result: calm ? 'pass' : 'wait',
    detail: `${value} over the last minute; below ${mostLoad} is calm`,
    advice: calm ? '' : 'Something else is at work on the host; wait for it, or stop it.',
    value,
    unit: null,
    raw,
  });
}

/** Below this a server soon stands still whatever the run writes. */
const leastFree = 1024 ** 3;

export function spaceCheck(survey: Survey, needed: number): MachineCheck {
  const raw = survey.text('space');
  const mount = firstMatch(raw, /\s\d+%\s+(\/.*)$/);
  const space = mount === null ? null : parseDf(raw, mount);
  if (space === null) return check('space', 'Free space', unknown('df did not tell', raw));
  const least = Math.max(leastFree, needed);
  const enough = space.freeBytes >= least;
  const free = formatBytes(space.freeBytes);
  const device = firstMatch(raw, /^(\/dev\/\S+)/m);
  return check('space', 'Free space', {
    result: enough ? 'pass' : 'fail',
    detail: `${free} free on ${mount}${device === null ? '' : ` (${device})`}; ${formatBytes(least)} are needed`,
    advice: enough ? '' : 'Make room, or let the database lie on another disk.',
    value: space.freeBytes,
    unit: 'bytes',
    raw,
  });
}

export function rebootCheck(survey: Survey): MachineCheck {
  const raw = survey.text('reboot');
  const pending = parseRebootPending(raw);
  if (pending === null) return check('reboot', 'Restart', unknown('The host does not tell', raw));
  return check('reboot', 'Restart', {
    result: pending ? 'warn' : 'pass',
    detail: pending ? 'The host waits for a restart after an update' : 'None is pending',
    advice: pending ? 'Restart it, so that what runs is what is installed.' : '',
    raw,
  });
}
