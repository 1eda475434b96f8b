import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { GoRandom } from './goRandom.ts';
import { seedTable } from './seedTable.ts';
import { accept, edge, scale } from './ziggurat.ts';

const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');
const times = <T>(count: number, one: (i: number) => T): T[] =>
  Array.from({ length: count }, (_, i) => one(i));

describe('the seed table', () => {
  const table = seedTable();
  const signed = [...table].map((w) => BigInt.asIntN(64, w));
  const bytes = (little: boolean) => {
    const view = new DataView(new ArrayBuffer(8 * table.length));
    table.forEach((w, i) => {
      view.setBigUint64(8 * i, w, little);
    });
    return new Uint8Array(view.buffer);
  };

  it('has Go’s words', () => {
    expect(signed).toHaveLength(607);
    expect(signed.slice(0, 3)).toEqual([-4181792142133755926n, -4576982950128230565n, 1395769623340756751n]);
    expect(signed.slice(-2)).toEqual([9103922860780351547n, 4152330101494654406n]);
    expect(table.reduce((a, b) => a ^ b)).toBe(4412438235990424411n);
    expect(
      BigInt.asUintN(
        64,
        table.reduce((a, b) => a + b),
      ),
    ).toBe(7853633167222747795n);
  });

  it('has the check sums of Go’s table, little and big end first', () => {
    expect(sha256(bytes(true))).toBe('1928503b93a563e491119a5889baba73d1605b90b63634c14a408805797a7c7b');
    expect(sha256(bytes(false))).toBe('71ca56841e25ce194c2600faac906bb84e97d268a3bc453ff9f1a1410af1d228');
  });
});

describe('the ziggurat tables', () => {
  it('are Go’s, bit for bit', () => {
    expect([accept[0], accept[2], accept[127]]).toEqual([1991057938, 1611602771, 2010539237]);
    const single = new Float32Array(scale);
    expect([...single]).toEqual([...scale]);
    const unsigned = new Uint32Array(accept);
    expect([...unsigned]).toEqual([...accept]);
    const hash = (a: Float32Array | Uint32Array) => sha256(new Uint8Array(a.buffer));
    expect(hash(unsigned)).toBe('3d2d71878b1adeda69fe4a5f1a320d654940a6e707948890ec94bfb165b96ec4');
    expect(hash(single)).toBe('ad7d9370fef99dc77b47694a776d9fccb45aaf1326c09445e3cb14ba09600048');
    expect(hash(edge)).toBe('b48fe81bd18a78dc0efbb5189baf0e24325c51d1e9aa8cb5cac1939ef900111b');
  });
});

