import type { PackSize } from '../../source/normalise/pack-measure.ts';
import type { CertifiedNight } from './derivation.ts';

/** The certified nights that a change is seen by. */
export interface Shown {
  readonly region: string;
  /** The second night before it was seen: sources do not all change at once. */
  readonly earlier: CertifiedNight;
  readonly before: CertifiedNight;
  readonly seen: CertifiedNight;
  readonly confirmed: CertifiedNight;
}

/** A change of a pack that is certain. */
export interface ConfirmedChange {
  readonly productKey: number;
  readonly formerKey: number | null;
  readonly changedAt: Date;
  readonly route: string;
  readonly measure: PackSize['measure'];
  readonly oldSize: string;
  readonly newSize: string;
  readonly oldPriceMinor: number | null;
  readonly newPriceMinor: number | null;
  readonly evidence: readonly string[];
  readonly score: number;
}

/** SQL: whether a product is listed at an instant. */
export const isListedAt = (product: string, instant: string) => `exists (
  select from catalog.availability_spell a
  where a.product_key = ${product} and a.availability in ('available', 'unavailable')
    and a.valid_from <= ${instant} and (a.valid_to is null or a.valid_to > ${instant}))`;
