import { hash } from './hash.ts';
import { generationsPerSlot } from './numbering.ts';
import type { TaxonomyNode } from './taxonomy.ts';

/** Root hash of all lasting attributes of an article, by its number in a slot. */
export function attributesOf(seed: number, slot: number, no: number): number {
  return hash(seed, 601, slot, no);
}

/** Name of the article, independent of its numbers. */
export function goodsOf(region: 'uk' | 'ie', slot: number, no: number): string {
  return `${region}-${slot}-${no}`;
}

/**
 * Number of the article in a slot. Odd slots return after a departure as the same article under a new id. Even slots
 * have several in turn, as many as their shelf has names for; on a crowded shelf they share them.
 */
export function articleNo(leaf: TaxonomyNode, slot: number, generation: number): number {
  const serial = slot % 2 === 0 ? generation % generationsPerSlot : 0;
  const further = furtherOf(leaf);
  return further < 0 ? serial : serial % (further + 1);
}

/** Place of a slot's article in the list of its shelf, between those first in both regions if it is a further one. */
export function placeOf(leaf: TaxonomyNode, slot: number, no: number): number {
  const place = slot - leaf.first;
  if (no === 0 || furtherOf(leaf) < 0) return place + 977 * no;
  return leaf.end - leaf.first + (place >> 1) + halfOf(leaf) * (no - 1);
}

/** Number of further articles for each even slot; negative: fewer than the first ones of both regions. */
function furtherOf(leaf: TaxonomyNode): number {
  return Math.floor((leaf.articles.length - 2 * (leaf.end - leaf.first)) / halfOf(leaf));
}

const halfOf = ({ first, end }: TaxonomyNode): number => Math.ceil((end - first) / 2);