describe('GoRandom', () => {
  it.each([
    [1, ['4d65822107fcfd52', '78629a0f5f3f164f', 'd5104dc76695721d', 'b80704bb7b4d7c03']],
    [123, ['4a68998bed5c40f1', '835b51599210f9ba', '1fff001b295a02f7', 'ced451db4c6afd7b']],
    [0, ['78fc2ffac2fd9401', '1f5b0412ffd341c0', '53f65ff94f6ec873', '86f4bd2ae8eea562']],
  ])('gives the raw words of seed %d', (seed, expected) => {
    const random = new GoRandom(seed);
    expect(times(4, () => random.uint64().toString(16).padStart(16, '0'))).toEqual(expected);
  });

  it('follows the recurrence over many refills', () => {
    const random = new GoRandom(99);
    const y = times(5000, () => random.uint64());
    for (let n = 607; n < y.length; n++)
      expect(y[n]).toBe(BigInt.asUintN(64, (y[n - 607] ?? 0n) + (y[n - 273] ?? 0n)));
  });

  it('takes seeds modulo 2^31 − 1, negative ones too', () => {
    const first = (seed: number | bigint) => new GoRandom(seed).uint64();
    expect(first(123n + 5n * 2147483647n)).toBe(first(123));
    expect(first(123 - 2147483647)).toBe(first(123));
    expect(first(0)).toBe(first(89482311));
    expect(first(-(2n ** 63n))).toBe(first(2147483647n - (2n ** 63n % 2147483647n)));
  });

  it.each([
    [0, [0.9451961492941164, 0.24496508529377975, 0.6559562651954052]],
    [1, [0.6046602879796196, 0.9405090880450124, 0.6645600532184904]],
    [123, [0.5813171323049762, 0.026224297271376255, 0.2499694950699479]],
  ])('gives the Float64 of seed %d', (seed, expected) => {
    const random = new GoRandom(seed);
    expect(times(3, () => random.float64())).toEqual(expected);
  });

  it.each([
    [0, [-0.28158587086436215, 0.570933095808067, -1.6920196326157044, 0.1996229111693099]],
    [1, [-1.233758177597947, -0.12634751070237293, -0.5209945711531503, 2.28571911769958]],
    [123, [-0.794578529671558, 0.07123319016863422, 0.6991306302369095, -1.0744026840695597]],
  ])('gives the NormFloat64 of seed %d', (seed, expected) => {
    const random = new GoRandom(seed);
    expect(times(4, () => random.normFloat64())).toEqual(expected);
  });

  it('takes the slow ways of the ziggurat as Go does', () => {
    const random = new GoRandom(123);
    const x = new Float64Array(1_000_000);
    random.fillNormal(x, x.length);
    expect(x[11]).toBe(-1.4832536627157742);
    expect(x[26]).toBe(-3.5297108837712408);
    expect(x[96]).toBe(-0.0983523401155692);
    expect(x[6380]).toBe(-3.5031033104211615);
    expect(x[8457]).toBe(3.4704535089912434);
    expect(x.reduce((a, b) => a + b, 0)).toBe(-1300.4219607790242);
    // A million calls take 1,041,133 words.
    const words = new GoRandom(123);
    for (let i = 0; i < 1_041_133; i++) words.float64();
    expect(random.uint64()).toBe(words.uint64());
  });

  it('draws integers from the bits Go draws them from', () => {
    const raw = new GoRandom(7);
    const w = times(200, () => raw.uint64());
    const same = <T>(draw: (r: GoRandom) => T, from: (word: bigint) => T) => {
      const random = new GoRandom(7);
      expect(times(200, () => draw(random))).toEqual(w.map(from));
    };
    same(
      (r) => r.intn(2),
      (x) => Number((x >> 32n) & 1n),
    );
    same(
      (r) => r.intn(4),
      (x) => Number((x >> 32n) & 3n),
    );
    same(
      (r) => r.intn(9),
      (x) => Number(((x >> 32n) & 0x7fffffffn) % 9n),
    );
    same(
      (r) => r.int63n(2),
      (x) => Number(x & 1n),
    );
    same(
      (r) => r.int63n(100),
      (x) => Number(BigInt.asUintN(63, x) % 100n),
    );
    same(
      (r) => r.int63n(2_000_000),
      (x) => Number(BigInt.asUintN(63, x) % 2_000_000n),
    );
    same(
      (r) => r.bigInt63n(259_200_000_000_000n),
      (x) => BigInt.asUintN(63, x) % 259_200_000_000_000n,
    );
  });

  it('rejects the surplus of a range, one word each', () => {
    // 2^30 + 1 divides 2^31 once: nearly every second word is refused.
    const n = 2 ** 30 + 1;
    const raw = new GoRandom(7);
    const accepted = times(400, () => Number((raw.uint64() >> 32n) & 0x7fffffffn)).filter((x) => x < n);
    const random = new GoRandom(7);
    expect(times(150, () => random.intn(n))).toEqual(accepted.slice(0, 150));
    const big = 2n ** 62n + 1n;
    const raw63 = new GoRandom(7);
    const accepted63 = times(400, () => BigInt.asUintN(63, raw63.uint64())).filter((x) => x < big);
    const random63 = new GoRandom(7);
    expect(times(150, () => random63.bigInt63n(big))).toEqual(accepted63.slice(0, 150));
  });
});
