import type { Invariant } from '../../../src/followers/audits/invariants.ts';

interface History {
  readonly table: string;
  /** Columns that identify one history. */
  readonly key: string;
  /** Columns of the value; null: the row itself is the value. */
  readonly says: string | null;
}

/** All columns of which a change makes a new version of a product. */
const versioned = 'tpnb, gtin, title, brand, image_url, seller, catch_weight_grams, charges, deposit_minor';

const histories: readonly History[] = [
  { table: 'price_spell', key: 'product_key', says: 'price_minor, unit_price, unit_of_measure' },
  { table: 'availability_spell', key: 'product_key', says: 'availability' },
  { table: 'offer_spell', key: 'product_key', says: 'loyalty_price_minor' },
  { table: 'product_history', key: 'product_key', says: versioned },
  { table: 'product_detail', key: 'product_key', says: 'detail_hash' },
  { table: 'product_promotion', key: 'product_key, promotion_key', says: null },
  { table: 'leaf_spell', key: 'product_key', says: 'leaf_key' },
  { table: 'extra_listing', key: 'product_key, category_key', says: null },
];

/** Each history: valid intervals in sequence, with changing values, that begin and end at runs. */
export const historyInvariants: readonly Invariant[] = [
  ...histories.flatMap(promisesOf),
  // Current values of other histories are in `catalog.product` and `catalog.product_current`.
  ...histories.filter(({ table }) => !/_(history|spell)$/.test(table)).map(oneOpenRow),
];

function promisesOf({ table, key, says }: History): Invariant[] {
  const rows = `catalog.${table}`;
  const order = `window w as (partition by ${key} order by valid_from)`;
  const same = says === null ? 'true' : `(${says}) is not distinct from (${ahead(says)})`;
  return [
    {
      says: `${table}: no two intervals overlap`,
      sql: `select * from (
              select ${key}, valid_from, valid_to, lead(valid_from) over w as next_from from ${rows} ${order}
            ) as h where coalesce(valid_to, 'infinity') > next_from`,
    },
    {
      says: `${table}: no two intervals in a row say the same`,
      sql: `select * from (
              select ${key}, valid_from, valid_to = lead(valid_from) over w as touch, ${same} as is_same
              from ${rows} ${order}
            ) as h where touch and is_same`,
    },
    {
      says: `${table}: intervals begin and end at the instant of a published run of the product's region`,
      sql: `select p.region, h.instant, count(*) from (
              select product_key, valid_from as instant from ${rows}
              union all
              select product_key, valid_to from ${rows} where valid_to is not null
            ) as h
            join catalog.product p using (product_key)
            where not exists (
              select from ops.published_run r where r.region = p.region and r.observed_at = h.instant)
            group by p.region, h.instant`,
    },
  ];
}

function oneOpenRow({ table, key }: History): Invariant {
  return {
    says: `${table}: a product has at most one open row`,
    sql: `select ${key} from catalog.${table} where valid_to is null group by ${key} having count(*) > 1`,
  };
}

function ahead(columns: string): string {
  return columns
    .split(', ')
    .map((column) => `lead(${column}) over w`)
    .join(', ');
}
