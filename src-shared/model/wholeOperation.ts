import type { PrintedOperation, PrintedPhase } from './printed.ts';

/** Name of the operation that merges the query types of a phase. */
export const allQueries = 'all queries';
/** Names of the operations that count all executions of a prewarmed query once more, by which of the two they are. */
export const coldQueries = 'cold queries';
export const warmQueries = 'warm queries';

const merged: readonly string[] = [allQueries, coldQueries, warmQueries];

/** Operations that share nothing with each other; of transactions the one that has them all. */
export function distinctOperations<O extends Pick<PrintedOperation, 'name'>>(
  { kind }: Pick<PrintedPhase, 'kind'>,
  operations: readonly O[],
): O[] {
  return kind === 'transactions' ? operations.slice(0, 1) : operations.filter(isDistinct);
}

/** Whether it is no merged one. */
export function isDistinct({ name }: Pick<PrintedOperation, 'name'>): boolean {
  return !merged.includes(name);
}

/**
 * Seconds in which the figures of a phase were counted: of queries without those of a burn-in, which is in `phase.seconds`
 * and in no figure.
 */
export function countedSeconds(phase: Pick<PrintedPhase, 'kind' | 'seconds' | 'operations'>): number | null {
  const seconds = distinctOperations(phase, phase.operations).flatMap((operation) => operation.seconds ?? []);
  const known = phase.kind === 'queries' && seconds.length > 0;
  return known ? seconds.reduce((all, each) => all + each, 0) : phase.seconds;
}

/**
 * The operation that has all of a phase: the one that merges its query types, that of all transactions, or the only one
 * there is. undefined where several stand side by side and none has them all, as cold fetches and warm ones. By its name
 * and not by its place: with prewarmed queries of one type the last one has the warm half of them only, and TSBS's results
 * have all of them first.
 */
export function wholeOperation<O extends Pick<PrintedOperation, 'name'>>(
  { kind }: Pick<PrintedPhase, 'kind'>,
  operations: readonly O[],
): O | undefined {
  const all = operations.find(({ name }) => kind === 'queries' && name === allQueries);
  const [only, ...more] = distinctOperations({ kind }, operations);
  return all ?? (more.length === 0 ? only : undefined);
}
