import { describeError } from '../../../src-shared/errors.ts';
import {
  formatMoment,
  phaseTables,
  runFacts,
  type TextTable,
  verdictLines,
} from '../../../src-shared/runTables.ts';
import type { RunRecord } from '../exports/format.ts';
import { type Chart, chartFigure } from './chart.ts';
import { hostCharts, partCharts, partLabel, partsOf } from './charts.ts';
import { html, type Markup } from './markup.ts';

/** One run: what it was, its verdict, its figures, its charts, its plan. */
export function runBody(record: RunRecord, planText: string): Markup {
  const { run } = record;
  return html`<h1>${run.name}${run.targetName === '' ? null : ` on ${run.targetName}`}</h1>
<p class="dim">${[run.serverLabel, run.printed ? null : formatMoment(run.startedAt)].filter(Boolean).join(' · ')}</p>
${verdicts(run)}
${run.error ? html`<section class="box"><pre>${describeError(run.error)}</pre></section>` : null}
${run.notes === '' ? null : html`<p class="notes">${run.notes}</p>`}
<h2>Figures</h2>
${phaseTables(run).map(figuresTable)}
${notTold(run.printed?.missing ?? [])}
${runCharts(record)}
<h2>Set-up</h2>
<section class="box"><dl>${runFacts(run).map(([name, value]) => html`<dt>${name}</dt><dd>${value}</dd>`)}</dl></section>
${serverSettings(record)}
${run.printed ? null : html`<h2>Plan</h2>\n<section class="box"><pre>${planText}</pre></section>`}`;
}

export function verdicts(run: RunRecord['run']): Markup {
  const tone = (label: string) => (label === 'Valid' ? 'good' : label === 'Failed' ? 'bad' : 'warn');
  return html`${verdictLines(run).map(
    ([label, reason]) => html`<p><span class="badge ${tone(label)}">${label}</span> ${reason}</p>`,
  )}`;
}

function figuresTable({ title, header, rows }: TextTable): Markup {
  if (rows.length === 0) return html`<section class="box"><h3>${title}</h3></section>`;
  return html`<div class="wide"><table><caption>${title}</caption>
<thead><tr>${header.map((cell) => html`<th scope="col">${cell}</th>`)}</tr></thead>
<tbody>${rows.map(
    ([name, ...cells]) =>
      html`<tr><th scope="row">${name ?? ''}</th>${cells.map((cell) => html`<td>${cell}</td>`)}</tr>`,
  )}</tbody></table></div>`;
}

function notTold(missing: readonly string[]): Markup | null {
  if (missing.length === 0) return null;
  return html`<section class="box"><h3>Not told by the source</h3>${missing.map((text) => html`<p>${text}</p>`)}</section>`;
}

function runCharts(record: RunRecord): Markup | null {
  const printed = record.run.printed?.series ?? [];
  const phases = new Set(printed.map(({ phase }) => phase));
  return html`${[
    ...partsOf(record.run.phases).map((part) =>
      chartSection(partLabel(part), partCharts([{ part, record, label: '' }])),
    ),
    ...[...phases].map((phase) =>
      chartSection(phase, printed.filter((series) => series.phase === phase).map(printedChart)),
    ),
    chartSection('Host', hostCharts(record)),
  ]}`;
}

function printedChart({
  label,
  unit,
  points,
}: NonNullable<RunRecord['run']['printed']>['series'][number]): Chart {
  const data = { x: points.map(([at]) => at * 1000), y: points.map(([, value]) => value) };
  const format = (value: number) => value.toLocaleString('en-US', { maximumSignificantDigits: 4 });
  return {
    title: label,
    unit,
    scale: 'linear',
    format,
    bands: [],
    lines: [{ label: '', color: 1, dash: 0, data }],
  };
}

/** Charts under a title; null where there is nothing to draw. */
export function chartSection(title: string, charts: readonly Chart[]): Markup | null {
  const figures = charts.flatMap((chart) => chartFigure(chart) ?? []);
  if (figures.length === 0) return null;
  return html`<h2>${title}</h2>\n<div class="charts">${figures}</div>`;
}

function serverSettings({ run }: RunRecord): Markup | null {
  const { server } = run;
  if (server === null || server.settings.length === 0) return null;
  return html`<section class="box"><h3>Settings of the server that are not its defaults</h3><dl>${server.settings.map(
    ({ name, value, unit }) => html`<dt>${name}</dt><dd>${[value, unit].filter(Boolean).join(' ')}</dd>`,
  )}</dl></section>`;
}
