import { happens, hash } from './hash.ts';
import type { Behaviour, CatalogueOptions } from './settings.ts';

/** Who is in the catalogue when. */
interface Population {
  /** Which product has the slot on a day; null when nobody has. Most slots have one product for ever. */
  generationOn(slot: number, day: number): number | null;
  /** The last one that has had the slot by a day. */
  latestGeneration(slot: number, day: number): number;
  /** Out of the catalogue for a day or two, back after that under the same id. */
  isMissing(slot: number, day: number): boolean;
  /** Taken out of the range, whatever the day: as long as `withdrawn` says so. */
  isWithdrawn(slot: number): boolean;
}

export function createPopulation(
  seed: number,
  { dailyTurnover, flicker }: CatalogueOptions,
  range: Readonly<Pick<Behaviour, 'withdrawn'>>,
): Population {
  // One arrival and one departure per slot and cycle: so many slots turn over that `dailyTurnover` of all do on a day.
  const turning = Math.min(1, dailyTurnover * cycleDays);
  const isTurning = (slot: number) => happens(turning, hash(seed, 511, slot));
  const timeOf = (slot: number, day: number) => day + (hash(seed, 512, slot) % cycleDays);

  return {
    generationOn(slot, day) {
      if (!isTurning(slot)) return 0;
      const time = timeOf(slot, day);
      return time % cycleDays < presentDays ? Math.floor(time / cycleDays) : null;
    },
    latestGeneration: (slot, day) => (isTurning(slot) ? Math.floor(timeOf(slot, day) / cycleDays) : 0),
    isMissing(slot, day) {
      if (flicker === 0) return false;
      // A third of them stay away for a second day.
      return happens(flicker, hash(seed, 513, slot, day)) || happens(flicker / 3, hash(seed, 513, slot, day - 1));
    },
    isWithdrawn: (slot) => range.withdrawn > 0 && happens(range.withdrawn, hash(seed, 514, slot)),
  };
}

const cycleDays = 40;
const presentDays = 36;
