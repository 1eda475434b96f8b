import { expect, it } from 'vitest';
import { type Faults, faultsContract } from './faultsContract.ts';

const cases: Faults['cases'] = [
  [
    'when the server is overloaded',
    {},
    (n) => (n % 3 === 1 ? 'overload' : n % 7 === 2 ? 'too-many' : 'pass'),
  ],
  ['when connections end before rows arrive', {}, (n) => (n % 12 === 3 ? 'drop-before' : 'pass')],
  ['when the answer to rows that are stored is lost', {}, (n) => (n % 12 === 5 ? 'drop-after' : 'pass')],
];

/**
 * Faults of engines that take lines.
 * @param idempotent whether a row that comes twice is one: then what may be stored is sent again, else the load ends there
 */
export function lineFaults({
  idempotent,
  ...about
}: Pick<Faults, 'driver' | 'server'> & { idempotent: boolean }): void {
  faultsContract(
    {
      ...about,
      cases: idempotent ? cases : cases.slice(0, 1),
      remark: /^Batches are sent again: The (server|connection) /,
      overloaded: { code: 'server-error', detail: expect.stringContaining('overloaded') },
    },
    idempotent
      ? undefined
      : (bench) =>
          it('sends nothing again that may be stored: the load ends and says so', async () => {
            const prepared = await bench.prepare({});
            const { endpoint, fates } = await bench.proxied((n) => (n < 5 ? 'pass' : 'drop-after'));
            await expect(bench.load(prepared, endpoint)).rejects.toMatchObject({ code: 'connection-lost' });
            expect(fates['drop-after']).toBe(1);
            await bench.expectRows(prepared, 6 * 50);
          }),
  );
}
