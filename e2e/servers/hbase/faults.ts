import { expect } from 'vitest';
import { hbaseDriver } from '../../../src-main/databases/hbase/index.ts';
import { type Faults, faultsContract } from '../faultsContract.ts';

const { signal } = new AbortController();
/** As the gateway answers when a region's memory is full. */
const busy = `Unavailable\r
org.apache.hadoop.hbase.client.RetriesExhaustedWithDetailsException: Failed 50 actions: RegionTooBusyException: 50 times\r
\tat org.apache.hadoop.hbase.client.BatchErrors.makeException(BatchErrors.java:57)\r
Caused by: org.apache.hadoop.hbase.RegionTooBusyException: Over memstore limit=128.0M\r
`;

export function hbaseFaults(server: Faults['server']): void {
  faultsContract({
    driver: hbaseDriver,
    server,
    ways: { isRows: ({ url = '' }) => url.endsWith(':cpu/rows'), overloaded: busy },
    cases: [
      [
        'when regions are too busy',
        {},
        (n) => (n % 5 === 1 ? 'overload' : n % 11 === 2 ? 'too-many' : 'pass'),
      ],
      ['when connections end before rows arrive', {}, (n) => (n % 12 === 3 ? 'drop-before' : 'pass')],
      [
        'when the answer to rows that are stored is lost',
        { hbaseSchema: 'wide' },
        (n) => (n % 12 === 5 ? 'drop-after' : 'pass'),
      ],
    ],
    remark: /^Rows are sent again: The (server|connection) /,
    overloaded: {
      code: 'server-error',
      detail: expect.stringContaining('RegionTooBusyException: Over memstore limit'),
    },
    async expectSums(endpoint, database, sums, total) {
      const reader = await hbaseDriver.openReader(endpoint, database, signal);
      const { rows, values = [] } = await reader.run({ text: '/cpu' }, signal, true);
      await reader.close();
      expect(rows).toBe(total * sums.length);
      expect(values.reduce((all, cell) => all + Number(cell.at(-1)), 0)).toBe(
        sums.reduce((all, [, sum]) => all + sum, 0),
      );
    },
  });
}
