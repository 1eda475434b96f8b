import type { Http } from '../http/http.ts';
import { get } from './http.ts';

/** What the server tells of itself on /metrics. */
export interface ServerMetrics {
  /** `v1.93.0`; null where its build has none. */
  version: string | null;
  /** Flags that somebody has set. */
  flags: { name: string; value: string }[];
  /** How long it keeps values: `1` is a month. */
  retention: string;
  dataFolder: string | null;
  sizeBytes: number;
  /** Values that came and were dropped since its start, by reason. */
  ignored: Record<string, number>;
}

const line = /^(\w+)\{(.*)\} (\S+)$/;

export async function readMetrics(http: Http, signal: AbortSignal): Promise<ServerMetrics> {
  const told: ServerMetrics = {
    version: null,
    flags: [],
    retention: '1',
    dataFolder: null,
    sizeBytes: 0,
    ignored: {},
  };
  for (const text of (await get(http, '/metrics', {}, signal)).split('\n')) {
    const [, metric, labelText = '', value] = line.exec(text) ?? [];
    const labels = Object.fromEntries(
      [...labelText.matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g)].map(([, name, label]) => [name, label]),
    );
    if (metric === 'vm_app_version') told.version = labels.short_version || null;
    else if (metric === 'vm_data_size_bytes') told.sizeBytes += Number(value);
    else if (metric === 'vm_rows_ignored_total' && labels.reason) told.ignored[labels.reason] = Number(value);
    else if (metric === 'flag' && labels.name) {
      if (labels.name === 'retentionPeriod') told.retention = labels.value ?? '';
      if (labels.name === 'storageDataPath') told.dataFolder = labels.value ?? null;
      if (labels.is_set === 'true') told.flags.push({ name: labels.name, value: labels.value ?? '' });
    }
  }
  return told;
}

/** Values dropped for being older than the server keeps them, or too far ahead of its clock. */
export function droppedForTheirTime({ ignored }: ServerMetrics): number {
  return (ignored.small_timestamp ?? 0) + (ignored.big_timestamp ?? 0);
}
