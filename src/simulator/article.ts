import { hash } from './hash.ts';
import { generationsPerSlot } from './numbering.ts';

/**
 * Root hash of all lasting attributes of a product. Half of the slots return after a departure as the same article
 * under a new id.
 */
export function attributesOf(seed: number, slot: number, generation: number): number {
  return hash(seed, 601, slot, articleNo(slot, generation));
}

/** Name of the article, independent of its numbers. */
export function goodsOf(region: 'uk' | 'ie', slot: number, generation: number): string {
  return `${region}-${slot}-${articleNo(slot, generation)}`;
}

/** Place of a slot's article in the list of its shelf; `position` is the place of the slot's first article. */
export function placeOf(position: number, slot: number, generation: number): number {
  return position + stride * articleNo(slot, generation);
}

/** Keeps a new article away from those of its neighbours. */
const stride = 977;

/** Number of the article in a slot; even slots change the article with each generation. */
function articleNo(slot: number, generation: number): number {
  return slot % 2 === 0 ? generation % generationsPerSlot : 0;
}
