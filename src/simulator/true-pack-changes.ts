import { dateOf } from './calendar.ts';
import type { Catalogue } from './catalogue.ts';
import type { Pack } from './pack.ts';
import type { Product } from './product.ts';

/** A change of an article's pack content. */
export interface TruePackChange {
  /** First day with the new pack. */
  readonly date: string;
  readonly route: 'in_place' | 'new_gtin' | 'relaunch';
  readonly productId: string;
  /** Null unless the article returned under another id. */
  readonly formerProductId: string | null;
  readonly oldAmount: number;
  readonly newAmount: number;
  readonly unit: Pack['unit'];
}

/** Changes on days after the first, up to the last; reads the whole catalogue of each day. */
export function* truePackChanges(catalogue: Catalogue, first: number, last: number): Generator<TruePackChange> {
  const known = new Map<number, Product>();
  for (let day = first; day <= last; day += 1) {
    for (const slot of catalogue.present(day)) {
      const now = catalogue.product(slot, day);
      const before = known.get(slot);
      known.set(slot, now);
      const change = before && changeOf(before, now);
      if (change) yield { date: dateOf(day), ...change };
    }
  }
}

function changeOf(before: Product, now: Product): Omit<TruePackChange, 'date'> | null {
  // Another article in the slot is not a pack change.
  if (before.attributes !== now.attributes || before.pack.amount === now.pack.amount) return null;
  const isOther = before.productId !== now.productId;
  return {
    route: isOther ? 'relaunch' : before.gtin === now.gtin ? 'in_place' : 'new_gtin',
    productId: now.productId,
    formerProductId: isOther ? before.productId : null,
    oldAmount: before.pack.amount,
    newAmount: now.pack.amount,
    unit: now.pack.unit,
  };
}
