import { describe, expect, it } from 'vitest';
import { AppError } from '../../src-shared/errors.ts';
import { settle } from './settle.ts';

/** A clock that only pauses move, and a host with the given readings at 0, 5, 10 … s. */
function bench(readings: readonly (number | null | Error)[] | null, skipAtMs = Number.POSITIVE_INFINITY) {
  let nowMs = 1000;
  let asked = 0;
  const told: string[] = [];
  const skip = new AbortController();
  const settling = {
    temperature:
      readings === null
        ? null
        : async () => {
            const reading = readings[Math.min(asked, readings.length - 1)] ?? null;
            asked += 1;
            if (reading instanceof Error) throw reading;
            return reading;
          },
    tell: ({ text, waitedMs }: { text: string; waitedMs: number }) =>
      told.push(`${waitedMs / 1000} s: ${text}`),
    now: () => nowMs,
    async pause(ms: number) {
      nowMs += ms;
      if (nowMs - 1000 >= skipAtMs) skip.abort();
    },
  };
  return { settling, told, signal: skip.signal, asked: () => asked };
}

const cool = { idle: '0s', below: 55, atMost: '10m' };

describe('settling', () => {
  it('waits until the host is cooler than the mark, and tells the reading', async () => {
    const { settling, told, signal, asked } = bench([61, 58, 54.9]);
    expect(await settle({ rule: cool, ...settling }, signal)).toEqual({
      waitedMs: 10_000,
      temperatureC: 54.9,
      end: 'settled',
    });
    expect(told[0]).toBe('0 s: 61 °C, under 55 °C wanted');
    expect(told[9]).toBe('9 s: 58 °C, under 55 °C wanted');
    expect(told).toHaveLength(10);
    expect(asked()).toBe(3);
  });

  it('does not wait where it is cool already', async () => {
    const { settling, told, signal } = bench([50]);
    expect(await settle({ rule: cool, ...settling }, signal)).toMatchObject({ waitedMs: 0, end: 'settled' });
    expect(told).toEqual([]);
  });

  it('55.0 °C is not under 55 °C', async () => {
    const { settling, signal } = bench([55, 54]);
    expect(await settle({ rule: cool, ...settling }, signal)).toMatchObject({ waitedMs: 5000 });
  });

  it('idles first, however cool it is', async () => {
    const { settling, told, signal } = bench([50]);
    const rule = { ...cool, idle: '30s' };
    expect(await settle({ rule, ...settling }, signal)).toMatchObject({ waitedMs: 30_000, end: 'settled' });
    expect(told).toHaveLength(30);
    expect(told[0]).toBe('0 s: idle for 30.0 s');
  });

  it('gives up at the bound', async () => {
    const { settling, signal } = bench([70]);
    const rule = { ...cool, atMost: '7s' };
    expect(await settle({ rule, ...settling }, signal)).toEqual({
      waitedMs: 7000,
      temperatureC: 70,
      end: 'too-long',
    });
  });

  it('ends at once when it is skipped', async () => {
    const { settling, signal } = bench([70], 3000);
    expect(await settle({ rule: cool, ...settling }, signal)).toMatchObject({
      waitedMs: 3000,
      end: 'skipped',
    });
  });

  it('asks a host again that could not be asked, and says why', async () => {
    const gone = new AppError({ code: 'connection-lost', message: 'The connection is gone' });
    const { settling, told, signal } = bench([gone, 40]);
    expect(await settle({ rule: cool, ...settling }, signal)).toMatchObject({
      waitedMs: 5000,
      temperatureC: 40,
    });
    expect(told[0]).toBe('0 s: the temperature cannot be read (The connection is gone), under 55 °C wanted');
  });

  it.each([
    ['a host without a thermometer', [null] as const],
    ['a target without a host', null],
  ])('waits for the time alone on %s', async (_, readings) => {
    const { settling, signal } = bench(readings);
    const rule = { ...cool, idle: '2s' };
    expect(await settle({ rule, ...settling }, signal)).toEqual({
      waitedMs: 2000,
      temperatureC: null,
      end: 'settled',
    });
  });
});
