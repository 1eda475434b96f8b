import type { MachineCheck } from '../../../src-shared/model/host.ts';
import { formatLatency } from '../../../src-shared/units.ts';
import { decodeRevision, parseModel, parseRevisionCode } from '../inventory/board.ts';
import {
  parsePing,
  parsePings,
  parsePowerSaving,
  parseRouteDevice,
  parseSpeed,
  parseTcpRoundTrip,
  parseWifiRate,
} from '../inventory/network.ts';
import type { Survey } from '../inventory/survey.ts';
import { fieldOf } from '../inventory/text.ts';
import type { Remote } from '../remote.ts';
import { check, type Finding, figure, unknown } from './check.ts';

/** Wi-Fi takes 2 to 10 ms, a cable to a Pi well under 1. */
const slowRoundTripUs = 2000;

export function roundTripCheck(survey: Survey): MachineCheck {
  const ping = parsePing(survey.text('ping'));
  const us = ping ?? parseTcpRoundTrip(survey.text('tcp'));
  const raw = `${survey.text('ping')}\n${survey.text('tcp')}`;
  const title = 'Round trip';
  if (us === null)
    return check('round-trip', title, unknown('Neither ping nor the SSH connection tells it', raw));
  const pings = parsePings(survey.text('ping'));
  const late = pings[Math.ceil(pings.length * 0.95) - 1] ?? us;
  const how =
    ping === null
      ? 'least of the SSH connection, as its kernel has seen it'
      : `median of ${pings.length} pings, 95 % within ${formatLatency(late)}`;
  const slow = us > slowRoundTripUs;
  return check('round-trip', title, {
    result: slow ? 'warn' : 'pass',
    detail: `A question and its answer take ${formatLatency(us)} on the way (${how})`,
    advice: slow
      ? 'Each statement waits that long: use a cable, or switch the power saving of Wi-Fi off.'
      : '',
    value: us / 1000,
    unit: 'ms',
    raw,
  });
}

/** Does this board have a Gigabit port? null: unknown. */
export function hasGigabit(survey: Survey): boolean | null {
  const code = parseRevisionCode(survey.text('cpuinfo'));
  const model =
    parseModel(survey.output('model'), survey.text('cpuinfo')) ?? (code && decodeRevision(code)?.model);
  if (!model) return null;
  if (/Raspberry Pi (3 Model B(\+| Plus)|4|5|400|500|Compute Module [45])/.test(model)) return true;
  return /Raspberry Pi/.test(model) ? false : null;
}

/** The cable's speed, or that there is none. */
export function linkCheck(survey: Survey): MachineCheck {
  const title = 'Network link';
  const device = parseRouteDevice(survey.output('route'));
  if (device === null)
    return check('link', title, unknown('The host names no way to this machine', survey.text('route')));
  if (survey.succeeded('wireless')) return check('link', title, wifiFinding(survey, device));
  const speed = parseSpeed(survey.text('speed'));
  if (speed === null)
    return check('link', title, unknown(`${device} does not tell its speed`, survey.text('speed')));
  const figures = { value: speed, unit: 'Mbit/s', raw: survey.text('speed') };
  if (speed <= 100 && hasGigabit(survey) === true)
    return check('link', title, {
      ...figures,
      result: 'fail',
      detail: `${device} runs at ${speed} Mbit/s, this board can do 1,000`,
      advice: 'The cable or the port of the switch is bad: a Gigabit link needs all eight wires.',
    });
  return check('link', title, { ...figures, result: 'pass', detail: `${device} runs at ${speed} Mbit/s` });
}

function wifiFinding(survey: Survey, device: string): Finding {
  const rate = parseWifiRate(survey.text('wifi'));
  const saving = parsePowerSaving(survey.text('wifi'));
  return {
    result: 'warn',
    detail: `${device} is Wi-Fi${rate === null ? '' : ` at ${rate} Mbit/s`}${saving ? ', its power saving on' : ''}`,
    advice: saving
      ? `Use a cable, or: sudo iw dev ${device} set power_save off. Answers are late by up to 100 ms with it.`
      : 'Use a cable: Wi-Fi varies from minute to minute.',
    value: rate,
    unit: rate === null ? null : 'Mbit/s',
    raw: survey.text('wifi'),
  };
}

const first = 2 * 1024 * 1024;
const most = 32 * 1024 * 1024;

/**
 * Mbit/s in both directions over the SSH connection, about `seconds` each. First a small piece, then one that is as large
 * as the first was quick.
 * @throws AppError what Remote throws
 */
export async function throughputCheck(
  remote: Remote,
  survey: Survey,
  seconds: number,
  signal: AbortSignal,
): Promise<MachineCheck> {
  const measure = async (move: (bytes: number) => Promise<number>) => {
    const guess = await move(first);
    return move(Math.round(Math.min(most, Math.max(first, guess * seconds))));
  };
  const down = (await measure((bytes) => receive(remote, bytes, signal))) * 8e-6;
  const up = (await measure((bytes) => send(remote, bytes, signal))) * 8e-6;
  const cpu = fieldOf(survey.text('lscpu'), 'Model name') ?? 'its processor';
  const aes = /\baes\b/.test(fieldOf(survey.text('lscpu'), 'Flags') ?? '');
  const least = Math.min(down, up);
  const link = survey.succeeded('wireless') ? null : parseSpeed(survey.text('speed'));
  const wanted = link === null ? 50 : Math.min(link, 1000) / 4;
  const slow = least < wanted;
  return check('throughput', 'Throughput', {
    result: slow ? 'warn' : 'pass',
    detail: `${figure(down)} Mbit/s from the host, ${figure(up)} Mbit/s to it, over SSH: its encryption is included, on ${cpu} ${aes ? 'with' : 'without'} instructions for AES, so the network alone can do at least this`,
    advice: slow
      ? `That is less than ${figure(wanted)} Mbit/s: the network${aes ? '' : ', or the encryption on this processor,'} is slow.`
      : '',
    value: least,
    unit: 'Mbit/s',
    raw: `${Math.round(down * 1000) / 1000} Mbit/s down, ${Math.round(up * 1000) / 1000} Mbit/s up, link ${link ?? 'unknown'}`,
  });
}

/** Bytes a second, from the first piece that comes to the last. */
async function receive(remote: Remote, bytes: number, signal: AbortSignal): Promise<number> {
  let start = 0;
  let end = 0;
  let before = 0;
  let got = 0;
  const onOutput = (text: string) => {
    end = performance.now();
    if (start === 0) {
      start = end;
      before = text.length;
    }
    got += text.length;
  };
  await remote.run(['head', '-c', String(bytes), '/dev/zero'], { signal, onOutput });
  return end > start ? ((got - before) / (end - start)) * 1000 : 0;
}

/** Bytes a second, the start of the command included: that takes a few round trips. */
async function send(remote: Remote, bytes: number, signal: AbortSignal): Promise<number> {
  const start = performance.now();
  await remote.run(['wc', '-c'], { signal, input: '\0'.repeat(bytes) });
  return (bytes / (performance.now() - start)) * 1000;
}
