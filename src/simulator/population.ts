import { happens, hash } from './hash.ts';
import type { Behaviour, CatalogueOptions } from './settings.ts';

/** Presence of products over time. */
export function createPopulation(
  seed: number,
  { dailyTurnover, flicker }: CatalogueOptions,
  range: Readonly<Pick<Behaviour, 'withdrawn'>>,
) {
  // Each turning slot has one arrival and one departure per cycle, which gives `dailyTurnover` per day.
  const turning = Math.min(1, dailyTurnover * cycleDays);
  const isTurning = (slot: number) => happens(turning, hash(seed, 511, slot));
  const timeOf = (slot: number, day: number) => day + (hash(seed, 512, slot) % cycleDays);

  return {
    /** Generation in a slot on a day; null if empty. Most slots keep one product. */
    generationOn(slot: number, day: number): number | null {
      if (!isTurning(slot)) return 0;
      const time = timeOf(slot, day);
      return time % cycleDays < presentDays ? Math.floor(time / cycleDays) : null;
    },
    /** Days until a product leaves for good, if it is cleared before; infinite if not. */
    daysToClear: (slot: number, day: number) =>
      slot % 4 === 0 && isTurning(slot) ? presentDays - (timeOf(slot, day) % cycleDays) : Number.POSITIVE_INFINITY,
    /** Most recent generation of a slot on or before a day, also if the slot is empty on that day. */
    latestGeneration: (slot: number, day: number) => (isTurning(slot) ? Math.floor(timeOf(slot, day) / cycleDays) : 0),
    /** Whether a product is missing for a day or two and returns under the same id. */
    isMissing(slot: number, day: number): boolean {
      // A third of them are missing for a second day.
      return happens(flicker, hash(seed, 513, slot, day)) || happens(flicker / 3, hash(seed, 513, slot, day - 1));
    },
    /** Whether a product is removed from the range by `withdrawn`, independent of the day. */
    isWithdrawn: (slot: number) => range.withdrawn > 0 && happens(range.withdrawn, hash(seed, 514, slot)),
  };
}

const cycleDays = 40;
const presentDays = 36;
