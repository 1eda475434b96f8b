import { type PlanStep, stepId, stepParameters } from '../../../../src-shared/model/plan.ts';
import type { LeftOut, ReadLine } from '../../commandLine/tool.ts';
import { nameOf } from './readConfig.ts';
import type { Parameters } from './settings.ts';
import { fileLoad, generatorDefaults, simulatedLoad, type WaitingKind } from './stepOf.ts';

const goOnly =
  'a file of queries is of a form that only Go reads: the plan draws the same ones anew, from the seed, scale and times of tsbs_generate_queries, whose line is not in this text';

/**
 * What TSBS does in several programs is one step here: data that are made and then loaded, queries that are made and then
 * run. They are matched by the file or pipe between them, else in their order. What is made and not used by a line of this
 * text is loaded, or run, where it stands.
 */
export function joinLines(lines: readonly ReadLine[]): ReadLine[] {
  const used = new Set<ReadLine>();
  const joined = lines.map((line, at) => {
    const before = lines.slice(0, at);
    switch (line.part?.kind) {
      case 'load':
        return joinLoad(line, before, used);
      case 'run':
      case 'run-all':
        return joinRun(line, before, used);
      default:
        return line;
    }
  });
  const kept = joined.filter((line) => !used.has(line));
  return withoutRepeats(kept).map((line) => ({ ...line, name: kept.find(isLoad)?.name ?? line.name }));
}

function isLoad({ steps }: ReadLine): boolean {
  return steps.some((step) => stepId(step) !== 'tsbs.queries');
}

/** Lines of a kind that make what this one takes: those of its file, else `otherwise`. */
function makersOf(
  line: ReadLine,
  before: readonly ReadLine[],
  kind: WaitingKind,
  otherwise: (all: readonly ReadLine[]) => readonly ReadLine[],
): readonly ReadLine[] {
  const makers = before.filter(({ part }) => part?.kind === kind);
  const input = line.part?.input ?? null;
  const same = input === null ? [] : makers.filter(({ part }) => part?.output === input);
  return same.length > 0 ? same.slice(-1) : otherwise(makers);
}

function joinLoad(line: ReadLine, before: readonly ReadLine[], used: Set<ReadLine>): ReadLine {
  const [maker] = makersOf(line, before, 'data', (all) => all.slice(-1));
  const own = parametersOf(line);
  if (maker) {
    used.add(maker);
    const step = simulatedLoad({ ...parametersOf(maker), ...own }, {});
    return { ...line, name: nameOf(stepParameters(step)), steps: [step], leftOut: both(maker, line) };
  }
  const file = line.part?.input ?? null;
  const step = file === null ? simulatedLoad(own, generatorDefaults) : fileLoad(file, own);
  const leftOut: LeftOut[] =
    file === null
      ? [
          {
            option: 'no tsbs_generate_data',
            reason: 'no line says which rows: those of one host and one day are loaded',
          },
        ]
      : [];
  return {
    ...line,
    name: nameOf(stepParameters(step)),
    steps: [step],
    leftOut: [...line.leftOut, ...leftOut],
  };
}

function joinRun(line: ReadLine, before: readonly ReadLine[], used: Set<ReadLine>): ReadLine {
  const isAll = line.part?.kind === 'run-all';
  const makers = makersOf(line, before, 'queries', (all) => {
    const waiting = all.filter((maker) => !used.has(maker));
    return isAll ? waiting : waiting.slice(0, 1);
  });
  const own = parametersOf(line);
  for (const maker of makers) used.add(maker);
  if (makers.length > 0)
    return {
      ...line,
      steps: makers.flatMap(({ steps }) =>
        steps.map((step) => ({ 'tsbs.queries': { ...stepParameters(step), ...own } })),
      ),
      leftOut: [...makers.flatMap(({ leftOut }) => leftOut), ...line.leftOut],
    };
  const file = line.part?.input ?? 'no tsbs_generate_queries';
  return { ...line, leftOut: [...line.leftOut, { option: file, reason: goOnly }] };
}

function parametersOf({ steps }: ReadLine): Parameters {
  const [step] = steps;
  return step === undefined ? {} : stepParameters(step);
}

function both(first: ReadLine, second: ReadLine): LeftOut[] {
  return [...first.leftOut, ...second.leftOut];
}

/** Query types that are run alike, one after the other, are one step, as its form has it. */
function withoutRepeats(lines: readonly ReadLine[]): ReadLine[] {
  const kept: ReadLine[] = [];
  for (const line of lines) {
    for (const step of line.steps) {
      const last = kept.at(-1);
      const before = last?.steps.at(-1);
      const types = before === undefined ? null : addedTypes(before, step);
      const isSameTarget = last?.target === line.target || line.target === null;
      if (last === undefined || before === undefined || types === null || !isSameTarget) {
        kept.push({ ...line, steps: [step] });
        continue;
      }
      const whole = { 'tsbs.queries': { ...stepParameters(before), types } };
      kept[kept.length - 1] = {
        ...last,
        steps: [...last.steps.slice(0, -1), whole],
        leftOut: both(last, line),
      };
    }
    if (line.steps.length === 0) kept.push(line);
  }
  return kept;
}

/** The types of both steps where they differ in nothing else; null where they do, or where one type is in both. */
function addedTypes(a: PlanStep, b: PlanStep): string[] | null {
  if (stepId(a) !== 'tsbs.queries' || stepId(b) !== 'tsbs.queries') return null;
  const { types: first, ...restA } = stepParameters(a);
  const { types: second, ...restB } = stepParameters(b);
  if (!Array.isArray(first) || !Array.isArray(second)) return null;
  if (first.some((type) => second.includes(type))) return null;
  return JSON.stringify(restA) === JSON.stringify(restB) ? [...first, ...second].map(String) : null;
}
