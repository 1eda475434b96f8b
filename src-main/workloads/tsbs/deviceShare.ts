import type { RowShare } from '../workload.ts';
import { fnv1a32 } from './hash.ts';

/**
 * Numbers of the devices whose rows TSBS's `hash-workers` sends to this worker, ascending; null for all of them.
 * @param key the first tag as text with its name, e.g. `hostname=host_0`
 */
export function devicesOf(
  share: RowShare | undefined,
  devices: number,
  key: (device: number) => string,
): Int32Array | null {
  if (share === undefined || share.workers === 1) return null;
  const own: number[] = [];
  for (let device = 0; device < devices; device++)
    if (fnv1a32(key(device)) % share.workers === share.worker) own.push(device);
  return Int32Array.from(own);
}

/** Index of the first number ≥ `least` in an ascending list; its length if there is none. */
export function firstAtLeast(ascending: Int32Array, least: number): number {
  let low = 0;
  let high = ascending.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((ascending[middle] as number) < least) low = middle + 1;
    else high = middle;
  }
  return low;
}
