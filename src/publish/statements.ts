import { readFileSync } from 'node:fs';
import type { Askable } from '../db/client.ts';

/**
 * The files of a publication's SQL, in the order in which they build on one another; each is named for what it writes.
 */
export const merging = [
  'product',
  'promotion',
  'offer',
  'category',
  'category-ancestor',
  'category-gone',
  'product-category',
  'product-detail',
  'product-of-details',
  'availability',
  'absence',
  'change',
  'product-current',
  'product-new',
  'shown-price',
  'content-hash',
] as const;

/** What the release of a published partial run writes. */
export const releasing = ['released-absence', 'absence', 'released-change', 'product-current'] as const;

type File = 'winner' | (typeof merging)[number] | (typeof releasing)[number];

const texts = new Map<File, string>();

/** Runs files of this folder in a transaction in which `openNight` made their temporary tables. */
export async function runFiles(tx: Askable, ...files: readonly File[]): Promise<void> {
  for (const file of files) {
    if (!texts.has(file)) texts.set(file, readFileSync(new URL(`${file}.sql`, import.meta.url), 'utf8'));
    await tx.query(texts.get(file)!);
  }
}
