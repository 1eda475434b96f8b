import type { MachineCheck } from '../../../src-shared/model/host.ts';
import { formatBytes } from '../../../src-shared/units.ts';
import type { Http } from '../http/http.ts';
import { readConfig } from './api.ts';
import { requestBytesOf } from './describe.ts';
import { mayDelete } from './ownership.ts';

/** Below this a load crawls. */
const fewestBytes = 64 * 1024;

/** Lines of the gate before a run: settings without which a load fails or crawls. */
export async function readiness(http: Http, signal: AbortSignal): Promise<MachineCheck[]> {
  const config = await readConfig(http, signal);
  const metrics = config['tsd.core.auto_create_metrics'] === 'true';
  const bytes = requestBytesOf(config);
  const large = bytes >= fewestBytes;
  const deletes = mayDelete(config);
  const still = config['tsd.storage.enable_compaction'] === 'false';
  const line = (
    id: string,
    title: string,
    passed: boolean,
    detail: string,
    advice: string,
  ): MachineCheck => ({
    ...{ id, title, result: passed ? 'pass' : 'warn', detail, advice: passed ? '' : advice },
    ...{ value: null, unit: null, raw: '' },
  });
  return [
    line(
      'opentsdb-metrics',
      'New metrics',
      metrics,
      metrics ? 'Are made on their first point' : 'Are refused',
      'Set tsd.core.auto_create_metrics to true: a load fails without it.',
    ),
    line(
      'opentsdb-requests',
      'Size of requests',
      large,
      `Up to ${formatBytes(bytes)}`,
      'Set tsd.http.request.enable_chunked to true and tsd.http.request.max_chunk to 1048576: small requests are slow.',
    ),
    line(
      'opentsdb-delete',
      'Deleting',
      deletes,
      deletes ? 'Points can be deleted' : 'Points cannot be deleted',
      'Set tsd.http.query.allow_delete to true: without it a plan cannot replace what an earlier load has left.',
    ),
    line(
      'opentsdb-compaction',
      'Old hours',
      still,
      still ? 'Are left as they are written' : 'Are written anew every few seconds',
      'Set tsd.storage.enable_compaction to false: it works beside the run, and what it still has in hand of points that were deleted can take new ones in their place with it.',
    ),
  ];
}
