import type { MachineCheck } from '../../../src-shared/model/host.ts';
import { formatCounted } from '../../../src-shared/units.ts';
import type { Http } from '../http/http.ts';
import { pending, readWal } from './wal.ts';

/** What only the database can tell of the gate before a run: whether it still applies what was written before. */
export async function readiness(http: Http, signal: AbortSignal): Promise<MachineCheck[]> {
  const wals = await readWal(http, null, signal);
  const left = wals.filter(({ suspended }) => !suspended).reduce((sum, wal) => sum + pending(wal), 0);
  const suspended = wals.filter((wal) => wal.suspended).map(({ name }) => name);
  return [
    {
      ...{ id: 'wal', title: 'WAL', result: left > 0 ? 'wait' : 'pass' },
      detail: left > 0 ? `${formatCounted(left, 'transaction')} to be applied` : 'All of it is applied',
      advice: left > 0 ? 'It ends by itself; it would read and write beside the run.' : '',
      ...{ value: left, unit: null, raw: '' },
    },
    {
      ...{ id: 'suspended', title: 'Suspended tables', result: suspended.length > 0 ? 'warn' : 'pass' },
      detail: suspended.length > 0 ? suspended.join(', ') : 'None',
      advice:
        suspended.length > 0
          ? 'Their WAL grows and is not applied: drop them, or ALTER TABLE … RESUME WAL.'
          : '',
      ...{ value: suspended.length, unit: null, raw: '' },
    },
  ];
}
