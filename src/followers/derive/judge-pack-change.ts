import type { PackSize } from '../../source/normalise/pack-measure.ts';
import { packSizeFromTitle } from '../../source/normalise/pack-title.ts';
import { fitsUnitPrice } from './fits-unit-price.ts';

/** A product as a night shows it, as far as its pack is concerned. */
export interface PackOnShow {
  readonly title: string;
  readonly gtin: string | null;
  /** What its details list; null when they are not known. */
  readonly listed: PackSize | null;
  readonly priceMinor: number | null;
  readonly unitPrice: number | null;
  readonly unitOfMeasure: string | null;
}

interface PackChange {
  readonly measure: PackSize['measure'];
  readonly oldSize: string;
  readonly newSize: string;
  readonly route: 'in_place' | 'new_gtin';
  /** What says so, the strongest first. */
  readonly evidence: readonly string[];
  /** 0 to 1. */
  readonly score: number;
}

/**
 * Whether a product holds another amount than before: where two of title, details and unit price agree, or one of the
 * first two and a new barcode, which a new content needs. Both sides are read by the same reader; a size that a reader
 * alone sees change has no second source.
 */
export function judgePackChange(before: PackOnShow, after: PackOnShow): PackChange | null {
  const told = sizeChange(before, after);
  if (told === null) return null;
  const { from, to, by } = told;
  const details = sizesOf(before.listed, after.listed);
  const isInDetails = by === 'details' || (details !== null && agrees(details.from, from) && agrees(details.to, to));
  const isPaidFor = fits(before, from) === true && fits(after, to) === true && fits(after, from) !== true;
  const isDenied = fits(after, to) === false;
  const hasNewGtin = before.gtin !== null && after.gtin !== null && before.gtin !== after.gtin;

  const sources = [by === 'title' && 'title', isInDetails && 'details', isPaidFor && 'unit price'].filter(isSaid);
  if (sources.length < 2 && (!hasNewGtin || isDenied)) return null;
  return {
    measure: to.measure,
    oldSize: from.size,
    newSize: to.size,
    route: hasNewGtin ? 'new_gtin' : 'in_place',
    evidence: hasNewGtin ? [...sources, 'gtin'] : sources,
    score: sources.length + Number(hasNewGtin) >= 3 ? 1 : hasNewGtin ? 0.9 : 0.95,
  };
}

/** Two sizes that the title tells, or else the details. */
export function sizeChange(
  before: PackOnShow,
  after: PackOnShow,
): (Sizes & { readonly by: 'title' | 'details' }) | null {
  const titles = sizesOf(packSizeFromTitle(before.title), packSizeFromTitle(after.title));
  if (titles !== null) return { ...titles, by: 'title' };
  const details = sizesOf(before.listed, after.listed);
  return details && { ...details, by: 'details' };
}

interface Sizes {
  readonly from: PackSize;
  readonly to: PackSize;
}

/** Two known sizes in one measure that differ. */
function sizesOf(from: PackSize | null, to: PackSize | null): Sizes | null {
  return from !== null && to !== null && from.measure === to.measure && from.size !== to.size ? { from, to } : null;
}

/** Details may list the pack, or one piece of it. */
function agrees(listed: PackSize, { size, measure, count }: PackSize): boolean {
  if (listed.measure !== measure) return false;
  return listed.size === size || Number(listed.size) * (count ?? 1) === Number(size);
}

const fits = (shown: PackOnShow, { size, measure, count }: PackSize): boolean | null =>
  fitsUnitPrice({ ...shown, size: Number(size), measure, count });

function isSaid(word: string | false): word is string {
  return word !== false;
}
