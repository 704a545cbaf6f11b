import type { Askable } from '../db/client.ts';
import { countOf } from '../db/rows.ts';
import type { RegionCode } from '../model/index.ts';
import { nextPlace } from './details.ts';

/** Has the next night ask a known product's own page before others. Returns how many of the ids are known. */
export function wishDetails(
  sql: Askable,
  region: RegionCode,
  productIds: readonly string[],
  { reason, now }: { readonly reason: 'search' | 'command'; readonly now: Date },
): Promise<number> {
  return countOf(
    sql,
    `insert into ops.detail_wish (region, product_id, reason, wished_at)
     select $1, product_id, $3, $4 from catalog.product where region = $1 and product_id = any($2)
     order by product_id
     on conflict (region, product_id) do update
       set reason = case when detail_wish.reason = 'command' then detail_wish.reason else excluded.reason end, wished_at = excluded.wished_at`,
    [region, productIds, reason, now],
  );
}

/** Plans what was wished for a run, within its limit of details, those a person asked for first; they count as chosen. */
export async function grantWishes(sql: Askable, runId: number, limit: number): Promise<void> {
  await sql.query(
    `with granted as (
       delete from ops.detail_wish
       where (region, product_id) in (
         select w.region, w.product_id from ops.detail_wish w join ops.run r on r.region = w.region and r.run_id = $1
         order by w.reason, w.wished_at, w.product_id limit $2)
       returning product_id
     )
     insert into ops.detail_fetch (run_id, product_id, reason, place)
     select $1, product_id, 'changed', ${nextPlace} + row_number() over (order by product_id)
     from granted
     on conflict do nothing`,
    [runId, limit],
  );
}
