import { AppError } from '../../../../src-shared/errors.ts';
import { Flaw } from './flaw.ts';
import type { FormatName } from './rowReader.ts';

/** What every query file of TSBS has near its beginning: names of Go's fields. */
const gobNames = ['HumanLabel', 'HumanDescription'];
const looked = 4096;

/**
 * Which format the text of a file is in, by what it begins with.
 * @throws AppError `unsupported` for a query file, with what to do instead; Flaw for anything else
 */
export function formatOf(block: Buffer): FormatName {
  const head = block.subarray(0, looked);
  const text = head.toString('latin1');
  if (gobNames.every((name) => text.includes(name)))
    throw new AppError({
      code: 'unsupported',
      message: 'The file holds queries of TSBS, in a form that only Go programs read',
      hint: 'Give the seed, scale and times they were generated with to a step tsbs.queries: it asks the same queries, to the bit.',
    });
  const [first = ''] = text.split('\n', 1);
  if (first.includes('\u0000')) throw new Flaw(1, 'the file is not text', 'Choose a data file of TSBS.');
  if (/^tags(?:,|\r?$)/.test(first)) return 'timescaledb';
  if (/^[^\s,=]+(?:,[^\s,=]+=[^\s,]+)+ [^\s=]+=/.test(first)) return 'influx';
  const header = /^[^\s,=]+(?:,[^\s,=]*)+\r?$/.test(first);
  throw new Flaw(
    1,
    header ? 'the header does not begin with a line of tags' : 'it is no beginning of a data file of TSBS',
    'Files for TimescaleDB, QuestDB and InfluxDB can be read.',
  );
}
