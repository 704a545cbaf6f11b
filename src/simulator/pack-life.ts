import { happens, hash } from './hash.ts';

/** What happens to the packs of a slot as time goes by; most have no story. */
type PackStory =
  /** The pack shrinks twice and grows back, under its id and its barcode. */
  | 'in_place'
  /** Likewise, each time with a new barcode. */
  | 'new_gtin'
  /** Each time the goods come back under a new id, they come in another pack with another barcode. */
  | 'relaunch'
  /** The title is worded otherwise now and then; the pack stays. */
  | 'reworded'
  /** The unit price is wrong for weeks; the pack stays. */
  | 'mispriced';

export interface PackState {
  readonly story: PackStory | null;
  /** How far the pack has shrunk: 0 is whole. */
  readonly steps: number;
  /** Differs with each barcode that the same goods have had. */
  readonly barcodes: number;
  readonly isReworded: boolean;
  readonly isMispriced: boolean;
}

interface PackLife {
  on(slot: number, generation: number, day: number): PackState;
}

/** So many products have a story that each night something happens to the packs of `packChanges` of all. */
export function createPackLife(seed: number, packChanges: number): PackLife {
  const storied = Math.min(1, packChanges * cycleDays);

  return {
    on(slot, generation, day) {
      const draw = hash(seed, 331, slot);
      if (!happens(storied, draw)) return nothing;
      // Odd slots come back as the same goods under a new id (product.ts).
      const story = slot % 2 === 1 && draw % 5 === 0 ? 'relaunch' : stories[hash(seed, 332, slot) % stories.length]!;
      if (story === 'relaunch')
        return { ...nothing, story, steps: generation % sizes, barcodes: generation, isReworded: generation % 2 === 1 };
      const time = day + (hash(seed, 333, slot) % cycleDays);
      const cycle = Math.floor(time / cycleDays);
      if (story === 'reworded') return { ...nothing, story, isReworded: cycle % 2 === 1 };
      if (story === 'mispriced') return { ...nothing, story, isMispriced: time % cycleDays < mispricedDays };
      return { ...nothing, story, steps: cycle % sizes, barcodes: story === 'new_gtin' ? cycle : 0 };
    },
  };
}

const nothing: PackState = { story: null, steps: 0, barcodes: 0, isReworded: false, isMispriced: false };
const stories: readonly PackStory[] = ['in_place', 'in_place', 'new_gtin', 'reworded', 'mispriced'];
const cycleDays = 60;
const mispricedDays = 20;
/** Whole, smaller, smaller still; then whole again. */
const sizes = 3;
