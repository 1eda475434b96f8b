import { describe, expect, it } from 'vitest';
import { referenceFileSchema } from '../../../src-shared/model/reference.ts';
import type { Phase } from '../../../src-shared/model/run.ts';
import { phaseOf, runOf } from '../testRun.ts';
import { referenceFormat } from './referenceFormat.ts';

const tools = {
  ...{ toolVersion: '0.1.0', comparison: null, operation: null },
  planText: () => '',
  queryLabel: () => null,
};
const factsOf = (patch: Partial<Phase>) => {
  const series = { ticks: [], events: [], health: [], server: [], serverWatch: null };
  const record = { run: runOf({ phases: [phaseOf(patch)] }), series, histograms: () => [] };
  const file = referenceFileSchema.parse(JSON.parse(referenceFormat.write([record], tools)));
  return file.references[0]?.printed.facts;
};

describe('a run as a reference', () => {
  it('says where its rate is of rows that were only sent, and when all could be queried', () => {
    expect(factsOf({})).toEqual([]);
    expect(factsOf({ unanswered: true, visible: { seconds: 4, rowsPerSecond: 10 } })).toEqual([
      {
        name: 'Rows of tsbs.load',
        value: 'counted when they were sent: the server answers nothing to them',
      },
      { name: 'Rows of tsbs.load', value: 'all could be queried after 4.0 s, 10.00 rows/s' },
    ]);
    expect(factsOf({ visible: null })).toEqual([
      { name: 'Rows of tsbs.load', value: 'not all could be queried in time' },
    ]);
  });
});
