import { type Int64, normalInt, wrapInt } from '../int64.ts';
import { Xoroshiro } from './xoroshiro.ts';

const mask64 = 0xffff_ffff_ffff_ffffn;
const murmurMultiplier = 0xc6a4a7935bd1e995n;

/** 64-bit MurmurHash2 of the value's eight bytes. */
export function murmur2(value: Int64, seed: Int64): Int64 {
  const times = (x: bigint) => (x * murmurMultiplier) & mask64;
  const folded = (x: bigint) => x ^ (x >> 47n);
  const start = (BigInt(seed) & mask64) ^ times(8n);
  const key = times(folded(times(BigInt(value) & mask64)));
  return wrapInt(folded(times(folded(times(start ^ key)))));
}

/** 64-bit FNV-1a over the value's eight bytes, low byte first. */
export function fnv1a(value: Int64, seed: Int64): Int64 {
  let hash = 0xcbf29ce484222325n ^ (BigInt(seed) & mask64);
  let rest = BigInt(value) & mask64;
  for (let i = 0; i < 8; i++) {
    hash = ((hash ^ (rest & 0xffn)) * 0x100000001b3n) & mask64;
    rest >>= 8n;
  }
  return wrapInt(hash);
}

/**
 * A pseudorandom bijection on [0, size). Six rounds, each of which permutes the lower power-of-two window and the upper one
 * (an odd multiple, an exclusive or, a rotation by one bit) and then adds an offset modulo the size.
 * @param size above 0
 */
export function permute(value: Int64, size: Int64, seed: Int64): Int64 {
  const n = BigInt(size);
  if (n < 2n) return 0;
  const random = new Xoroshiro(BigInt(seed));
  const bits = BigInt(n.toString(2).length - 1);
  const mask = (1n << bits) - 1n;
  let v = (BigInt(value) & mask64) % n;
  const within = (x: bigint, multiplier: bigint, flips: bigint) => {
    if (x > mask) return x;
    const mixed = ((x * multiplier) ^ flips) & mask;
    return ((mixed << 1n) & mask) | (mixed >> (bits - 1n));
  };
  for (let round = 0; round < 6; round++) {
    v = within(v, (random.word() & mask) | 1n, random.word() & mask);
    v = n - 1n - within(n - 1n - v, (random.word() & mask) | 1n, random.word() & mask);
    v = (v + random.upToBig(n - 1n)) % n;
  }
  return normalInt(v);
}
