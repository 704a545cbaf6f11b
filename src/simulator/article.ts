import { hash } from './hash.ts';
import { generationsPerSlot } from './numbering.ts';
import type { TaxonomyNode } from './taxonomy.ts';

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

/**
 * Place of a slot's article in the list of its shelf. The first ones of both regions stand at its ends; between them
 * each even slot has as many of its own as there is room for.
 */
export function placeOf({ first, end, articles }: TaxonomyNode, slot: number, generation: number): number {
  const no = articleNo(slot, generation);
  const half = Math.ceil((end - first) / 2);
  const own = Math.floor((articles.length - 2 * (end - first)) / half);
  if (own < 0) return slot - first + 977 * no;
  const turn = no % (own + 1);
  return turn === 0 ? slot - first : end - first + ((slot - first) >> 1) + half * (turn - 1);
}

/** Number of the article in a slot; even slots change the article with each generation. */
function articleNo(slot: number, generation: number): number {
  return slot % 2 === 0 ? generation % generationsPerSlot : 0;
}
