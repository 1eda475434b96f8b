import type { Metric } from '../model/comparison.ts';
import type { Run } from '../model/run.ts';

/** What a figure is of: one operation of a phase, or all of the phase. */
interface Name {
  phase: string;
  operation: string | null;
}

/** Why a figure of the two sides is not of the same thing; null: it is. */
export function unlikeFigures(
  metric: Metric,
  spec: Name,
  base: readonly Run[],
  side: readonly Run[],
): string | null {
  const sent = unlikeAnswers(spec, base, side);
  if (sent !== null && metric.key !== 'visible') return sent;
  return metric.kind === 'latency' ? unlikeLatencies(spec, base, side) : null;
}

/** Sending is quicker than being heard. */
function unlikeAnswers({ phase }: Name, base: readonly Run[], side: readonly Run[]): string | null {
  const answers = [...base, ...side].flatMap((run) =>
    run.phases
      .filter(({ kind, name }) => kind === 'load' && name === phase)
      .map(({ unanswered = false }) => unanswered),
  );
  return new Set(answers).size > 1
    ? 'rows count when they are sent on one side and when the server has acknowledged them on the other'
    : null;
}

/** With a rate a latency begins when the operation was due, without one when it began: two different things. */
function unlikeLatencies(
  { phase, operation }: Name,
  base: readonly Run[],
  side: readonly Run[],
): string | null {
  const scheduled = (runs: readonly Run[]) =>
    new Set(
      runs.flatMap((run) =>
        run.phases
          .filter(({ name }) => name === phase)
          .flatMap(({ operations }) => operations.filter(({ name }) => name === operation))
          .filter(({ latencyUs }) => latencyUs !== null)
          .map(({ serviceUs }) => serviceUs !== null),
      ),
    );
  return new Set([...scheduled(base), ...scheduled(side)]).size > 1
    ? 'latency counts from the planned start on one side and from the actual one on the other'
    : null;
}
