import type { PackSize } from '../../source/normalise/pack-measure.ts';
import { readPackTitle } from '../../source/normalise/pack-title.ts';

/** A product that left and one that arrived, of the same brand and category. */
export interface Succession {
  readonly formerTitle: string;
  readonly title: string;
  readonly formerGtin: string | null;
  readonly gtin: string | null;
  readonly isSameTpnb: boolean;
  /** Between the last night of the one and the first of the other, whichever came first. */
  readonly days: number;
}

export interface JudgedRelaunch {
  readonly measure: PackSize['measure'];
  readonly oldSize: string;
  readonly newSize: string;
  readonly evidence: readonly string[];
  /** 0 to 1: how alike the names are, less for the days between. */
  readonly score: number;
}

/** The longest time between leaving and arriving, in days. */
export const relaunchDays = 35;

/** Below this a succession is two products that have little to do with each other. */
const leastScore = 0.7;

/**
 * Whether a product that arrived is one that left in another pack: a name that is nearly the same without its size,
 * another content in the same measure, and not the same barcode, for a new content needs a new one. Half or double the
 * content is another pack on the same shelf.
 */
export function judgeRelaunch(succession: Succession): JudgedRelaunch | null {
  const former = readPackTitle(succession.formerTitle);
  const now = readPackTitle(succession.title);
  if (former.size === null || now.size === null || former.size.measure !== now.size.measure) return null;
  if (succession.gtin !== null && succession.gtin === succession.formerGtin) return null;
  const ratio = Number(now.size.size) / Number(former.size.size);
  if (ratio === 1 || ratio <= 0.5 || ratio >= 2) return null;
  const likeness = likenessOf(former.name, now.name);
  const score = succession.isSameTpnb
    ? 1
    : Math.round(likeness * (1 - (0.2 * succession.days) / relaunchDays) * 100) / 100;
  if (score < leastScore) return null;
  const hasBarcodes = succession.gtin !== null && succession.formerGtin !== null;
  return {
    measure: now.size.measure,
    oldSize: former.size.size,
    newSize: now.size.size,
    evidence: ['title', ...(succession.isSameTpnb ? ['tpnb'] : []), ...(hasBarcodes ? ['gtin'] : [])],
    score,
  };
}

/** Dice's coefficient of the words of two names: 1 when they are the same words, in whatever order. */
function likenessOf(one: string, other: string): number {
  const words = new Set(one.split(' '));
  const others = new Set(other.split(' '));
  const shared = [...words].filter((word) => others.has(word)).length;
  return (2 * shared) / (words.size + others.size);
}
