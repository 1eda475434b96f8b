import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import {
  generateDataUses,
  generateQueriesUses,
  loadQuestdbUses,
  loadTimescaleUses,
  runQuestdbUses,
  runTimescaleUses,
} from './uses.ts';

const page = readFileSync(path.join(import.meta.dirname, '../../../../docs/coming-from-tsbs.md'), 'utf8');

it.each(
  Object.entries({
    generateDataUses,
    generateQueriesUses,
    loadQuestdbUses,
    loadTimescaleUses,
    runQuestdbUses,
    runTimescaleUses,
  }),
)('the page for those who come from TSBS has every option of %s', (_, uses) => {
  expect(Object.keys(uses).filter((name) => !page.includes(`\`${name}\``))).toEqual([]);
});
