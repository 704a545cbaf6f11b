import type { Database } from '../../db/client.ts';
import { rowsOf } from '../../db/rows.ts';
import { promotionMeaning } from '../../db/tables/promotion.ts';
import { type Columns, readColumns } from './columns.ts';
import { differing } from './differing-rows.ts';
import { describedBy, keptTables, rowsAt, spellsAt } from './rewind.ts';
import type { Part, ReplayScope } from './scope.ts';
import { toShadow } from './shadow-names.ts';

/** One value in the live catalogue and in the replay. Null: missing. */
interface DifferenceSample {
  readonly region: string;
  readonly productId: string | null;
  readonly title: string | null;
  /** Null for values without a date: the meaning of a promotion's text. */
  readonly night: string | null;
  readonly live: string | null;
  readonly replayed: string | null;
}

/** Number of differences in one field of a table. */
export interface Difference {
  readonly table: string;
  readonly field: string;
  /** Differing values: product-nights, or promotions. */
  readonly count: number;
  readonly products: number;
  /** The first few, ordered by product and night. */
  readonly samples: readonly DifferenceSample[];
}

const samplesShown = 3;

/** Compares the live catalogue with the replay, field by field, as of every replayed night. */
export async function findDifferences(db: Database, scope: ReplayScope): Promise<Difference[]> {
  const columns = await readColumns(db);
  const found: Difference[] = [];
  for (const { part, table, sql } of comparisons(columns, scope)) {
    if (!scope.parts.includes(part)) continue;
    const rows = await rowsOf<Omit<Difference, 'table'>>(db, summed(sql));
    found.push(...rows.map((row) => ({ table, ...row })));
  }
  return found;
}

interface Comparison {
  readonly part: Part;
  readonly table: string;
  /** Returns differing rows: region, product_id, title, night, field, live, replayed. */
  readonly sql: string;
}

function comparisons(columns: Columns, scope: ReplayScope): Comparison[] {
  const changedProducts = (...tables: string[]) =>
    tables
      .map(
        (name) =>
          `select product_key from (${differing(keptTables.find((t) => t.name === name)!, columns, scope)}) as d`,
      )
      .join(' union ');
  const live = (table: string) => `(${rowsAt(table, columns, 'until_at')})`;
  const shadow = (table: string) => toShadow(`catalog.${table}`);
  const values = (table: string, fields: readonly string[], tables = [table], side = { live, shadow }): Comparison => ({
    part: keptTables.find(({ name }) => name === table)!.part,
    table,
    sql: `
      with changed as materialized (${changedProducts(...tables)})
      select ${product}, f.*
      from changed join ${products} as p using (product_key) join ${nights} as n using (region)
      left join ${side.live(table)} as l on l.product_key = p.product_key and ${held('l')}
      left join ${side.shadow(table)} as s on s.product_key = p.product_key and ${held('s')}
      cross join lateral (values ${fields.map((f) => `('${f}', l.${f}::text, s.${f}::text)`).join(', ')})
        as f (field, live, replayed)
      where f.live is distinct from f.replayed`,
  });
  /** Ended and open spells as one table. */
  const spells = (of: 'price' | 'availability' | 'offer', fields: readonly string[]): Comparison => {
    const all = ['product_key', 'valid_from', 'valid_to', ...fields];
    return values(`${of}_history`, fields, [`${of}_history`, 'product_current'], {
      live: () => `(${spellsAt(`${of}_spell`, all, 'until_at')})`,
      shadow: () => toShadow(`catalog.${of}_spell`),
    });
  };
  const members = (table: string, of: 'promotion' | 'category', field: string, name: string): Comparison => {
    const side = (rows: string, named: string) => `
      select p.region, p.product_id, p.title, n.snapshot_date, x.${of}_key, o.${name} as member
      from changed join ${products} as p using (product_key) join ${nights} as n using (region)
      join ${rows} as x on x.product_key = p.product_key and ${held('x')}
      join ${named} as o using (${of}_key)`;
    return {
      part: 'listing',
      table,
      sql: `
        with changed as materialized (${changedProducts(table)}),
        live as (${side(live(table), `catalog.${of}`)}),
        replayed as (${side(shadow(table), shadow(of))})
        select region, product_id, coalesce(l.title, s.title) as title, snapshot_date as night, '${field}' as field,
          l.member as live, s.member as replayed
        from live l full join replayed s using (region, product_id, snapshot_date, ${of}_key)
        where l.member is null or s.member is null`,
    };
  };

  return [
    spells('price', ['price_minor', 'unit_price', 'unit_of_measure']),
    spells('availability', ['availability']),
    values('product', [...describedBy], ['product', 'product_history'], {
      live: () => versions(live('product'), live('product_history')),
      shadow: () => versions(shadow('product'), shadow('product_history')),
    }),
    spells('offer', ['loyalty_price_minor']),
    members('product_promotion', 'promotion', 'promotion', 'description'),
    {
      part: 'listing',
      table: 'promotion',
      sql: `
        select region, null as product_id, l.description as title, null::date as night, f.*
        from ${live('promotion')} as l join ${shadow('promotion')} as s using (region, promotion_key)
        cross join lateral (values ${promotionMeaning.map((f) => `('${f}', l.${f}::text, s.${f}::text)`).join(', ')})
          as f (field, live, replayed)
        where f.live is distinct from f.replayed`,
    },
    members('product_category', 'category', 'category', 'path'),
    values('product_detail', detailFields),
    {
      part: 'detail',
      table: 'product_nutrition',
      sql: `
        select ${product}, coalesce(l.nutrient, s.nutrient) || ' per ' || coalesce(l.basis, s.basis) as field,
          l.amount || ' ' || l.unit as live, s.amount || ' ' || s.unit as replayed
        from ${live('product_nutrition')} as l
        full join ${shadow('product_nutrition')} as s using (product_key, valid_from, nutrient, basis)
        join ${products} as p using (product_key)
        join ${nights} as n on n.region = p.region and n.observed_at = valid_from
        where row(l.amount, l.unit, l.is_upper_bound, l.printed)
          is distinct from row(s.amount, s.unit, s.is_upper_bound, s.printed)`,
    },
  ];
}

const product = 'p.region, p.product_id, p.title, n.snapshot_date as night';
const products = `(
  select product_key, region, product_id, title from catalog_replay.product
  union all
  select product_key, region, product_id, title from catalog.product l join ops_replay.replay_window using (region)
  where not exists (select from catalog_replay.product s where s.product_key = l.product_key)
)`;
const nights = `(
  select region, snapshot_date, observed_at from ops.run where run_id in (select run_id from ops_replay.replayed_run)
)`;
const held = (alias: string): string =>
  `${alias}.valid_from <= n.observed_at and (${alias}.valid_to is null or ${alias}.valid_to > n.observed_at)`;

/** Former and current versions of products as one history. */
function versions(current: string, former: string): string {
  const fields = `product_key, valid_from, ${describedBy.join(', ')}`;
  return `(
    select ${fields}, null::timestamptz as valid_to from ${current} as c
    union all
    select ${fields}, valid_to from ${former} as f)`;
}

const detailFields = [
  'description',
  'ingredients',
  'allergens',
  'pack_size',
  'pack_measure',
  'pack_count',
  'storage',
  'gtin',
  'leaf_id',
  'catch_weight_grams',
  'charges',
  'deposit_minor',
  'product_type',
  'status',
];

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
