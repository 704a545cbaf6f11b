/** Chances that come out the same for the same seed. */
export interface Chance {
  /** In [0, 1). */
  number(): number;
  /** A whole number from `least` to `most`, both included. */
  whole(least: number, most: number): number;
  pick<Item>(items: readonly Item[]): Item;
  happens(probability: number): boolean;
}

/** The generator mulberry32: 32 bits of state, good enough to spread faults. */
export function createChance(seed: number): Chance {
  let state = Math.imul(seed, 0x9e3779b9) >>> 0;
  const number = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const whole = (least: number, most: number) => least + Math.floor(number() * (most - least + 1));
  return {
    number,
    whole,
    pick: (items) => items[whole(0, items.length - 1)]!,
    happens: (probability) => number() < probability,
  };
}
