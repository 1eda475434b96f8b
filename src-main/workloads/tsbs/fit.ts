import { instantOf, nanosOf } from '../fields.ts';
import { countOf } from '../words.ts';
import type { Step } from '../workload.ts';
import { drawnHosts, findQueryType } from './queries/queryTypes.ts';

type Problems = ReturnType<Step['check']>;

interface Range {
  timestampStart: string;
  timestampEnd: string;
}

/** What does not fit together in the options of a data set. */
export function dataProblems(
  data: Range & { logInterval: string; initialScale: number; scale: number },
): Problems {
  const problems: Problems = [];
  const length = lengthOf(data);
  if (length <= 0n)
    problems.push({ path: 'timestampEnd', message: 'The end is not after the start', hint: null });
  else if (length < nanosOf(data.logInterval))
    problems.push({
      path: 'logInterval',
      message: 'The interval is longer than the time from start to end, so there is not one row',
      hint: 'Choose a later end or a shorter interval.',
    });
  if (data.initialScale > data.scale)
    problems.push({
      path: 'initialScale',
      message: `There cannot be more hosts at the start (${data.initialScale}) than at the end (${data.scale})`,
      hint: null,
    });
  return problems;
}

const nanosPerHour = 3_600_000_000_000n;

/** Why a query type cannot ask for what it asks for: too short a time, too few hosts. `path` is left to the caller. */
export function queryProblems(
  name: string,
  data: Range & { scale: number },
): Omit<Problems[number], 'path'>[] {
  const type = findQueryType(name);
  if (type === undefined) return [];
  const problems: Omit<Problems[number], 'path'>[] = [];
  if (type.hours > 0 && lengthOf(data) <= BigInt(type.hours) * nanosPerHour)
    problems.push({
      message: `${name} asks for ${countOf(type.hours, 'hour')} at a time, and the time from start to end is not longer than that`,
      hint: 'Take a longer time, or an end one second later.',
    });
  if (drawnHosts(type) > data.scale)
    problems.push({
      message: `${name} asks for ${countOf(drawnHosts(type), 'host')} at a time, and there are only ${data.scale}`,
      hint: 'Take more hosts, or another query type.',
    });
  return problems;
}

function lengthOf({ timestampStart, timestampEnd }: Range): bigint {
  return instantOf(timestampEnd) - instantOf(timestampStart);
}
