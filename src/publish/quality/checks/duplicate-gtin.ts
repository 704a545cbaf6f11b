import { blockFrom, defineCheck } from './define-check.ts';

/**
 * SQL: excludes shops' internal barcodes (loose goods), which begin with 02 in 14 digits and do not identify a product.
 */
const isGlobal = `w.gtin not like '02%'`;

/** Finds one barcode on several products of a region: rare after relisting, frequent if a field is misread. */
export const duplicateGtin = defineCheck({
  name: 'duplicate-gtin',
  sql: `
    with repeated as (
      select w.product_id
      from winner w cross join night
      where ${isGlobal} and exists (
        select from winner other where other.gtin = w.gtin and other.product_key <> w.product_key)
      union
      select w.product_id
      from winner w cross join night
      join catalog.product p on p.region = night.region and p.gtin = w.gtin and p.product_key <> w.product_key
      join catalog.product_current h on h.product_key = p.product_key and h.availability in ('available', 'unavailable')
      where ${isGlobal}
        -- Skip changed products that keep their barcode.
        and not exists (select from catalog.product same where same.product_key = w.product_key and same.gtin = w.gtin)
    )
    select count(*)::int as found, (select count(*)::int from winner w where gtin is not null) as total,
           (array_agg(product_id order by product_id))[1:5] as samples
    from repeated`,
  sentence: ({ found, total }) => `${found} of ${total} new or changed products share their barcode with another one`,
  severity: blockFrom(0.2, 20),
});
