import type { Night } from './nights.ts';

type Decimal = `DECIMAL(${number},${number})`;

/** A Parquet column. Amounts are exact: unit prices may have 15 digits on either side of the point. */
export interface Column {
  readonly name: string;
  readonly type: 'VARCHAR' | 'BOOLEAN' | 'SMALLINT' | 'INTEGER' | 'DATE' | 'TIMESTAMPTZ' | Decimal;
}

/** One kind of file of a night. */
export interface Dataset {
  readonly name: DatasetName;
  readonly columns: readonly Column[];
  /** SQL for COPY: rows of the night in deterministic order. */
  select(night: Night): string;
}

export type DatasetName = 'products' | 'promotions' | 'price_changes' | 'prices';

/** Increased when a column is added, removed or changes its meaning. */
export const schemaVersion = 5;

/** Names of folders instead of columns of the files. */
export const partitionColumns: readonly Column[] = [
  { name: 'region', type: 'VARCHAR' },
  { name: 'snapshot_date', type: 'DATE' },
];

const columnsOf = (type: Column['type'], ...names: readonly string[]): Column[] =>
  names.map((name) => ({ name, type }));

const keyColumns: readonly Column[] = [...columnsOf('VARCHAR', 'product_id'), ...columnsOf('INTEGER', 'product_key')];

/** In the order of commits: what is joined to `prices` is there before them. */
export const datasets: readonly Dataset[] = [
  {
    name: 'products',
    columns: [
      ...keyColumns,
      ...columnsOf('VARCHAR', 'tpnb', 'gtin', 'title', 'brand', 'image_url', 'categories'),
      ...columnsOf('TIMESTAMPTZ', 'first_seen_at'),
      ...columnsOf('VARCHAR', 'description', 'ingredients', 'allergens'),
      ...columnsOf('DECIMAL(38,15)', 'pack_size'),
      ...columnsOf('VARCHAR', 'pack_measure'),
      ...columnsOf('SMALLINT', 'pack_count'),
      ...columnsOf('VARCHAR', 'storage', 'product_type', 'status'),
    ],
    // As they were on the night: dim_product has current values. Pack sizes come from the details.
    select: ({ region, observedAt }) => `
      select p.product_id, p.product_key, ${['tpnb', 'gtin', 'title', 'brand', 'image_url'].map(asOfNight).join(', ')},
        categories.paths, ${instant('p.first_seen_at')}, detail.description, detail.ingredients,
        array_to_string(detail.allergens, ', '), detail.pack_size, detail.pack_measure, detail.pack_count,
        detail.storage, detail.product_type, detail.status
      from catalog.product p
      join catalog.availability_spell listed
        on listed.product_key = p.product_key and ${isOpen('listed', observedAt)}
        and listed.availability in ('available', 'unavailable')
      left join catalog.product_history former
        on former.product_key = p.product_key and ${isOpen('former', observedAt)}
      left join catalog.product_detail detail
        on detail.product_key = p.product_key and ${isOpen('detail', observedAt)}
      left join (
        select pc.product_key, string_agg(c.path, ' | ' order by pc.category_key) as paths
        from catalog.product_category pc
        join catalog.category c on c.category_key = pc.category_key
        where c.region = '${region}' and ${isOpen('pc', observedAt)}
        group by pc.product_key
      ) as categories on categories.product_key = p.product_key
      where p.region = '${region}'
      order by p.product_id collate "C", p.product_key`,
  },
  {
    name: 'promotions',
    columns: [
      ...keyColumns,
      ...columnsOf('VARCHAR', 'description', 'offer_type', 'kind'),
      ...columnsOf('DECIMAL(12,2)', 'loyalty_price'),
      ...columnsOf('VARCHAR', 'currency'),
      ...columnsOf('TIMESTAMPTZ', 'starts_at', 'ends_at', 'seen_from'),
    ],
    // Promotions behind `on_promotion`. The end of a spell is unknown on the night itself.
    select: ({ region, observedAt }) => `
      select o.product_id, o.product_key, o.description, o.offer_type, o.kind, o.loyalty_price, o.currency,
        ${instant('o.starts_at')}, ${instant('o.ends_at')}, ${instant('o.seen_from')}
      from marts.fct_promotion o
      join catalog.availability_spell listed
        on listed.product_key = o.product_key and ${isOpen('listed', observedAt)}
        and listed.availability in ('available', 'unavailable')
      where o.region = '${region}'
        and o.seen_from <= '${observedAt}' and (o.seen_to is null or o.seen_to > '${observedAt}')
        and (o.starts_at is null or o.starts_at <= '${observedAt}')
        and (o.ends_at is null or o.ends_at > '${observedAt}')
      order by o.product_id collate "C", o.description collate "C", o.offer_type collate "C", o.starts_at, o.ends_at,
        o.seen_from`,
  },
  {
    name: 'price_changes',
    columns: [
      ...keyColumns,
      ...columnsOf('TIMESTAMPTZ', 'changed_at'),
      ...columnsOf('DECIMAL(12,2)', 'old_price', 'new_price'),
      ...columnsOf('VARCHAR', 'currency'),
      ...columnsOf('DECIMAL(18,2)', 'change_pct'),
    ],
    // All changes since the previous certified night (without one, all) up to this run, whichever run saw them first:
    // partial nights and runs have no file of their own, and prices would otherwise change without a record.
    select: ({ region, snapshotDate, observedAt }) => `
      with before as (
        select snapshot_date, observed_at
        from ops.certified_run
        where region = '${region}' and snapshot_date < '${snapshotDate}'
        order by snapshot_date desc, run_id desc
        limit 1
      )
      select product_id, product_key, ${instant('changed_at')}, old_price, new_price, currency, change_pct
      from marts.fct_price_change
      where region = '${region}'
        and snapshot_date >= coalesce((select snapshot_date from before), '-infinity')
        and snapshot_date <= '${snapshotDate}'
        and changed_at > coalesce((select observed_at from before), '-infinity') and changed_at <= '${observedAt}'
      order by product_id collate "C", changed_at`,
  },
  {
    name: 'prices',
    columns: [
      ...keyColumns,
      ...columnsOf('DECIMAL(12,2)', 'price'),
      ...columnsOf('VARCHAR', 'currency'),
      ...columnsOf('DECIMAL(38,15)', 'unit_price'),
      ...columnsOf('VARCHAR', 'unit_of_measure'),
      ...columnsOf('DECIMAL(12,2)', 'loyalty_price'),
      ...columnsOf('VARCHAR', 'availability'),
      ...columnsOf('BOOLEAN', 'on_promotion'),
    ],
    select: ({ runId }) => `
      select product_id, product_key, price, currency, unit_price, unit_of_measure, loyalty_price, availability,
        case when on_promotion then 'true' else 'false' end
      from marts.product_night
      where run_id = ${runId}
      order by product_id collate "C"`,
  },
];

/** An instant in a form that all CSV readers accept, in microseconds. */
function instant(column: string): string {
  return `to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`;
}

function isOpen(history: string, observedAt: string): string {
  return `${history}.valid_from <= '${observedAt}'
    and (${history}.valid_to is null or ${history}.valid_to > '${observedAt}')`;
}

/** A column of the version valid on that night: a former version, otherwise the current one. */
function asOfNight(column: string): string {
  return `case when former.product_key is null then p.${column} else former.${column} end`;
}
