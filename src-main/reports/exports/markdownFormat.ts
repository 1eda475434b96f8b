import type { Comparison } from '../../../src-shared/model/comparison.ts';
import { phaseTables, runFacts, verdictLines } from '../../../src-shared/runTables.ts';
import { cellTexts } from '../compared.ts';
import { type ExportFormat, mostCompared, type RunRecord } from './format.ts';

/** For an issue or a wiki: tables and sentences, no chart. */
export const markdownFormat: ExportFormat = {
  id: 'markdown',
  label: 'Markdown',
  description: 'Verdict, figures and set-up as text, for an issue or a wiki',
  extension: 'md',
  mediaType: 'text/markdown',
  most: mostCompared,
  compares: true,
  write(records, { comparison, toolVersion }) {
    const lines = comparison
      ? comparisonLines(records, comparison)
      : records.flatMap((record, i) => [...(i === 0 ? [] : ['']), ...runLines(record)]);
    return `${[...lines, '', `Made by Benchberry ${plain(toolVersion)}.`].join('\n')}\n`;
  },
};

function runLines({ run }: RunRecord): string[] {
  return [
    `## ${plain([run.name, run.targetName].filter(Boolean).join(' on '))}`,
    '',
    ...verdictLines(run).map(([label, reason]) => `**${plain(label)}**: ${plain(reason)}`),
    ...(run.notes === '' ? [] : ['', ...run.notes.split('\n').map((line) => `> ${plain(line)}`)]),
    ...phaseTables(run).flatMap(({ title, header, rows }) => [
      '',
      `**${plain(title)}**`,
      ...(rows.length === 0 ? [] : ['', ...table(header, rows)]),
    ]),
    '',
    ...facts(runFacts(run)),
    ...(run.printed?.missing.length
      ? ['', `Not told by the source: ${run.printed.missing.map(plain).join('; ')}.`]
      : []),
  ];
}

function comparisonLines(records: readonly RunRecord[], comparison: Comparison): string[] {
  const { sides, differences, table: rows } = comparison;
  const labels = sides.map(({ label }) => label);
  return [
    `## ${plain(labels.join(' · '))}`,
    '',
    `**${plain(comparison.sentence)}**`,
    '',
    ...comparison.caveats.map((caveat) => `- ${plain(caveat)}`),
    '',
    '### Figures',
    '',
    ...table(
      ['', 'operation', ...labels],
      rows.map(({ metric, name, cells }) => [
        metric.label,
        name,
        ...cells.map((cell) => {
          const { value, change } = cellTexts(cell, metric);
          return change === '' ? value : `${value}, ${change}`;
        }),
      ]),
    ),
    '',
    '### What differs',
    '',
    ...(differences.length === 0
      ? ['The set-ups do not differ.']
      : table(
          ['', '', ...labels, 'what it does'],
          differences.map(({ area, name, values, reason }) => [
            area,
            name,
            ...values.map((value) => value ?? '–'),
            reason,
          ]),
        )),
    ...records.flatMap(({ run }) => [
      '',
      `### ${plain([run.name, run.targetName].filter(Boolean).join(' on '))}`,
      '',
      ...verdictLines(run).map(([label, reason]) => `**${plain(label)}**: ${plain(reason)}`),
      '',
      ...facts(runFacts(run)),
    ]),
  ];
}

function facts(pairs: readonly (readonly [string, string])[]): string[] {
  return table(['set-up', ''], pairs);
}

function table(header: readonly string[], rows: readonly (readonly string[])[]): string[] {
  const line = (cells: readonly string[]) => `| ${cells.map(plain).join(' | ')} |`;
  return [line(header), `| ${header.map(() => '---').join(' | ')} |`, ...rows.map(line)];
}

/**
 * A text that shows as it is: nothing in it is markup, a link, a mention of a person or of an issue, or a new line.
 * The comment that breaks a mention is not shown.
 */
export function plain(text: string): string {
  return text
    .replace(/\s+/g, ' ')
    .replace(/(?! )[\p{Cc}\p{Bidi_Control}]/gu, '�')
    .replace(/[\\`*_{}[\]()<>|~!$&^]/g, (character) => `\\${character}`)
    .replace(/^(\s*)([-+=#])/, '$1\\$2')
    .replace(/^(\s*\d+)([.)])(?=\s|$)/, '$1\\$2')
    .replace(/([@#])(?=[\p{L}\p{N}])/gu, '$1<!-- -->')
    .replace(/(https?|ftp):\/\//gi, '$1:<!-- -->//')
    .replace(/www\./gi, 'www<!-- -->.');
}
