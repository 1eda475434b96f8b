import { comparisonBody } from '../html/comparisonPage.ts';
import { html } from '../html/markup.ts';
import { page } from '../html/page.ts';
import { runBody } from '../html/runPage.ts';
import { type ExportFormat, mostCompared } from './format.ts';

/** A report in one file, for one run or a comparison. */
export const htmlFormat: ExportFormat = {
  id: 'html',
  label: 'Web page',
  description: 'One file with figures and charts that opens anywhere, without a network, and prints',
  extension: 'html',
  mediaType: 'text/html',
  most: mostCompared,
  compares: true,
  write(records, { comparison, planText, toolVersion }) {
    const title = comparison
      ? `${comparison.sides.map(({ label }) => label).join(', ')} compared`
      : records.map(({ run }) => [run.name, run.targetName].filter(Boolean).join(' on ')).join(', ');
    const body = comparison
      ? comparisonBody(records, comparison)
      : html`${records.map((record) => runBody(record, planText(record.run.plan)))}`;
    return page(title, html`${body}\n<footer>Made by Benchberry ${toolVersion}. Times are UTC.</footer>`);
  },
};
