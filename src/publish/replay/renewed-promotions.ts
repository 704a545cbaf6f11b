import type { Askable, Database, Transaction } from '../../db/client.ts';
import { promotionMeaning } from '../../db/tables/promotion.ts';
import { renewOffers } from '../offer-spells.ts';

const meaningOf = (alias: string): string => promotionMeaning.map((column) => `${alias}.${column}`).join(', ');
const meansOtherwise = `(${meaningOf('p')}) is distinct from (${meaningOf('s')})`;

/**
 * Promotions that earlier nights carried are known by their text; what it means is what the mapping says now, and what
 * they offered follows from that. Of a run staged in the shadow, in the shadow.
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

/** The night before looks different now, so the hash of this one cannot be made from its own. */
const doubtBase = `
  update ops.certificate set content_hash = null
  where run_id = (select base_run_id from ops.run where run_id = $1) and exists (select from renewed)`;

const takeMeaning = `
  update catalog.promotion p
  set ${promotionMeaning.map((column) => `${column} = s.${column}`).join(', ')}
  from stage.promotion s
  where s.run_id = $1 and s.promotion_hash = p.promotion_hash and p.promotion_key in (select promotion_key from renewed)`;

/**
 * The shadow knows from the run before the window on what products carried; no earlier offer can be worked out there.
 */
const offersOfRenewed = `
  select distinct carried.product_key, coalesce((
    select max(before.observed_at) from ops.run before
    where before.region = w.region and before.status = 'published' and before.observed_at < w.from_at), '-infinity') as since
  from renewed
  join catalog.promotion p using (promotion_key)
  join catalog.product_promotion carried using (promotion_key)
  join ops_replay.replay_window w on w.region = p.region`;

/**
 * Notes in the temporary table `renewed` which promotions mean something else in the shadow; before their rows are put
 * in place.
 */
export async function noteRenewedPromotions(tx: Transaction): Promise<void> {
  await tx.query(`
    create temporary table renewed on commit drop as
    select p.promotion_key
    from catalog.promotion p join catalog_replay.promotion s using (promotion_key)
    where ${meansOtherwise}`);
}

/** What the promotions in `renewed` offered on every night, also before the replayed ones. */
export async function renewOffersOfAllNights(tx: Askable): Promise<void> {
  await renewOffers(
    tx,
    `select distinct carried.product_key, '-infinity'::timestamptz as since
     from renewed join catalog.product_promotion carried using (promotion_key)`,
  );
}
