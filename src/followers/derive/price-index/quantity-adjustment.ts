import type { RegionCode } from '../../../base/model/index.ts';
import type { Transaction } from '../../../db/client.ts';
import { rowsOf } from '../../../db/rows.ts';
import { addEntries, type Entry, entryOf, type Panel } from './panel.ts';

/** A confirmed change of a pack's content, or the relaunch of a product as another one. */
export interface PackChange {
  readonly productKey: number;
  /** Product that it replaced; null if the product itself changed. */
  readonly formerKey: number | null;
  readonly confirmedOn: string;
  /** Old content by new content. */
  readonly ratio: number;
}

/** Changes of a region confirmed up to a date, in order. */
export async function readPackChanges(tx: Transaction, region: RegionCode, until: string): Promise<PackChange[]> {
  return rowsOf<PackChange & Record<string, unknown>>(
    tx,
    `select product_key as "productKey", former_product_key as "formerKey", confirmed_on as "confirmedOn",
       (old_size / new_size)::float8 as ratio
     from derived.pack_change
     where region = $1 and confirmed_on <= $2
     order by confirmed_on, snapshot_date, product_key`,
    [region, until],
  );
}

/**
 * Adds adjusted prices to the panels of nights, which must be given in order. From the night that confirms a change,
 * the product's price is converted to the content that the pack held at first; a relaunched product continues the one
 * it replaced. Only changes confirmed by then count, so results do not depend on when a night is derived.
 */
export function createQuantityAdjustment(changes: readonly PackChange[]): (date: string, night: Panel) => Panel {
  const known = new Map<number, { readonly item: number; readonly factor: number }>();
  let done = 0;
  return (date, night) => {
    for (; done < changes.length && changes[done]!.confirmedOn <= date; done++) {
      const { productKey, formerKey, ratio } = changes[done]!;
      const { item, factor } = known.get(formerKey ?? productKey) ?? { item: formerKey ?? productKey, factor: 1 };
      known.set(productKey, { item, factor: factor * ratio });
    }
    const adjusted = new Map<number, Entry>();
    for (const [key, { item, factor }] of known) {
      const entry = entryOf(night, key);
      if (!entry) continue;
      const own = known.has(item) ? undefined : entryOf(night, item);
      const converted = { ...entry, shelf: entry.shelf * factor, member: entry.member * factor };
      adjusted.set(item, addEntries(adjusted.get(item) ?? own, converted));
      if (item !== key && !adjusted.has(key)) adjusted.set(key, { ...entry, nights: 0, shelf: 0, member: 0 });
    }
    return { ...night, adjusted };
  };
}
