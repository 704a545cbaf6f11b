import type { PackSize } from '../../source/normalise/pack-measure.ts';
import { readPackTitle } from '../../source/normalise/pack-title.ts';

/** A departed and an arrived product with the same brand and category. */
export interface Succession {
  readonly formerTitle: string;
  readonly title: string;
  readonly formerGtin: string | null;
  readonly gtin: string | null;
  readonly isSameTpnb: boolean;
  /** Days between the departed product's last night and the arrived product's first, in either order. */
  readonly days: number;
}

export interface JudgedRelaunch {
  readonly measure: PackSize['measure'];
  readonly oldSize: string;
  readonly newSize: string;
  readonly evidence: readonly string[];
  /** 0 to 1: similarity of the names, reduced by the days between. */
  readonly score: number;
}

/** Maximum number of days between departure and arrival. */
export const relaunchDays = 35;

/** Minimum score of a relaunch. */
const leastScore = 0.7;

/**
 * Whether an arrived product is a departed one in another pack: nearly equal names without sizes, different content in
 * the same measure, and different barcodes, because new content requires a new barcode. Half or double the content is
 * another pack size of the same range.
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

/** Dice coefficient of the words of two names: 1 for equal sets of words. */
function likenessOf(one: string, other: string): number {
  const words = new Set(one.split(' '));
  const others = new Set(other.split(' '));
  const shared = [...words].filter((word) => others.has(word)).length;
  return (2 * shared) / (words.size + others.size);
}
