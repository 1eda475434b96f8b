import { describe, expect, it } from 'vitest';
import { ReadWaits } from './readWaits.ts';

describe('waits for a data file', () => {
  it('are the idle time of reads alone, those that overlap once, and each moment is told once', async () => {
    let idle = 100;
    const waits = new ReadWaits(() => idle);
    idle += 7; // waits for the server
    expect(waits.take()).toBe(0);
    const [first, second] = [Promise.withResolvers<number>(), Promise.withResolvers<number>()];
    const one = waits.during(() => first.promise);
    idle += 10;
    const two = waits.during(() => second.promise);
    idle += 20;
    expect(waits.take()).toBe(30);
    first.resolve(1);
    expect(await one).toBe(1);
    idle += 5;
    second.resolve(2);
    expect(await two).toBe(2);
    idle += 40; // nothing is read
    expect([waits.take(), waits.take()]).toEqual([5, 0]);
  });

  it('end with a read that fails', async () => {
    let idle = 0;
    const waits = new ReadWaits(() => idle);
    const failing = waits.during(async () => {
      idle += 3;
      throw new Error('cut off');
    });
    await expect(failing).rejects.toThrow('cut off');
    idle += 50;
    expect(waits.take()).toBe(3);
  });
});
