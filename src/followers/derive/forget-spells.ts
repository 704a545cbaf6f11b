import type { RegionCode } from '../../base/model/index.ts';
import type { Askable } from '../../db/client.ts';

/**
 * Takes back what nights of a date and later ones said of a region's products: spells that began with them go, those
 * that ended go on.
 */
export async function forgetSpells(
  tx: Askable,
  table: 'derived.pack_size' | 'derived.unit_price_mistake',
  region: RegionCode,
  from: string,
): Promise<void> {
  await tx.query(
    `delete from ${table} s
     using catalog.product p
     where p.product_key = s.product_key and p.region = $1 and s.valid_from >= $2`,
    [region, from],
  );
  await tx.query(
    `update ${table} s
     set valid_to = null
     from catalog.product p
     where p.product_key = s.product_key and p.region = $1 and s.valid_to >= $2`,
    [region, from],
  );
}
