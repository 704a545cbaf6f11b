import type { Queryable } from '../../db/client.ts';
import { rowsOf } from '../../db/rows.ts';

/** Factor that grocery prices do not reach overnight, but wrong units do. */
const farFactor = 4;

interface MovedPrices {
  /** Number of products listed before. */
  readonly known: number;
  /** Number of those whose price or unit price changed by the factor. */
  readonly moved: number;
}

/**
 * Compares prices of products seen so far by a run with their last known prices. The average of the first pages would
 * be misleading, because the upstream may order by price.
 */
export async function readMovedPrices(sql: Queryable, runId: number): Promise<MovedPrices> {
  const [told] = await rowsOf<MovedPrices & Record<string, unknown>>(
    sql,
    `with changed as (
       select distinct on (s.product_key)
         abs(ln(nullif(s.price_minor, 0)::numeric / nullif(c.price_minor, 0))) as price,
         abs(ln(nullif(s.unit_price, 0) / nullif(c.unit_price, 0))) as unit_price
       from stage.product s
       join catalog.product_current c on c.product_key = s.product_key
       where s.run_id = $1 and (s.price_minor > 0 or s.unit_price > 0)
       order by s.product_key, s.category_no, s.page_no, s.reading desc
     )
     select
       (select count(*) from changed where coalesce(price, unit_price) is not null)::int
         + (select count(distinct key) from ops.category_page p cross join lateral unnest(p.seen_keys) as key
            where p.run_id = $1 and p.status = 'done')::int as known,
       (select count(*) from changed where greatest(price, unit_price) >= ln($2::numeric))::int as moved`,
    [runId, farFactor],
  );
  return told!;
}
