import type { Comparison, DifferenceGrade } from '../../../src-shared/model/comparison.ts';
import { formatMoment, runFacts } from '../../../src-shared/runTables.ts';
import { rowsByMetric } from '../../../src-shared/stats/compare.ts';
import { rackFigures } from '../../../src-shared/stats/rackFigures.ts';
import { cellTexts } from '../compared.ts';
import type { RunRecord } from '../exports/format.ts';
import { legendKey } from './chart.ts';
import { type Part, partCharts, partLabel, partsOf } from './charts.ts';
import { html, type Markup } from './markup.ts';
import { chartSection, verdicts } from './runPage.ts';

const gradeWords: Record<DifferenceGrade, string> = {
  breaks: 'breaks the comparison',
  explains: 'may explain it',
  harmless: 'harmless',
};

/** Runs or groups side by side: the sentence, how far it may be trusted, what differs, figures, charts, health. */
export function comparisonBody(records: readonly RunRecord[], comparison: Comparison): Markup {
  const { sides, base } = comparison;
  const labels = sides.map(({ label }) => label);
  return html`<h1>${labels.join(' · ')}</h1>
<p class="lead">${comparison.sentence}</p>
${comparison.caveats.map((caveat) => html`<p class="dim">${caveat}</p>`)}
<h2>What is compared</h2>
${sides.map(
  (
    { label, runIds, leftOut },
    i,
  ) => html`<section class="box"><h3>${legendKey({ label, color: (i % 8) + 1, dash: 0 })}${i === base ? html`<span class="dim">(base)</span>` : null}</h3>
${records.filter(({ run }) => runIds.includes(run.id)).map(({ run }) => html`<p class="dim">${run.printed ? [run.name, run.printed.source.date].filter(Boolean).join(', ') : `${run.name}, ${formatMoment(run.startedAt)}`}</p>${verdicts(run)}`)}
${leftOut.map(({ name, reason }) => html`<p class="dim">Left out: ${name}, ${reason}</p>`)}</section>`,
)}
<h2>What differs</h2>
${differencesTable(comparison, labels)}
<h2>Figures</h2>
${figuresTable(comparison, labels)}
${overlays(records, comparison)}
${health(records)}
<h2>Set-up</h2>
${records.map(
  ({ run }) =>
    html`<section class="box"><h3>${run.name}${run.targetName === '' ? null : ` on ${run.targetName}`}</h3><dl>${runFacts(run).map(([name, value]) => html`<dt>${name}</dt><dd>${value}</dd>`)}</dl></section>`,
)}`;
}

function differencesTable({ differences }: Comparison, labels: readonly string[]): Markup {
  if (differences.length === 0) return html`<p>The set-ups do not differ.</p>`;
  return html`<div class="wide"><table class="texts"><thead><tr><th scope="col">What</th>${labels.map((label) => html`<th scope="col">${label}</th>`)}<th scope="col">What it does</th></tr></thead>
<tbody>${differences.map(
    ({ area, name, values, grade, reason }) =>
      html`<tr><th scope="row">${name}<small class="dim"> ${area}</small></th>${values.map((value) => html`<td>${value ?? '–'}</td>`)}<td>${gradeWords[grade]}<small>${reason}</small></td></tr>`,
  )}</tbody></table></div>`;
}

function figuresTable({ table }: Comparison, labels: readonly string[]): Markup {
  if (table.length === 0) return html`<p>None of these runs has figures.</p>`;
  return html`${rowsByMetric(table).map(
    ({
      metric,
      rows,
    }) => html`<div class="wide"><table><caption>${metric.label} <span class="unit">${metric.better === 'higher' ? 'more is better' : 'less is better'}</span></caption>
<thead><tr><th scope="col">operation</th>${labels.map((label) => html`<th scope="col">${label}</th>`)}</tr></thead>
<tbody>${rows.map(
      ({ name, cells }) =>
        html`<tr><th scope="row">${name}</th>${cells.map((cell) => {
          const { value, change } = cellTexts(cell, metric);
          return html`<td>${value}${change === '' ? null : html`<small>${change}</small>`}</td>`;
        })}</tr>`,
    )}</tbody></table></div>`,
  )}`;
}

/** Parts that at least two runs have, over each other; of a side of several runs the first is drawn. */
function overlays(records: readonly RunRecord[], { sides }: Comparison): Markup {
  const drawn = sides.flatMap(({ label, runIds }) => {
    const record = records.find(({ run }) => run.id === runIds[0]);
    return record ? [{ label, record }] : [];
  });
  const parts = new Map<string, { part: Part; record: RunRecord; label: string }[]>();
  for (const { label, record } of drawn) {
    for (const part of partsOf(record.run.phases)) {
      if (part.phase.kind === 'initialize') continue;
      const name = partLabel(part);
      parts.set(name, [...(parts.get(name) ?? []), { part, record, label }]);
    }
  }
  const several = sides.some(({ runIds }) => runIds.length > 1);
  const charts = [...parts].flatMap(([name, of]) =>
    of.length < 2 ? [] : (chartSection(name, partCharts(of)) ?? []),
  );
  const told = several && charts.length > 0;
  return html`${told ? html`<p class="dim">In the charts the first run of a side stands for it.</p>` : null}${charts}`;
}

function health(records: readonly RunRecord[]): Markup | null {
  const known = records.filter(({ series }) => series.health.length > 0);
  if (known.length === 0) return null;
  const figure = (value: number | null, unit: string) =>
    value === null ? '–' : `${value.toFixed(1)} ${unit}`;
  return html`<h2>Health of the hosts</h2>
<div class="wide"><table><thead><tr><th scope="col">run</th><th scope="col">highest temperature</th><th scope="col">held back</th><th scope="col">under-voltage</th><th scope="col">lowest clock</th></tr></thead>
<tbody>${known.map(({ run, series }) => {
    const { temperatureC, throttledSeconds, underVoltageSeconds, clockMhz } = rackFigures(
      [{ run, health: series.health }],
      null,
    );
    return html`<tr><th scope="row">${run.name} on ${run.host?.name ?? run.targetName}</th><td>${figure(temperatureC, '°C')}</td><td>${figure(throttledSeconds, 's')}</td><td>${figure(underVoltageSeconds, 's')}</td><td>${figure(clockMhz, 'MHz')}</td></tr>`;
  })}</tbody></table></div>`;
}
