import type { Queryable } from '../../src/db/client.ts';
import { rowsOf } from '../../src/db/rows.ts';

/** Every row of every catalogue table with its place and its transaction: equal dumps mean that nothing was written. */
export async function physicalDump(sql: Queryable): Promise<Record<string, string>> {
  const tables = await rowsOf<{ name: string }>(
    sql,
    `select tablename as name from pg_tables where schemaname = 'catalog' order by tablename`,
  );
  const dump: Record<string, string> = {};
  for (const { name } of tables) {
    const [row] = await rowsOf<{ rows: number; hash: string }>(
      sql,
      `select count(*)::int as rows,
         coalesce(md5(string_agg(t.ctid::text || t.xmin::text || t::text, E'\\n' order by t.ctid)), '') as hash
       from catalog.${name} t`,
    );
    dump[name] = `${row!.rows} rows, ${row!.hash}`;
  }
  return dump;
}

/** The catalogue with natural keys, and instants as names of runs: equal for two installations with the same nights. */
export async function businessDump(sql: Queryable): Promise<Record<string, readonly string[]>> {
  const dump: Record<string, readonly string[]> = {};
  for (const [table, query] of Object.entries(businessQueries)) {
    const rows = await rowsOf<{ line: string }>(
      sql,
      `with night as (
         select region, observed_at,
           region || ' ' || snapshot_date || ' #'
             || row_number() over (partition by region, snapshot_date order by run_id) as name
         from ops.run where status = 'published'
       ), line (line) as (${query})
       select line::text from line order by line::text collate "C"`,
    );
    dump[table] = rows.map(({ line }) => line);
  }
  return dump;
}

/** Both regions may have a run of one instant. */
const from = (column: string, of = 'p') =>
  `(select name from night where night.observed_at = ${column} and night.region = ${of}.region)`;
const spell = (row: string) => `${from(`${row}.valid_from`)}, ${from(`${row}.valid_to`)}`;
const product = 'join catalog.product p using (product_key)';

const businessQueries: Readonly<Record<string, string>> = {
  product: `select row(p.region, p.product_id, p.tpnb, p.gtin, p.title, p.brand, p.image_url, p.is_for_sale,
              p.entry_hash,
      ${from('p.first_seen_at')}, ${from('p.valid_from')}) from catalog.product p`,
  product_history: `select row(p.region, p.product_id, h.title, h.brand, h.gtin, ${spell('h')})
                    from catalog.product_history h ${product}`,
  price_history: `select row(p.region, p.product_id, h.price_minor, h.unit_price, h.unit_of_measure, ${spell('h')})
    from catalog.price_spell h ${product}`,
  shown_price: `select row(p.region, p.product_id, h.price_minor, h.unit_price, h.unit_of_measure, ${spell('h')})
    from catalog.shown_price h ${product}`,
  availability_history: `select row(p.region, p.product_id, h.availability, ${spell('h')})
                         from catalog.availability_spell h ${product}`,
  promotion: `select row(region, promotion_hash, description, kind, starts_at, ends_at, loyalty_price_minor,
                deal_price_minor, quantity)
    from catalog.promotion`,
  product_promotion: `select row(p.region, p.product_id, o.promotion_hash, ${spell('h')})
    from catalog.product_promotion h ${product} join catalog.promotion o using (promotion_key)`,
  category: `select row(c.region, c.category_id, c.name, c.label, c.depth, c.path, parent.category_id,
               ${from('c.first_seen_at', 'c')},
      ${from('c.last_seen_at', 'c')})
    from catalog.category c left join catalog.category parent on parent.category_key = c.parent_key`,
  product_category: `select row(p.region, p.product_id, c.category_id, h.source, ${spell('h')})
    from catalog.product_category h ${product} join catalog.category c using (category_key)`,
  product_detail: `select row(p.region, p.product_id, h.detail_hash, h.description, h.status, ${spell('h')})
    from catalog.product_detail h ${product}`,
  product_nutrition: `select row(p.region, p.product_id, h.nutrient, h.basis, h.amount, h.unit, ${from('h.valid_from')})
    from catalog.product_nutrition h ${product}`,
};
