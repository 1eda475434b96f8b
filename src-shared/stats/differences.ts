import type { Difference } from '../model/comparison.ts';
import type { Run } from '../model/run.ts';
import { type Fact, factsOf, inPlan } from './facts.ts';
import { gradeDifference } from './grades.ts';
import { median } from './robust.ts';

/**
 * Everything that differs between the set-ups of sides, each graded: what is harmless, what may explain a difference of the
 * figures, and what breaks the comparison. In the order of `factsOf`.
 * @param sides the runs of each; what differs among the runs of one side is a difference too
 */
export function findDifferences(sides: readonly (readonly Run[])[]): Difference[] {
  const tables = sides.map((runs) =>
    runs.map((run) => new Map(factsOf(run).map((fact) => [keyOf(fact), fact]))),
  );
  const known = new Map<string, Fact>();
  for (const fact of sides.flatMap((runs) => runs.flatMap(factsOf))) known.set(keyOf(fact), fact);
  const printed = sides.map((runs) => runs.every((run) => run.printed !== undefined));
  const unreached = sides.map((runs) => runs.find(({ server }) => server === null));
  const differences = [...known].flatMap(([key, { area, name }]) => {
    const found = tables.map((runs) => runs.map((table) => table.get(key) ?? null));
    if (!differ(found) || (area !== 'health' && onlyUntold(found, printed))) return [];
    const values = found.map((facts, side) => {
      // Of a server that was not reached nothing is known, not even that its settings are the defaults.
      const gone = area === 'server' ? unreached[side] : undefined;
      if (gone === undefined || name === 'Server') return area === 'health' ? shareOf(facts) : textOf(facts);
      return gone.printed ? (gone.printed.server ?? 'not told') : 'not reached';
    });
    if (area === 'server' && name !== 'Server' && onlyUnreached(found, unreached)) return [];
    const difference = { area, name, values };
    return [{ ...difference, ...gradeDifference(difference) }];
  });
  return withoutMissingSteps(differences);
}

function keyOf({ area, name }: Fact): string {
  return `${area} ${name}`;
}

/** Measured ones by their medians, from the tolerance on; others by their texts. */
function differ(sides: readonly (readonly (Fact | null)[])[]): boolean {
  const measured = sides.map((facts) => facts.flatMap((fact) => fact?.measured ?? []));
  const tolerance = measured.flat()[0]?.tolerance;
  if (tolerance !== undefined) {
    // Where it is not known there is nothing to differ from.
    const middles = measured.filter((of) => of.length > 0).map((of) => median(of.map(({ value }) => value)));
    return Math.max(...middles) - Math.min(...middles) >= tolerance;
  }
  return new Set(sides.flatMap((facts) => facts.map((fact) => fact?.value ?? null))).size > 1;
}

/** Whether those agree that tell: what was printed elsewhere differs in what it tells, not in what it leaves out. */
function onlyUntold(found: readonly (readonly (Fact | null)[])[], printed: readonly boolean[]): boolean {
  const telling = found.filter(
    (facts, side) => !printed[side] || facts.some((fact) => (fact?.value ?? null) !== null),
  );
  return new Set(telling.flatMap((facts) => facts.map((fact) => fact?.value ?? null))).size < 2;
}

/** Whether those servers that were reached agree. */
function onlyUnreached(
  found: readonly (readonly (Fact | null)[])[],
  unreached: readonly (Run | undefined)[],
): boolean {
  const reached = found.filter((_, side) => unreached[side] === undefined);
  return new Set(reached.flatMap((facts) => facts.map((fact) => fact?.value ?? null))).size < 2;
}

/** Of several runs each text once; of measured ones from the lowest to the highest. */
function textOf(facts: readonly (Fact | null)[]): string | null {
  const ordered = facts.some((fact) => fact?.measured)
    ? [...facts].sort((a, b) => (a?.measured?.value ?? 0) - (b?.measured?.value ?? 0))
    : facts;
  const texts = [...new Set(ordered.map((fact) => fact?.value ?? null))];
  const [first = null, last = null] = [texts[0], texts.at(-1)];
  if (texts.length < 2) return first;
  if (facts.every((fact) => fact?.measured)) return `${first ?? 'none'} to ${last ?? 'none'}`;
  // The order of the runs is no difference between sides.
  return texts
    .map((text) => text ?? 'none')
    .sort()
    .join(' / ');
}

/** Of what runs say of themselves: in how many of them. */
function shareOf(facts: readonly (Fact | null)[]): string | null {
  const found = facts.filter((fact) => fact !== null).length;
  if (found === 0) return null;
  return facts.length === 1 ? 'yes' : `in ${found} of ${facts.length} runs`;
}

/** A step that a side lacks is one difference, not one per parameter. */
function withoutMissingSteps(differences: Difference[]): Difference[] {
  const missing = differences
    .filter(({ area, values }) => area === 'plan' && values.includes(inPlan))
    .map(({ name }) => name);
  return differences.filter(
    ({ area, name }) => area !== 'plan' || !missing.some((step) => name.startsWith(`${step} · `)),
  );
}

/**
 * Why a side cannot be compared with the base, as a clause: the first difference between these two that breaks it; null where
 * none does.
 */
export function brokenBetween(differences: readonly Difference[], base: number, side: number): string | null {
  const found = differences.find(({ grade, values }) => grade === 'breaks' && values[base] !== values[side]);
  return found?.reason ?? null;
}
