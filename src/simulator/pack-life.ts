import { happens, hash } from './hash.ts';

/** Changes of a slot's packs over time; most slots have none. */
type PackStory =
  /** The pack shrinks twice and grows back, with the same id and barcode. */
  | 'in_place'
  /** As `in_place`, with a new barcode each time. */
  | 'new_gtin'
  /** Each return under a new id has another pack and barcode. */
  | 'relaunch'
  /** The title's wording changes; the pack stays. */
  | 'reworded';

export interface PackState {
  readonly story: PackStory | null;
  /** Number of reductions; 0: full size. */
  readonly steps: number;
  /** Distinguishes the barcodes of the same article. */
  readonly barcodes: number;
  readonly isReworded: boolean;
}

/** Chooses slots so that each night the packs of a share `packChanges` of all products change. */
export function createPackLife(seed: number, packChanges: number) {
  // Rare changes are rare for a product, too. An integer, because `%` of integers is fast (hash.ts).
  const cycleDays = Math.max(60, Math.min(720, 1 / packChanges)) | 0;
  const storied = Math.min(1, packChanges * cycleDays);

  return {
    on(slot: number, generation: number, day: number): PackState {
      const draw = hash(seed, 331, slot);
      if (!happens(storied, draw)) return unchanged;
      // Odd slots return as the same article under a new id (product.ts).
      const story = slot % 2 === 1 && draw % 5 === 0 ? 'relaunch' : stories[hash(seed, 332, slot) % stories.length]!;
      if (story === 'relaunch')
        return { story, steps: generation % sizes, barcodes: generation, isReworded: generation % 2 === 1 };
      const time = day + (hash(seed, 333, slot) % cycleDays);
      const cycle = Math.floor(time / cycleDays);
      if (story === 'reworded') return { ...unchanged, story, isReworded: cycle % 2 === 1 };
      return { ...unchanged, story, steps: cycle % sizes, barcodes: story === 'new_gtin' ? cycle : 0 };
    },
  };
}

/** A pack without changes. */
export const unchanged: PackState = { story: null, steps: 0, barcodes: 0, isReworded: false };
const stories: readonly PackStory[] = ['in_place', 'in_place', 'new_gtin', 'reworded', 'reworded'];
/** Number of sizes: full, smaller, smallest, then full again. */
const sizes = 3;
