import { type Check, defineCheck } from './define-check.ts';

/** If a field is unreadable for this share of the seen products, it was renamed or changed its form. */
const blockingShare = 0.02;
const warningShare = 0.005;
const fewest = 10;

/**
 * Fields of listed products: `[field, whether unreadable values hold the night]`. Barcodes and brands are sometimes odd
 * by nature and never hold a night.
 */
const fields = [
  ['title', true],
  ['price', true],
  ['price.price', true],
  ['isForSale', true],
  ['promotions', true],
  ['gtin', false],
  ['brand', false],
  ['price.unitPrice', false],
] as const;

/** Counts quarantined values of each field, beyond those of the region's previous night. */
export const unreadableFields: readonly Check[] = fields.map(([field, isHolding]) =>
  defineCheck({
    name: `unreadable-${field.replace('.', '-').toLowerCase()}`,
    sql: `
      with quarantined as (
        select q.run_id, count(distinct (q.payload_sha256, q.path))::int as elements,
          (array_agg(distinct q.path))[1:5] as paths
        from ops.quarantine q
        where q.endpoint like '%-category-page' and q.path like '%].${field}'
          and q.run_id in (select run_id from night union all select base_run_id from night)
        group by q.run_id
      )
      select coalesce(this.elements - coalesce(base.elements, 0), 0) as found, coalesce(this.elements, 0) as total,
        this.paths as samples,
        -- A product stands on several pages, and a page may be read again: elements are held against elements.
        (
          select coalesce(sum(items_received), 0)
          from ops.category_page page
          where page.run_id = night.run_id)::int as received
      from night
      left join quarantined this on this.run_id = night.run_id
      left join quarantined base on base.run_id = night.base_run_id`,
    sentence: ({ total, received }) => `${field} could not be read in ${total} of ${received} elements`,
    severity({ found, received }) {
      const elements = Number(received);
      if (found < fewest || found < warningShare * elements) return null;
      return isHolding && found >= blockingShare * elements ? 'block' : 'warn';
    },
  }),
);
