import type { RegionCode } from '../../../base/model/index.ts';
import type { Transaction } from '../../../db/client.ts';
import { camelRows } from '../../../db/rows.ts';
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

/**
 * Changes of a region confirmed up to a date, in order. A relaunch that only the name shows is a guess
 * (docs/analyse/pack-changes.md), so it counts only with an equal base product number.
 */
export const readPackChanges = (tx: Transaction, region: RegionCode, until: string): Promise<PackChange[]> =>
  camelRows<PackChange>(
    tx,
    `select product_key, former_product_key as former_key, confirmed_on,
       (old_size / new_size)::float8 as ratio
     from derived.pack_change
     where region = $1 and confirmed_on <= $2
       and (former_product_key is null or 'tpnb' = any (string_to_array(evidence, ', ')))
     order by confirmed_on, snapshot_date, product_key`,
    [region, until],
  );

/**
 * Adds adjusted prices to the panel of a night. From the night that confirms a change, the product's price is converted
 * to the content that the pack held at first; a relaunched product continues the one it replaced. Only changes
 * confirmed by then count, so results do not depend on when a night is derived.
 */
export function adjustQuantities(changes: readonly PackChange[], date: string, night: Panel): Panel {
  const known = new Map<number, { readonly item: number; readonly factor: number }>();
  for (const { productKey, formerKey, ratio, confirmedOn } of changes) {
    if (confirmedOn > date) break;
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
}
