import type { CommandOutput } from '../../src-shared/contract/commands.ts';
import type { Run } from '../../src-shared/model/run.ts';
import type { CheckpointBand } from '../../src-shared/stats/checkpoints.ts';
import { driftSentences, type PhaseReport, serverReport } from '../../src-shared/stats/serverReport.ts';
import { describeBlocked } from '../../src-shared/stats/serverTotals.ts';
import { type Stall, stallCauseLabels, stalledMs } from '../../src-shared/stats/stalls.ts';
import { type WaitProfile, waitDoubt, waitWords } from '../../src-shared/stats/waits.ts';
import { formatBytes, formatCount, formatElapsed, formatLatency } from '../../src-shared/units.ts';
import { textTable } from './table.ts';

type Series = CommandOutput<'runs.series'>;

const shownWaits = 10;
/** What would be printed as 0.0 %. */
const leastShare = 0.0005;
const shownStalls = 10;
const shownStatement = 100;

/** What the time axis tells of a run, for people at a terminal: waits, checkpoints, stalls, drift; empty where nothing does. */
export function serverLines(run: Pick<Run, 'phases'>, series: Series): string[] {
  const { serverWatch } = series;
  const statements = serverWatch?.statements ?? [];
  return [
    ...serverReport(run, series).flatMap(phaseLines),
    ...(statements.length > 0
      ? [
          '',
          'Statements that took the most time:',
          ...textTable(
            statements.map(({ text, calls, totalMs }) => [
              `  ${formatLatency(totalMs * 1000)}`,
              formatCount(calls),
              shortened(text.replace(/\s+/g, ' ')),
            ]),
            'rrl',
          ),
        ]
      : []),
    ...(serverWatch?.limits ?? []).map(({ what, role }) => `Not seen: ${what}. Needs the role ${role}.`),
  ];
}

function phaseLines(phase: PhaseReport): string[] {
  const { waits, checkpoints, stalls, drift, queues, totals } = phase;
  if (waits === null && drift === null) return [];
  return [
    '',
    `The server during ${phase.name}:`,
    ...(drift === null ? [] : driftSentences(drift).map((line) => `  ${line}`)),
    ...(drift === null ? [] : stallLines(stalls)),
    ...(waits === null
      ? []
      : [
          ...waitLines(waits),
          ...checkpointLines(checkpoints),
          ...queues.map((each) => `  Queue: ${describeBlocked(each)}`),
          ...(totals.walBytes === null ? [] : [`  Log written (WAL): ${formatBytes(totals.walBytes)}`]),
          ...(totals.hitRatio === null
            ? []
            : [`  Found in the cache: ${(totals.hitRatio * 100).toFixed(1)} % of the pages asked for`]),
          ...(totals.deadlocks > 0 ? [`  Deadlocks: ${formatCount(totals.deadlocks)}`] : []),
        ]),
  ];
}

function waitLines(profile: WaitProfile): string[] {
  const { samples, active, idle, waits } = profile;
  const doubt = waits.length > 0 ? waitDoubt(profile) : null;
  return [
    `  Waits, of ${formatCount(samples)} looks with ${active.toFixed(1)} sessions in a transaction and ${idle.toFixed(1)} idle:`,
    ...textTable(
      waits
        .filter(({ share }) => share >= leastShare)
        .slice(0, shownWaits)
        .map(({ event, share }) => [`    ${(share * 100).toFixed(1)} %`, event, waitWords(event)]),
      'rll',
    ),
    ...(doubt === null ? [] : [`    ${doubt}`]),
  ];
}

function checkpointLines(bands: readonly CheckpointBand[]): string[] {
  if (bands.length === 0) return ['  Checkpoints: none'];
  return [
    '  Checkpoints:',
    ...textTable(
      bands.map(({ startMs, alreadyOn, endMs, state, reason, buffers, writeMs, syncMs }) => [
        alreadyOn ? '    on already,' : `    at ${formatElapsed(Math.max(0, startMs))}`,
        `for ${formatElapsed(endMs - startMs)}${startMs < 0 ? ', from before the run' : ''}`,
        reason ?? '',
        buffers === null ? '' : `${formatCount(buffers)} pages`,
        writeMs === null || syncMs === null
          ? state === 'running'
            ? 'its end was not seen'
            : ''
          : `write ${formatElapsed(writeMs)}, sync ${formatElapsed(syncMs)}`,
      ]),
      'rrlrl',
    ),
  ];
}

function stallLines(stalls: readonly Stall[]): string[] {
  if (stalls.length === 0) return ['  Stalls: none'];
  const longest = [...stalls]
    .sort((a, b) => b.toMs - b.fromMs - (a.toMs - a.fromMs))
    .slice(0, shownStalls)
    .sort((a, b) => a.fromMs - b.fromMs);
  return [
    `  Stalls: ${formatElapsed(stalledMs(stalls))} with less than a tenth of the median second`,
    ...longest.map(({ fromMs, toMs, causes }) => {
      const seen = causes.map((cause) => stallCauseLabels[cause]).join(', ');
      return `    at ${formatElapsed(fromMs)} for ${formatElapsed(toMs - fromMs)}: ${seen || 'nothing that was sampled explains it'}`;
    }),
  ];
}

function shortened(text: string): string {
  return text.length <= shownStatement ? text : `${text.slice(0, shownStatement - 1)}…`;
}
