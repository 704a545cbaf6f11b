/**
 * 31-bit hash of a seed, a purpose (`salt`) and up to two numbers. The only source of randomness, so the simulator is a
 * pure function of the seed. Not 32 bits, because V8 keeps small integers out of the heap and computes `%` on them ten
 * times faster.
 */
export function hash(seed: number, salt: number, a = 0, b = 0): number {
  const first = mix(mix(seed ^ Math.imul(salt, 0x9e3779b1)) + Math.imul(a, 0x85ebca6b));
  return mix(first + Math.imul(b, 0xc2b2ae35)) >>> 1;
}

/** Hash as a fraction in [0, 1). */
export function fraction(value: number): number {
  return value / range;
}

/** True for about `share` of all hashes. */
export function happens(share: number, value: number): boolean {
  return value < share * range;
}

/** Element of a list selected by a hash. */
export function pick<T>(list: readonly T[], value: number): T {
  return list[value % list.length]!;
}

const range = 0x8000_0000;

/** Bijective 32-bit mixing function "lowbias32" (https://nullprogram.com/blog/2018/07/31/). */
function mix(value: number): number {
  let h = value | 0;
  h ^= h >>> 16;
  h = Math.imul(h, 0x7feb352d);
  h ^= h >>> 15;
  h = Math.imul(h, 0x846ca68b);
  h ^= h >>> 16;
  return h | 0;
}
