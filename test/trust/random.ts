/** Draws that a seed decides. */
export interface Random {
  /** Both ends included. */
  from(least: number, most: number): number;
  happens(chance: number): boolean;
  pick<Item>(items: readonly Item[]): Item;
}

/** mulberry32: small, and good enough to spread tests. */
export function createRandom(seed: number): Random {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const from = (least: number, most: number) => least + Math.floor(next() * (most - least + 1));
  return { from, happens: (chance) => next() < chance, pick: (items) => items[from(0, items.length - 1)]! };
}
