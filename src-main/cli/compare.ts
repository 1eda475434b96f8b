import type { Api } from '../../src-shared/contract/api.ts';
import { AppError } from '../../src-shared/errors.ts';
import type { Comparison, ComparisonCell } from '../../src-shared/model/comparison.ts';
import { parseGroupKey } from '../../src-shared/model/sideKey.ts';
import { formatChange, formatFigure } from '../../src-shared/stats/compare.ts';
import { cellCount, groupRunIds } from '../../src-shared/stats/runSeries.ts';
import { textTable } from '../reports/table.ts';
import { type Cli, exitCodes, jsonText, withApp } from './cli.ts';
import { findSeries } from './findSeries.ts';
import { findRun, shownIdLength } from './runs.ts';

/** `compare A B …`: what came out, what differs between the set-ups, then the figures; Δ counts from the first. */
export function compare(cli: Cli, names: readonly string[], { json }: { json?: boolean }): Promise<number> {
  return withApp(cli, async ({ api }) => {
    const sides: { runIds: string[] }[] = [];
    for (const name of names) sides.push({ runIds: (await findSide(api, name)).runIds });
    const comparison = await api.call('comparisons.make', { sides });
    cli.terminal.out(json ? jsonText(comparison) : comparisonText(comparison));
    return exitCodes.ok;
  });
}

export interface FoundSide {
  /** As `sideKey.ts` has it. */
  key: string;
  runIds: string[];
}

/**
 * What a name on the command line stands for: the first characters of a run's id or of a series', `SERIES.CELL.TARGET` for one
 * of its cells.
 * @throws AppError `not-found`; `bad-input` where several begin so, or a series has several sides
 */
export async function findSide(api: Api, name: string): Promise<FoundSide> {
  const group = parseGroupKey(name);
  if (group !== null) {
    const { id, members } = await findSeries(api, group.series);
    return { key: `${id}.${group.cell}.${group.target}`, runIds: ofGroup(groupRunIds(members, group), name) };
  }
  try {
    const run = await findRun(api, name);
    return { key: run.id, runIds: [run.id] };
  } catch (error) {
    // Ids of series are among those of runs: only where no run begins so is a series meant.
    if (!(error instanceof AppError) || error.code !== 'not-found') throw error;
    const series = (await api.call('series.list', null)).some(({ id }) => id.startsWith(name.toLowerCase()));
    if (!series) throw error;
  }
  const { id, plan, parameters, targets, members } = await findSeries(api, name);
  if (cellCount(parameters) > 1 || targets.length > 1) {
    throw new AppError({
      code: 'bad-input',
      message: `${plan.name} has several sides: which one is meant?`,
      detail: `${cellCount(parameters)} combinations of parameters on ${targets.length} targets`,
      hint: `Name one as ${name}.CELL.TARGET, counted from 0: ${name}.0.0 is the first.`,
    });
  }
  return { key: `${id}.0.0`, runIds: ofGroup(groupRunIds(members, { cell: 0, target: 0 }), name) };
}

function ofGroup(runIds: string[], name: string): string[] {
  if (runIds.length > 0) return runIds;
  throw new AppError({
    code: 'not-found',
    message: `There is no run in ${name}`,
    hint: 'Cells and targets count from 0.',
  });
}

/** Letters keep the columns narrow; the legend says which side is which. */
function letter(side: number): string {
  return String.fromCharCode(65 + (side % 26));
}

/** The comparison as the terminal prints it. */
function comparisonText(comparison: Comparison): string {
  const { sides, base } = comparison;
  const letters = sides.map((_, side) => letter(side));
  const legend = sides.map(({ label, runIds }, side) => [
    letter(side),
    label,
    runIds.length === 1 ? 'one run' : `${runIds.length} runs`,
    runIds.map((id) => id.slice(0, shownIdLength)).join(' '),
  ]);
  const differences = comparison.differences.map(({ area, name, values, grade, reason }) => [
    area,
    name,
    ...values.map((value) => value ?? '–'),
    grade,
    reason,
  ]);
  const figures = comparison.table.map(({ name, metric, cells }) => [
    name,
    metric.label,
    ...cells.flatMap((cell, side) => [
      formatFigure(cell.value, metric),
      ...(side === base ? [] : [changeText(cell)]),
    ]),
  ]);
  const header = letters.flatMap((each, side) => (side === base ? [each] : [each, 'Δ']));
  const kinds = new Set(
    comparison.table.flatMap(({ cells }) => cells.flatMap(({ verdict }) => verdict?.kind ?? [])),
  );
  const marks = [
    kinds.has('no-difference') ? '~ no difference shown' : '',
    kinds.has('cannot-tell') ? "? can't tell" : '',
    kinds.has('not-comparable') ? '≠ not comparable' : '',
  ].filter((mark) => mark !== '');
  return [
    ...textTable(legend, 'llll'),
    '',
    comparison.sentence,
    ...comparison.caveats,
    '',
    ...(differences.length === 0
      ? ['The set-ups do not differ.']
      : textTable([['differs', '', ...letters, '', ''], ...differences], `ll${'l'.repeat(sides.length)}ll`)),
    '',
    ...textTable([['', '', ...header], ...figures], `ll${'r'.repeat(header.length)}`),
    ...(marks.length > 0 ? ['', marks.join(', ')] : []),
  ].join('\n');
}

/** A change that was shown stands alone; any other one with the mark of what is to be thought of it. */
function changeText({ delta, verdict }: ComparisonCell): string {
  const change = delta === null ? '–' : formatChange(delta);
  switch (verdict?.kind) {
    case 'no-difference':
      return `${change} ~`;
    case 'cannot-tell':
      return `${change} ?`;
    case 'not-comparable':
      return `${change} ≠`;
    default:
      return change;
  }
}
