import { readFileSync } from 'node:fs';
import type { Queryable } from '../db/client.ts';

/** SQL files of a publication in dependency order; each is named for its step. */
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

/** SQL files of the release of a partial run. */
export const releasing = ['released-absence', 'absence', 'released-change', 'product-current'] as const;

type File = 'winner' | (typeof merging)[number] | (typeof releasing)[number];

const texts = new Map<File, string>();

/** Runs SQL files of this folder in a transaction prepared by `openNight`. */
export async function runFiles(tx: Queryable, ...files: readonly File[]): Promise<void> {
  for (const file of files) {
    if (!texts.has(file)) texts.set(file, readFileSync(new URL(`${file}.sql`, import.meta.url), 'utf8'));
    await tx.query(texts.get(file)!);
  }
}
