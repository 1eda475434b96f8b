import type { Change, ComparisonVerdict, Metric } from '../model/comparison.ts';
import { holm } from './holm.ts';
import { leastP, mannWhitney } from './mannWhitney.ts';
import { alpha, type RatioInterval, ratioOfMeans, welchP } from './ratio.ts';
import { mean } from './robust.ts';
import { against, changeWords, intervalWords, numberWord, signed } from './words.ts';

/** One question: does a side differ from the base in a figure? */
export interface Question {
  metric: Metric;
  /** The figure of each run that counts. */
  base: readonly number[];
  side: readonly number[];
  /** Why the two cannot be compared at all, as it goes on after `not comparable: `; null: they can. */
  broken: string | null;
  /**
   * Ratio and interval where they come from more than these figures: percentiles of merged histograms. null: ratio of the
   * means of the figures.
   */
  merged?: RatioInterval | null;
  /** Of one run against one: the change within these two; null where it is not known. */
  within?: Change | null;
}

/** Runs of each side below which no split of them could show a difference: of 3 against 3 the least p is 0.10. */
const fewestEach = 4;

interface Test {
  question: Question;
  ratio: number | null;
  interval: RatioInterval | null;
  p: number | null;
  welch: number | null;
}

/**
 * Answers questions that share one family: as many verdicts are sought at once, so many chances there are for a wrong one.
 * A difference is claimed where three agree: the ranks (Mann–Whitney, exact, p ≤ 0.05), the means (Welch's test of the
 * logarithms, p ≤ 0.05 after Holm for the whole family) and the bootstrap's 95 % interval, which must leave out 1. The first
 * assumes nothing about the noise, but of five against five can never be below 0.008, so the second is the one that is
 * adjusted. In their order.
 */
export function judge(questions: readonly Question[]): ComparisonVerdict[] {
  const tests = questions.map(testOf);
  const asked = tests.filter(({ welch }) => welch !== null);
  const adjusted = holm(asked.map(({ welch }) => welch ?? 1));
  const family = Math.max(1, asked.length);
  return tests.map((test) => verdictOf(test, adjusted[asked.indexOf(test)] ?? null, family));
}

function testOf(question: Question): Test {
  const { base, side, broken, merged = null } = question;
  const known = base.length > 0 && side.length > 0 && mean(base) > 0;
  const ratio = merged?.ratio ?? (known ? mean(side) / mean(base) : null);
  const testable =
    broken === null && base.length > 1 && side.length > 1 && [...base, ...side].every((value) => value > 0);
  if (!testable) return { question, ratio, interval: null, p: null, welch: null };
  return {
    question,
    ratio,
    interval: merged ?? ratioOfMeans(base, side),
    p: mannWhitney(side, base).p,
    // Too few for a claim take no share of the 5 %.
    welch: leastP(side.length, base.length) <= alpha ? welchP(base, side) : null,
  };
}

function verdictOf(test: Test, adjustedP: number | null, family: number): ComparisonVerdict {
  const { question, ratio, interval, p } = test;
  const { metric, base, side, broken, within = null } = question;
  const known = {
    ratio,
    interval: interval && { low: interval.low, high: interval.high },
    n: { base: base.length, side: side.length },
    p,
    adjustedP,
    family,
    within: base.length === 1 && side.length === 1 ? within : null,
  };
  if (broken !== null)
    return {
      ...known,
      kind: 'not-comparable',
      reason: 'The set-ups differ in what must be equal; the figures stand beside each other only.',
      sentence: `not comparable: ${broken}`,
    };
  if (ratio === null || interval === null || p === null || adjustedP === null)
    return { ...known, kind: 'cannot-tell', ...cannotTell(known, question) };
  const tests = testWords(p, adjustedP, family);
  const leavesOutOne = interval.low > 1 || interval.high < 1;
  if (p <= alpha && adjustedP <= alpha && leavesOutOne) {
    const better = ratio > 1 === (metric.better === 'higher');
    return {
      ...known,
      kind: better ? 'faster' : 'slower',
      reason: `Shown by ranks and by means: ${tests}.`,
      sentence: `${changeWords(ratio, metric)} (${intervalWords(ratio, interval)}), ${against(side.length, base.length)}`,
    };
  }
  const range = `${signed(interval.low)} to ${signed(interval.high)} %`;
  return {
    ...known,
    kind: 'no-difference',
    reason: leavesOutOne
      ? `The interval leaves out 0, but ranks and means do not both bear it out: ${tests}.`
      : `Any true difference from ${range} fits these runs: ${tests}.`,
    sentence: `~ no difference shown (interval ${range})`,
  };
}

function cannotTell(
  { n, ratio, within }: Pick<ComparisonVerdict, 'n' | 'ratio' | 'within'>,
  { metric, base, side }: Question,
): Pick<ComparisonVerdict, 'reason' | 'sentence'> {
  const runs = against(n.side, n.base);
  const zero = [...base, ...side].some((value) => value <= 0);
  if (n.base === 0 || n.side === 0)
    return {
      sentence: `can't tell: ${runs}`,
      reason: `No run of ${n.base === 0 ? 'the base' : 'this side'} has this figure.`,
    };
  if (ratio === null || (zero && n.base > 1 && n.side > 1))
    return { sentence: "can't tell: a figure is 0", reason: 'Of 0 there is no ratio.' };
  const alone = 'How much runs of one set-up vary among each other is not known';
  if (n.base === 1 && n.side === 1)
    return {
      sentence: `can't tell: ${runs}`,
      reason:
        within === null
          ? `${alone} from one of each: repeat both.`
          : `${alone} from one of each. Within these two runs: ${withinWords(within, metric)}.`,
    };
  if (n.base === 1 || n.side === 1)
    return { sentence: `can't tell: ${runs}`, reason: `${alone} from one: repeat that side too.` };
  return {
    sentence: `can't tell: ${runs}`,
    reason: `Too few for any verdict: however far apart they are, chance alone puts so few in that order too often. ${capital(numberWord(fewestEach))} of each are enough.`,
  };
}

/** `4.1 % more rows/s (95 % interval 2.0 to 6.3 %)`, or `no difference (interval −2.1 to +3.0 %)`. */
function withinWords({ value, low, high }: Change, metric: Metric): string {
  const [ratio, from, to] = [1 + value, 1 + low, 1 + high];
  if (from <= 1 && to >= 1) return `no difference shown (interval ${signed(from)} to ${signed(to)} %)`;
  return `${changeWords(ratio, metric)} (${intervalWords(ratio, { low: from, high: to })})`;
}

function testWords(p: number, adjustedP: number, family: number): string {
  const welch =
    family === 1
      ? `Welch p ${pText(adjustedP)}`
      : `Welch p ${pText(adjustedP)} after Holm for ${numberWord(family)} comparisons`;
  return `Mann–Whitney p ${pText(p)}, ${welch}`;
}

function pText(p: number): string {
  return p < 0.001 ? '< 0.001' : `= ${p.toFixed(3)}`;
}

function capital(text: string): string {
  return `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`;
}
