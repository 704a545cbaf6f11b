import { hash } from './hash.ts';
import { generationsPerSlot } from './numbering.ts';

/**
 * Everything that lasts about a product starts here. Half of what comes back after a departure is the same article
 * under a new id.
 */
export function attributesOf(seed: number, slot: number, generation: number): number {
  return hash(seed, 601, slot, articleNo(slot, generation));
}

/** A name for the article itself, whatever its numbers. */
export function goodsOf(region: 'uk' | 'ie', slot: number, generation: number): string {
  return `${region}-${slot}-${articleNo(slot, generation)}`;
}

/** As often another one as its numbers are. */
function articleNo(slot: number, generation: number): number {
  return slot % 2 === 0 ? generation % generationsPerSlot : 0;
}
