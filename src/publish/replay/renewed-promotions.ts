import type { Database, Queryable, Transaction } from '../../db/client.ts';
import { promotionMeaning } from '../../db/tables/promotion.ts';
import { renewOffers } from '../offer-spells.ts';

const meaningOf = (alias: string): string => promotionMeaning.map((column) => `${alias}.${column}`).join(', ');
const meansOtherwise = `(${meaningOf('p')}) is distinct from (${meaningOf('s')})`;

/**
 * Updates promotions of earlier nights whose text now has another meaning, and the offers that follow from it. Works in
 * the shadow, on a run staged there.
 */
export async function renewPromotions(shadow: Database, runId: number): Promise<void> {
  await shadow.tx(async (tx) => {
    await tx.query(collectRenewed, [runId]);
    await tx.query(takeMeaning, [runId]);
    await renewOffers(tx, offersOfRenewed);
    await tx.query(doubtBase, [runId]);
  });
}

const collectRenewed = `
  create temporary table renewed on commit drop as
  select p.promotion_key
  from stage.promotion s
  join ops.run r using (run_id)
  join catalog.promotion p on p.region = r.region and p.promotion_hash = s.promotion_hash
  where s.run_id = $1 and ${meansOtherwise}`;

/** The previous night has changed, so its hash cannot be used to compute this night's. */
const doubtBase = `
  update ops.certificate set content_hash = null
  where run_id = (select base_run_id from ops.run where run_id = $1) and exists (select from renewed)`;

const takeMeaning = `
  update catalog.promotion p
  set ${promotionMeaning.map((column) => `${column} = s.${column}`).join(', ')}
  from stage.promotion s
  where s.run_id = $1
    and s.promotion_hash = p.promotion_hash
    and p.promotion_key in (select promotion_key from renewed)`;

/** In the shadow, offers can only be recomputed from the last run before the window on. */
const offersOfRenewed = `
  select distinct carried.product_key, coalesce((
    select max(before.observed_at) from ops.published_run before
    where before.region = w.region
      and before.observed_at < w.from_at), '-infinity') as since
  from renewed
  join catalog.promotion p using (promotion_key)
  join catalog.product_promotion carried using (promotion_key)
  join ops_replay.replay_window w on w.region = p.region`;

/**
 * Records promotions whose meaning differs in the shadow in the temporary table `renewed`. Must run before their rows
 * are replaced.
 */
export async function noteRenewedPromotions(tx: Transaction): Promise<void> {
  await tx.query(`
    create temporary table renewed on commit drop as
    select p.promotion_key
    from catalog.promotion p join catalog_replay.promotion s using (promotion_key)
    where ${meansOtherwise}`);
}

/** Recomputes the offers of promotions in `renewed` for all nights, including those before the replayed ones. */
export async function renewOffersOfAllNights(tx: Queryable): Promise<void> {
  await renewOffers(
    tx,
    `select distinct carried.product_key, '-infinity'::timestamptz as since
     from renewed join catalog.product_promotion carried using (promotion_key)`,
  );
}
