import { createHash } from 'node:crypto';
import { PassThrough, Writable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { generators } from './generate.ts';

const { signal } = new AbortController();
const hour = { useCase: 'cpu-only', seed: '123', scale: '10', timestampEnd: '2016-01-01T01:00:00Z' };

async function written(what: 'data' | 'queries', options: Record<string, unknown>): Promise<string> {
  const output = new PassThrough();
  const whole = text(output);
  await generators[what].write(options, output, signal);
  output.end();
  return whole;
}

describe('generate data', () => {
  it('writes TSBS’s bytes from flags as text', async () => {
    const bytes = await written('data', { ...hour, format: 'timescaledb', initialScale: '2' });
    expect(createHash('sha256').update(bytes).digest('hex')).toBe(
      'a22864e2660399226c3727f3fa59082e2e06a55f4cbdb656df9479f7402e729c',
    );
  });

  it('has TSBS’s defaults: one host, one day, a seed from the clock', async () => {
    const bytes = await written('data', { format: 'questdb' });
    expect(bytes.trimEnd().split('\n')).toHaveLength(8640);
    const output = new PassThrough();
    output.resume();
    const { seed } = await generators.data.write({ format: 'questdb' }, output, signal);
    expect(seed).toBeGreaterThan(0);
  });

  it('waits for a slow reader: no more is made than is taken', async () => {
    let taken = 0;
    let release: () => void = () => undefined;
    const slow = new Writable({
      highWaterMark: 1,
      write(chunk: Buffer, _, done) {
        taken += chunk.length;
        release = () => done();
      },
    });
    const controller = new AbortController();
    // Three thousand million rows would not fit into memory.
    const endless = { ...hour, scale: '1000', timestampEnd: '2017-01-01T00:00:00Z', format: 'questdb' };
    const writing = generators.data.write(endless, slow, controller.signal);
    await expect.poll(() => taken).toBeGreaterThan(0);
    const before = taken;
    release();
    await expect.poll(() => taken).toBeGreaterThan(before);
    expect(taken).toBeLessThan(5_000_000);
    controller.abort();
    await expect(writing).rejects.toMatchObject({ code: 'cancelled' });
  });

  it('ends quietly where the reader has had enough', async () => {
    const closed = new Writable({
      write(_, __, done) {
        done(Object.assign(new Error('write EPIPE'), { code: 'EPIPE' }));
      },
    });
    await expect(generators.data.write({ ...hour, format: 'questdb' }, closed, signal)).resolves.toEqual({
      seed: 123,
    });
  });

  it('names the option that is wrong', async () => {
    const problem = (options: Record<string, unknown>) =>
      generators.data.write({ format: 'questdb', ...options }, new PassThrough(), signal);
    await expect(problem({ scale: '0' })).rejects.toMatchObject({
      code: 'bad-input',
      message: '0 is out of range: 1 to 10,000,000',
      place: { field: 'scale' },
    });
    await expect(problem({ scale: 'ten' })).rejects.toMatchObject({ place: { field: 'scale' } });
    await expect(problem({ scael: '1' })).rejects.toMatchObject({
      code: 'unknown-key',
      hint: 'Did you mean scale?',
    });
    await expect(problem({ format: undefined })).rejects.toMatchObject({ place: { field: 'format' } });
    await expect(problem({ timestampEnd: '2015-01-01T00:00:00Z' })).rejects.toMatchObject({
      place: { field: 'timestampEnd' },
    });
    await expect(problem({ interleavedGenerationGroupId: '1' })).rejects.toMatchObject({
      message: 'Group 1 is not there: groups are 0 to 0',
    });
  });
});

describe('generate queries', () => {
  const day = {
    seed: '123',
    scale: '10',
    timestampEnd: '2016-01-02T00:00:01Z',
    queryType: 'single-groupby-1-1-1',
  };

  it('writes a statement a line', async () => {
    const lines = (await written('queries', { ...day, format: 'timescaledb', queries: '250' }))
      .trimEnd()
      .split('\n');
    expect(lines).toHaveLength(250);
    expect(lines[0]).toMatch(/^SELECT .*'host_9'.*'2016-01-01 02:17:08\.646325 \+0000' .* ORDER BY minute$/);
    const odd = await written('queries', {
      ...day,
      format: 'timescaledb',
      queries: '250',
      interleavedGenerationGroups: '2',
      interleavedGenerationGroupId: '1',
    });
    expect(odd.trimEnd().split('\n')).toEqual(lines.filter((_, k) => k % 2 === 1));
  });

  it('follows the flags for the form', async () => {
    const one = (more: object) =>
      written('queries', { ...day, format: 'timescaledb', queries: '1', ...more });
    expect(await one({})).toContain('time_bucket');
    expect(await one({ timescaleUseTimeBucket: 'false' })).not.toContain('time_bucket');
    expect(await one({ timescaleUseTags: 'false' })).toContain("WHERE hostname IN ('host_9')");
    expect(await one({ timescaleUseJson: 'true' })).toContain('tagset @>');
    expect(await one({ format: 'questdb' })).toContain('SAMPLE BY 1m');
  });

  it('says why a type cannot be asked', async () => {
    const problem = (options: object) =>
      generators.queries.write({ ...day, format: 'questdb', ...options }, new PassThrough(), signal);
    await expect(problem({ queryType: 'cpu-max-all-32-24' })).rejects.toMatchObject({
      code: 'bad-input',
      place: { field: 'queryType' },
      message: 'cpu-max-all-32-24 asks for 32 hosts at a time, and there are only 10',
    });
    await expect(
      problem({ queryType: 'high-cpu-1', timestampEnd: '2016-01-01T12:00:00Z' }),
    ).rejects.toMatchObject({
      place: { field: 'queryType' },
    });
  });
});
