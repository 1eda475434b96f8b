import { Anchor, Progress as Bar, Button, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import type { RunSeries } from '../../../src-shared/model/runSeries.ts';
import { memberName, remainingMs } from '../../../src-shared/stats/runSeries.ts';
import { formatElapsed } from '../../../src-shared/units.ts';
import { useAction, useCommand } from '../../api.tsx';
import { toastError } from '../../components/toasts.tsx';
import { paths } from '../../routes.ts';
import classes from './Series.module.css';

/** What a series that is on does now: which of its runs, what is waited for, what comes next, how long it will take. */
export function Present(props: { series: RunSeries }): ReactNode {
  const { series } = props;
  const progress = useCommand('series.progress', null).data;
  const runs = useCommand('runs.progress', null).data ?? [];
  const stop = useAction('runs.stop');
  const skip = useAction('series.skipWait');
  if (progress === undefined) return null;
  if (progress === null || progress.id !== series.id) {
    return (
      <Text size="sm" c="dimmed">
        It is on in another Benchberry process, such as a command line; what its runs come to appears here.
      </Text>
    );
  }
  const { member: place, settling } = progress;
  const member = series.members[place];
  const next = series.members[place + 1];
  const runId = settling === null ? member?.runIds.at(-1) : undefined;
  const run = runs.find((each) => each.runId === runId);
  const left = remainingMs(series, {
    place,
    elapsedMs: run?.elapsedMs ?? 0,
    waitedMs: settling?.waitedMs ?? null,
  });
  const bounded = series.plan.settle?.below !== undefined;
  const total = series.members.length;
  const percent = Math.floor(((place + (run?.fraction ?? 0)) / total) * 100);
  const words = member === undefined ? '' : memberName(series, member);
  return (
    <section className={`panel ${classes.present}`} aria-label="What it does now">
      <div className={classes.presentHead}>
        <div className={classes.presentWords}>
          <Text fw={600} className="num">
            {settling === null ? 'Run' : 'Waiting for run'} {place + 1} of {total}
            {words !== '' && `: ${words}`}
          </Text>
          <Text size="sm" className="num">
            {settling !== null
              ? `Waiting ${formatElapsed(settling.waitedMs)}: ${settling.text}${bounded ? `, at most ${formatElapsed(settling.atMostMs)}` : ''}`
              : run === undefined
                ? 'Beginning'
                : `${run.doing}${run.fraction === null ? '' : ` · ${Math.floor(run.fraction * 100)} %`} · ${formatElapsed(run.elapsedMs)}`}
          </Text>
        </div>
        {settling !== null && (
          <Button
            variant="default"
            loading={skip.isPending}
            onClick={() => skip.mutate({ id: series.id }, { onError: toastError })}
          >
            Begin now
          </Button>
        )}
        {runId !== undefined && (
          <>
            <Button variant="default" component={Link} href={paths.run(runId)}>
              Watch this run
            </Button>
            <Button
              variant="default"
              loading={stop.isPending}
              title="Ends this run only; the series goes on with the next one"
              onClick={() => stop.mutate({ id: runId }, { onError: toastError })}
            >
              Stop this run
            </Button>
          </>
        )}
      </div>
      <Bar value={percent} aria-label="How far the series is" />
      <Text size="sm" c="dimmed" className="num">
        {next === undefined
          ? 'This is the last one.'
          : `Next: ${memberName(series, next) || `run ${place + 2}`}.`}{' '}
        {left === null
          ? 'How long it will take is known once a run has finished.'
          : `About ${formatElapsed(left)} left, by what the runs took so far.`}{' '}
        It goes on when you leave this screen.
      </Text>
    </section>
  );
}

/** The series that a run belongs to, with the way to it; nothing for a run alone. */
export function OfSeries(props: { run: { id: string; group: string | null } }): ReactNode {
  const { id, group } = props.run;
  const all = useCommand('series.list', null, { enabled: group !== null }).data;
  const series = all?.find((each) => each.id === group);
  const elapsedMs = useCommand('runs.progress', null).data?.find(({ runId }) => runId === id)?.elapsedMs ?? 0;
  if (series === undefined) return null;
  const place = series.members.findIndex(({ runIds }) => runIds.includes(id));
  const member = series.members[place];
  const isOn = series.endedAt === null && member !== undefined && member.figures === null;
  const next = isOn ? series.members[place + 1] : undefined;
  const left = isOn ? remainingMs(series, { place, elapsedMs, waitedMs: null }) : null;
  const words = member === undefined ? '' : memberName(series, member);
  const nextWords = next === undefined ? '' : memberName(series, next);
  return (
    <Text size="sm">
      {place < 0 ? 'A run' : `Run ${place + 1} of ${series.members.length}`} of the series{' '}
      <Anchor
        component={Link}
        href={paths.series(series.id)}
        size="sm"
        c="var(--accent-text)"
        underline="always"
      >
        {series.plan.name} on {series.targets.join(', ')}
      </Anchor>
      {words !== '' && `: ${words}`}.{nextWords !== '' && ` Next: ${nextWords}.`}
      {left !== null && ` About ${formatElapsed(left)} left of the series.`}
      {member !== undefined && member.runIds.at(-1) !== id && ' It was cut short and done again.'}
      {settledWords(member)}
    </Text>
  );
}

function settledWords(member: RunSeries['members'][number] | undefined): string {
  const settled = member?.settled;
  if (!settled) return '';
  const temperature =
    settled.temperatureC === null ? '' : `, the host at ${settled.temperatureC.toFixed(0)} °C`;
  const ends = { settled: '', skipped: ', then begun on request', 'too-long': ', then begun all the same' };
  return ` Waited ${formatElapsed(settled.waitedMs)} before it${temperature}${ends[settled.end]}.`;
}
