import type { Database, Queryable } from '../../db/client.ts';
import { rowsOf } from '../../db/rows.ts';

/** A property of the database that holds after any crash of processes, servers or the upstream. */
export interface Invariant {
  /** One sentence that states the property. */
  readonly says: string;
  /** Query of violating rows. */
  readonly sql: string;
}

export interface Violation extends Pick<Invariant, 'says'> {
  readonly found: number;
  /** Some of the violating rows as JSON. */
  readonly samples: readonly string[];
}

/** Tables of intervals by the columns that identify one history. */
const histories: Readonly<Record<string, string>> = {
  price_spell: 'product_key',
  availability_spell: 'product_key',
  offer_spell: 'product_key',
  product_history: 'product_key',
  product_detail: 'product_key',
  product_promotion: 'product_key, promotion_key',
  leaf_spell: 'product_key',
  extra_listing: 'product_key, category_key',
};

const ofHistories = (select: (table: string, key: string) => string): string =>
  Object.entries(histories)
    .map(([table, key]) => select(table, key))
    .join(' union all ');

/** Last published runs per region with archived payloads; older payloads may have been deleted. */
const lastArchived = `(
  select distinct on (region) run_id from ops.published_run r
  where run_id in (select run_id from ops.payload)
  order by region, observed_at desc)`;

/** What `doctor --data` checks; test/support/invariants has more. */
export const invariants: readonly Invariant[] = [
  {
    says: 'intervals of a history begin before they end and do not overlap',
    sql: ofHistories(
      (table, key) => `
          select * from (
            select '${table}' as history, product_key, valid_from, valid_to,
              lead(valid_from) over (partition by ${key} order by valid_from) as next_from
            from catalog.${table}
          ) as h where valid_to <= valid_from or coalesce(valid_to, 'infinity') > next_from`,
    ),
  },
  {
    says: 'intervals of a history begin and end at the instant of a published run of the region',
    sql: ofHistories(
      (table) => `
          select '${table}' as history, p.region, h.instant, count(*) from (
            select product_key, valid_from as instant from catalog.${table}
            union all
            select product_key, valid_to from catalog.${table} where valid_to is not null
          ) as h
          join catalog.product p using (product_key)
          where not exists (select from ops.published_run r where r.region = p.region and r.observed_at = h.instant)
          group by p.region, h.instant`,
    ),
  },
  {
    says: 'of every product it is known what it is now, and only of products',
    sql: `select product_key, p.region, product_id from catalog.product p
          full join catalog.product_current c using (product_key)
          where p.product_key is null or c.product_key is null`,
  },
  {
    says: 'prices and availability are known without a gap since the product was first seen',
    sql: `select product_key, table_name, first_seen_at from catalog.product p
          cross join lateral (
            select 'price_spell' as table_name, min(valid_from) as since, bool_or(is_gap) as has_gap from (
              select valid_from, valid_to <> lead(valid_from) over (order by valid_from) as is_gap
              from catalog.price_spell h where h.product_key = p.product_key) as h
            union all
            select 'availability_spell', min(valid_from), bool_or(is_gap) from (
              select valid_from, valid_to <> lead(valid_from) over (order by valid_from) as is_gap
              from catalog.availability_spell h where h.product_key = p.product_key) as h
          ) as known
          where since is distinct from first_seen_at or has_gap`,
  },
  {
    says: "a product's availability and its flag for sale agree while it is listed",
    sql: `select product_key, availability, is_for_sale
          from catalog.product_current c
          join catalog.product p using (product_key)
          where availability in ('available', 'unavailable') and (availability = 'available') <> is_for_sale`,
  },
  {
    says: 'prices are whole, positive pence or cents, and unit prices positive numbers',
    sql: `select product_key, valid_from, price_minor, unit_price from catalog.price_spell
          where price_minor <= 0 or unit_price <= 0 or unit_price = 'NaN' or unit_price = 'Infinity'`,
  },
  {
    says: 'every published run has its certificate, and the same verdict in both places',
    sql: `select r.run_id, r.verdict, c.verdict as certificate
          from ops.published_run r left join ops.certificate c using (run_id)
          where c.verdict is distinct from r.verdict`,
  },
  {
    says: 'products become absent or delisted in certified runs only',
    sql: `select r.run_id, h.availability, count(*) from catalog.availability_spell h
          join catalog.product p using (product_key)
          join ops.run r on r.region = p.region and r.observed_at = h.valid_from
          where h.availability in ('absent', 'delisted') and r.verdict = 'partial'
            and h.valid_from is distinct from p.replaced_at
          group by r.run_id, h.availability`,
  },
  {
    says: "the last run's figures are what the catalogue holds",
    sql: `select run_id, products_listed, products_available, listed, available from (
            select distinct on (region) * from ops.published_run order by region, observed_at desc) as r
          cross join lateral (
            select count(*) as listed, count(*) filter (where availability = 'available') as available
            from catalog.product_current c join catalog.product p using (product_key)
            where p.region = r.region and c.availability in ('available', 'unavailable')) as l
          where products_listed is distinct from listed or products_available is distinct from available`,
  },
  {
    says: 'runs of a region go forward in time',
    sql: `select * from (
            select run_id, region, snapshot_date, observed_at, lag(observed_at) over w as before,
              lag(snapshot_date) over w as night_before
            from ops.run where status not in ('abandoned', 'expired')
              window w as (partition by region order by run_id)) as r
          where observed_at <= before or snapshot_date < night_before`,
  },
  {
    says: "every page of the last night was archived before it was read, and its body's place is known",
    sql: `select p.run_id, p.category_no, p.page_no from ops.category_page p
          where p.run_id in ${lastArchived} and p.status = 'done'
            and (p.run_id, p.payload_sha256) not in (
              select run_id, sha256 from ops.payload y where y.run_id in ${lastArchived})`,
  },
  {
    says: 'no more requests have an outcome than were sent',
    sql: `select listing, endpoint, region, run_id, hour, sent, settled
          from ops.spend
          cross join lateral (select ok + failed + refused + rate_limited + quota + denied + aborted as settled) as sum
          where sent < settled`,
  },
];

/** Violated invariants, read from one snapshot without writing. */
export async function checkInvariants(db: Database, checked = invariants): Promise<Violation[]> {
  return db.tx(
    async (tx) => {
      // Window functions over whole histories would exceed the default of 4 MB and use temporary files.
      await tx.query(`set local work_mem = '64MB'`);
      return findViolations(tx, checked);
    },
    { isolation: 'repeatable read', readOnly: true },
  );
}

/** Invariants violated in a transaction's snapshot. */
export async function findViolations(sql: Queryable, checked: readonly Invariant[]): Promise<Violation[]> {
  const violations: Violation[] = [];
  for (const { says, sql: broken } of checked) {
    const rows = await rowsOf<{ found: number; sample: string }>(
      sql,
      `with broken as materialized (${broken})
       select (select count(*) from broken) as found, row_to_json(broken)::text as sample
       from broken limit 3`,
    );
    if (rows.length > 0) violations.push({ says, found: rows[0]!.found, samples: rows.map(({ sample }) => sample) });
  }
  return violations;
}
