import { describe, expect, it } from 'vitest';
import type { Dataset } from '../driver.ts';
import { nullDriver } from './index.ts';

const dataset: Dataset = {
  tags: [{ name: 'hostname', type: 'string' }],
  tables: [
    {
      name: 'cpu',
      fields: [
        { name: 'usage_user', type: 'integer' },
        { name: 'usage_idle', type: 'integer' },
      ],
    },
  ],
  devices: 2,
  deviceTags: (device) => [`host_${device}`],
};
const signal = new AbortController().signal;
const context = { dataFolder: '', signal };

describe('the null target', () => {
  it('takes batches, says how many bytes they would have been, and counts nothing', async () => {
    const endpoint = await nullDriver.resolve({}, null, context);
    const session = await nullDriver.openSession(endpoint, signal);
    const options = { database: 'benchmark', doCreateDb: true, doAbortOnExist: false, engine: {} };
    const prepared = await session.prepare(dataset, options, signal);
    const writer = await nullDriver.openWriter(endpoint, structuredClone(prepared), signal, dataset);
    for (let i = 0; i < 100; i += 1) writer.row(0, i % 2, i * 1000, 0, Float64Array.of(i, 100 - i));
    expect(writer.pending).toBe(100);
    // 2 bytes for the number of fields, 12 time, 8 tags_id, 4 NULL, 12 for each of two doubles
    expect(await writer.flush(signal)).toBe(100 * (2 + 12 + 8 + 4 + 12 + 12));
    expect(writer.pending).toBe(0);
    expect(await writer.flush(signal)).toBe(0);
    expect(await session.count(prepared, signal)).toEqual({});
    expect(prepared.notes.join()).toContain('nothing to count');
  });

  it('stops when asked to, and refuses queries', async () => {
    const endpoint = await nullDriver.resolve({}, null, context);
    const session = await nullDriver.openSession(endpoint, signal);
    const options = { database: 'benchmark', doCreateDb: true, doAbortOnExist: false, engine: {} };
    const writer = await nullDriver.openWriter(
      endpoint,
      await session.prepare(dataset, options, signal),
      signal,
      dataset,
    );
    await expect(writer.flush(AbortSignal.abort())).rejects.toMatchObject({ code: 'cancelled' });
    await expect(nullDriver.openReader(endpoint, 'benchmark', signal)).rejects.toMatchObject({
      code: 'unsupported',
    });
  });
});
