import type { Database } from '../../db/client.ts';
import { rowsOf } from '../../db/rows.ts';
import { promotionMeaning } from '../../db/tables/promotion.ts';
import { type Columns, readColumns } from './columns.ts';
import { describedBy, keptTables, rowsAt, spellsAt } from './rewind.ts';
import type { ReplayScope } from './scope.ts';
import { toShadow } from './shadow-names.ts';

/** One value in the live catalogue and in the replay. Null: missing. */
interface DifferenceSample {
  readonly region: string;
  readonly productId: string | null;
  readonly title: string | null;
  /** Replayed night on which the value begins; null: before them, or the meaning of a promotion's text. */
  readonly night: string | null;
  readonly live: string | null;
  readonly replayed: string | null;
}

/** Number of differences in one field of a table. */
export interface Difference {
  readonly table: string;
  readonly field: string;
  /** Rows of the history with another value, or promotions. */
  readonly count: number;
  readonly products: number;
  /** The first few, ordered by product and night. */
  readonly samples: readonly DifferenceSample[];
}

const samplesShown = 3;

/** Compares the live catalogue with the replay, field by field. */
export async function findDifferences(db: Database, scope: ReplayScope): Promise<Difference[]> {
  const columns = await readColumns(db);
  const found: Difference[] = [];
  for (const [table, fields] of Object.entries(fieldsOf)) {
    const { part, key } = keptTables.find(({ name }) => name === table)!;
    if (!scope.parts.includes(part)) continue;
    const rows = await rowsOf<Omit<Difference, 'table'>>(db, summed(differingValues(table, key, fields, columns)));
    found.push(...rows.map((row) => ({ table, ...row })));
  }
  return found;
}

/** A column, or the name of what a row is about: column, table and its naming column. */
type Field = string | { readonly is: 'promotion' | 'category'; readonly name: string };

const fieldsOf: Readonly<Record<string, readonly Field[]>> = {
  price_history: ['price_minor', 'unit_price', 'unit_of_measure'],
  availability_history: ['availability'],
  product: describedBy,
  product_history: describedBy,
  offer_history: ['loyalty_price_minor'],
  product_promotion: [{ is: 'promotion', name: 'description' }, 'valid_to'],
  promotion: promotionMeaning,
  product_category: [{ is: 'category', name: 'path' }, 'valid_to'],
  product_detail: [
    ...['description', 'ingredients', 'allergens', 'pack_size', 'pack_measure', 'pack_count', 'storage', 'gtin'],
    ...['leaf_id', 'catch_weight_grams', 'charges', 'deposit_minor', 'product_type', 'status'],
  ],
  product_nutrition: ['amount', 'unit', 'is_upper_bound', 'printed'],
};

/** SQL: region, product_id, title, night, field, live and replayed value, one row per difference. */
function differingValues(table: string, key: readonly string[], fields: readonly Field[], columns: Columns): string {
  const values = fields.map((field) => {
    if (typeof field === 'string') return `('${field}', l.${field}::text, s.${field}::text)`;
    const nameIn = (side: string, row: string) =>
      `(select o.${field.name} from ${side} o where o.${field.is}_key = ${row}.${field.is}_key)`;
    const of = `catalog.${field.is}`;
    return `('${field.is}', ${nameIn(of, 'l')}, ${nameIn(toShadow(of), 's')})`;
  });
  // Ended and open spells are compared as one table: a spell may have ended on one side only.
  const spell = /^(price|availability|offer)_history$/.exec(table)?.[1];
  const [live, shadow] = spell
    ? [spellsAt(`${spell}_spell`, [...key, 'valid_to', ...(fields as string[])], 'until_at'), `catalog.${spell}_spell`]
    : [rowsAt(table, columns, 'until_at'), `catalog.${table}`];
  const [about, of] =
    table === 'promotion'
      ? [
          `coalesce(l.region, s.region) as region, null as product_id,
           coalesce(l.description, s.description) as title, null::date as night`,
          '',
        ]
      : [
          'p.region, p.product_id, p.title, n.snapshot_date as night',
          `join ${products} as p using (product_key)
           left join ${nights} as n on n.region = p.region and n.observed_at = coalesce(s.valid_from, l.valid_from)`,
        ];
  return `
    select ${about}, f.*
    from (${live}) as l full join ${toShadow(shadow)} as s using (${key.join(', ')}) ${of}
    cross join lateral (values ${values.join(', ')}) as f (field, live, replayed)
    where f.live is distinct from f.replayed`;
}

const products = `(
  select product_key, region, product_id, title from catalog_replay.product
  union all
  select product_key, region, product_id, title from catalog.product l join ops_replay.replay_window using (region)
  where not exists (select from catalog_replay.product s where s.product_key = l.product_key)
)`;
const nights = `(
  select region, snapshot_date, observed_at from ops.run where run_id in (select run_id from ops_replay.replayed_run)
)`;
function summed(sql: string): string {
  return `
    with different as materialized (${sql}), ranked as (
      select *, row_number() over (partition by field order by region, product_id, night) as place from different
    )
    select field, count(*)::int as count, count(distinct (region, product_id))::int as products,
      jsonb_agg(
        jsonb_build_object('region', region, 'productId', product_id, 'title', title, 'night', night,
          'live', live, 'replayed', replayed)
        order by place) filter (where place <= ${samplesShown}) as samples
    from ranked group by field order by field`;
}
