import { type Check, defineCheck } from './define-check.ts';

/** If this share of the listed products loses a field, the field was renamed or changed its form. */
const blockingShare = 0.05;
const warningShare = 0.005;
/** Minimum number of products; a few lose a field every night. */
const fewest = 10;

const fields = ['gtin', 'brand', 'tpnb', 'image_url', 'price_minor', 'unit_price'] as const;

/** Finds fields that products have lost, each compared with all listed products: catches fields renamed upstream. */
export const fieldCoverage: readonly Check[] = fields.map((field) => {
  const name = field.replace(/_(minor|url)$/, '').replaceAll('_', ' ');
  const isLost = `former.${field} is not null and w.${field} is null`;
  return defineCheck({
    name: `lost-${name.replaceAll(' ', '-')}`,
    sql: `
      select (count(*) filter (where ${isLost}))::int as found,
             greatest(coalesce((
               select r.products_listed from ops.published_run r cross join night
               where r.region = night.region and r.observed_at < night.observed_at
               order by r.observed_at desc limit 1), 0), count(*))::int as total,
             (array_agg(w.product_id order by w.product_id) filter (where ${isLost}))[1:5] as samples
      from winner w
      join former using (product_key)`,
    sentence: ({ found, total }) => `${found} of ${total} listed products lost their ${name}`,
    severity({ found, total }) {
      if (found < fewest || found < warningShare * total) return null;
      return found >= blockingShare * total ? 'block' : 'warn';
    },
  });
});
