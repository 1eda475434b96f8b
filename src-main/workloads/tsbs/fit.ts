import { instantOf, nanosOf } from '../fields.ts';
import { countOf } from '../words.ts';
import type { Step } from '../workload.ts';
import { drawnHosts, findQueryType, nanosOfHours, queryTypesOf } from './queries/queryTypes.ts';
import type { UseCase } from './simulation.ts';

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

/** Why a query type cannot ask for what it asks for: too short a time, too few hosts. `path` is left to the caller. */
export function queryProblems(
  name: string,
  data: Range & { scale: number; useCase: UseCase },
): Omit<Problems[number], 'path'>[] {
  const type = findQueryType(name);
  if (type === undefined) return [];
  const problems: Omit<Problems[number], 'path'>[] = [];
  const possible = queryTypesOf(data.useCase);
  if (!possible.includes(type))
    problems.push({
      message: `There is no query ${name} for the use case ${data.useCase}`,
      hint:
        possible.length === 0
          ? 'TSBS has no queries for it: leave the queries out, or load cpu-only.'
          : `Take ${possible.map((each) => each.name).join(', ')}.`,
    });
  if (type.hours > 0 && lengthOf(data) <= nanosOfHours(type.hours))
    problems.push({
      message: `${name} asks for ${windowWords(type.hours)} at a time, and the time from start to end is not longer than that`,
      hint: 'Take a longer time, or an end one second later.',
    });
  if (drawnHosts(type) > data.scale)
    problems.push({
      message: `${name} asks for ${countOf(drawnHosts(type), 'host')} at a time, and there are only ${data.scale}`,
      hint: 'Take more hosts, or another query type.',
    });
  return problems;
}

const windowWords = (hours: number) =>
  hours < 1 ? countOf(Math.round(hours * 60), 'minute') : countOf(hours, 'hour');

function lengthOf({ timestampStart, timestampEnd }: Range): bigint {
  return instantOf(timestampEnd) - instantOf(timestampStart);
}
