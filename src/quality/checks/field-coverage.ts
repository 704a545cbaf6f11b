import { type Check, defineCheck } from './define-check.ts';

const fields = ['gtin', 'brand', 'tpnb', 'image_url', 'price_minor', 'unit_price', 'promotion'] as const;

/** Losing a field for this share of the listed products is no chance: it was renamed, or its form changed. */
const blockingShare = 0.05;
const warningShare = 0.005;
/** So few lose a field on any night. */
const fewest = 10;

const kept: Readonly<Record<(typeof fields)[number], string>> = {
  gtin: 'p.gtin is not null',
  brand: 'p.brand is not null',
  tpnb: 'p.tpnb is not null',
  image_url: 'p.image_url is not null',
  price_minor: 'h.price_minor is not null',
  unit_price: 'h.unit_price is not null',
  promotion: `exists (select from catalog.product_promotion pp where pp.product_key = p.product_key and pp.valid_to is null)`,
};

const lacks = (field: (typeof fields)[number]) =>
  field === 'promotion' ? 'w.promotion_hashes is null' : `w.${field} is null`;
const lost = (field: (typeof fields)[number]) => `${kept[field]} and ${lacks(field)}`;

/** What a share of all promotions ends on an ordinary night is no loss of the field: none is left at all. */
const promotionsGone = `count(*) filter (where w.promotion_hashes is not null) = 0`;

/** Fields that products had and have no more, each against all that are listed: catches a field that was renamed upstream. */
export const fieldCoverage: readonly Check[] = fields.map((field) =>
  defineCheck({
    name: `coverage-${field.replace('_minor', '').replaceAll('_', '-')}`,
    sql: `
      select (count(*) filter (where ${lost(field)}))::int as found,
             greatest(coalesce((
               select r.products_listed from ops.run r cross join night
               where r.region = night.region and r.status = 'published' and r.observed_at < night.observed_at
               order by r.observed_at desc limit 1), 0), count(*))::int as total,
             (array_agg(w.product_id order by w.product_id) filter (where ${lost(field)}))[1:5] as samples,
             ${field === 'promotion' ? promotionsGone : 'true'} as is_gone
      from winner w
      join catalog.product p using (product_key)
      join catalog.price_history h on h.product_key = w.product_key and h.valid_to is null
      where not w.is_new`,
    sentence: ({ found, total }) =>
      `${found} of ${total} listed products lost their ${field.replace('_minor', '').replaceAll('_', ' ')}`,
    severity({ found, total, ...answer }) {
      if (found < fewest || found < warningShare * total || answer['is_gone'] === false) return null;
      return found >= blockingShare * total ? 'block' : 'warn';
    },
  }),
);
