import type { ReactNode } from 'react';
import { formatAxisTime } from '../../../src-shared/axis.ts';
import type { CheckpointBand } from '../../../src-shared/stats/checkpoints.ts';
import { driftSentences, type PhaseReport } from '../../../src-shared/stats/serverReport.ts';
import { describeBlocked } from '../../../src-shared/stats/serverTotals.ts';
import { type Stall, stallCauseLabels, stalledMs } from '../../../src-shared/stats/stalls.ts';
import { waitWords } from '../../../src-shared/stats/waits.ts';
import { formatBytes, formatCount, formatElapsed } from '../../../src-shared/units.ts';
import classes from './Run.module.css';
import own from './Server.module.css';
import { WaitRanking } from './WaitRanking.tsx';

/** One phase: what the server waited for, its checkpoints, stalls with what was seen at the time, how steady it was. */
export function PhaseServer(props: { phase: PhaseReport }): ReactNode {
  const { phase } = props;
  return (
    <section className="panel" aria-label={`The server during ${phase.name}`}>
      <h2 className={classes.sideTitle}>{phase.name}</h2>
      <div className={own.phase}>
        {phase.waits !== null && (
          <div>
            <h3 className={own.subtitle}>What the server waited for</h3>
            <WaitRanking profile={phase.waits} rows={12} />
          </div>
        )}
        <div>
          {phase.drift !== null && <Lines title="Was the rate steady" lines={driftSentences(phase.drift)} />}
          {phase.drift !== null && <Lines title="Stalls" lines={stallLines(phase.stalls)} />}
          {phase.waits !== null && (
            <>
              <Lines title="Checkpoints" lines={checkpointLines(phase.checkpoints)} />
              {phase.queues.length > 0 && (
                <Lines title="Longest queues for a lock" lines={phase.queues.map(describeBlocked)} />
              )}
              <Lines title="Counted by the server" lines={totalLines(phase)} />
            </>
          )}
        </div>
      </div>
    </section>
  );
}

function Lines(props: { title: string; lines: readonly string[] }): ReactNode {
  return (
    <>
      <h3 className={own.subtitle}>{props.title}</h3>
      <ul className={own.lines}>
        {props.lines.map((line) => (
          <li key={line}>{line}</li>
        ))}
      </ul>
    </>
  );
}

function checkpointLines(bands: readonly CheckpointBand[]): string[] {
  if (bands.length === 0) return ['None fell into this phase.'];
  return bands.map(({ startMs, alreadyOn, endMs, state, reason, buffers, writeMs, syncMs }) =>
    [
      `${alreadyOn ? 'On already,' : formatAxisTime(Math.max(0, startMs), 3_600_000)} for ${formatElapsed(endMs - startMs)}${startMs < 0 ? ', from before the run' : ''}${state === 'running' ? ', its end was not seen' : ''}`,
      reason,
      buffers === null ? null : `${formatCount(buffers)} pages`,
      writeMs === null || syncMs === null
        ? null
        : `write ${formatElapsed(writeMs)}, sync ${formatElapsed(syncMs)}`,
    ]
      .filter((part) => part !== null)
      .join(' · '),
  );
}

function stallLines(stalls: readonly Stall[]): string[] {
  if (stalls.length === 0) return ['None: no second with less than a tenth of the median.'];
  const head = `${formatElapsed(stalledMs(stalls))} in all with less than a tenth of the median second.`;
  return [
    head,
    ...stalls.map(({ fromMs, toMs, causes, event }) => {
      const seen =
        causes.length > 0
          ? `seen at the time: ${causes.map((cause) => stallCauseLabels[cause]).join(', ')}`
          : 'nothing that was sampled explains it';
      const waited = event === null ? '' : `; the sessions waited most for ${waitWords(event)}`;
      return `${formatAxisTime(fromMs, 3_600_000)} for ${formatElapsed(toMs - fromMs)}, ${seen}${waited}`;
    }),
  ];
}

function totalLines({ totals }: PhaseReport): string[] {
  const { walBytes, hitRatio, tempFiles, tempBytes, deadlocks, rowsWritten } = totals;
  return [
    walBytes === null ? null : `${formatBytes(walBytes)} of log (WAL)`,
    hitRatio === null ? null : `${(hitRatio * 100).toFixed(1)} % of pages found in the cache`,
    rowsWritten === null ? null : `${formatCount(rowsWritten)} rows written by statements`,
    tempFiles > 0 ? `${formatCount(tempFiles)} temporary files, ${formatBytes(tempBytes)}` : null,
    deadlocks > 0 ? `${formatCount(deadlocks)} deadlocks` : 'no deadlock',
  ].filter((line) => line !== null);
}
