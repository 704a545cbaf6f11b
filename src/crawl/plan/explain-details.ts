import type { RegionCode } from '../../base/model/index.ts';
import type { Queryable } from '../../db/client.ts';
import { camelRows } from '../../db/rows.ts';

const maxInt = 2_147_483_647;

/** Why a product's own page would be requested tonight, or not. */
export interface Explained {
  /** `unlisted`: it is not a listed product; `recent`: its page was read recently, and those of others are older. */
  readonly reason: 'requested' | 'new' | 'changed' | 'refresh' | 'recent' | 'unlisted';
  /** Null: it was never read. */
  readonly ageDays: number | null;
  /** Position in the order of requests, from 1; null: it is not worth a request. */
  readonly place: number | null;
}

export async function explainDetails(
  sql: Queryable,
  region: RegionCode,
  productId: string,
  { now, maxAgeDays }: { readonly now: Date; readonly maxAgeDays: number },
): Promise<Explained> {
  const [row] = await camelRows<Explained>(
    sql,
    `select case
         when d.reason is not null then d.reason
         when c.availability in ('available', 'unavailable') then 'recent' else 'unlisted'
       end as reason, d.age_days, d.place::int
     from (select) as one
     left join catalog.product p on p.region = $1 and p.product_id = $4 and p.replaced_at is null
     left join catalog.product_current c using (product_key)
     left join ops.choose_details($1, null, $2, ${maxInt}, $3) as d on d.product_id = p.product_id`,
    [region, now, maxAgeDays, productId],
  );
  return row!;
}
