import type { Database } from '../db/client.ts';
import { rowsOf } from '../db/rows.ts';
import { RunRefused } from '../errors.ts';
import { absence } from './availability-history.ts';
import { renewCurrent } from './product-current.ts';

export interface Release {
  readonly runId: number;
  readonly delistAfter: number;
  /** Why a person vouches for the run, in their words. */
  readonly why: string;
}

/**
 * Certifies a partial run that was published, because a person vouches for it: what it did not see is marked absent as if
 * it had been certified that night. Only the region's last published run can be released, history is only ever added to.
 * Returns how many products became absent or delisted.
 */
export async function releasePartial(db: Database, { runId, delistAfter, why }: Release): Promise<number> {
  return db.tx(async (tx) => {
    await tx.query(
      `select pg_advisory_xact_lock(hashtext('pricebook publish ' || region)) from ops.run where run_id = $1`,
      [runId],
    );
    const [run] = await rowsOf<{ isLast: boolean; hasEvidence: boolean }>(
      tx,
      `select not exists (
           select from ops.run later
           where later.region = r.region and later.status = 'published' and later.observed_at > r.observed_at) as "isLast",
         c.changed_keys is not null as "hasEvidence"
       from ops.run r join ops.certificate c using (run_id)
       where r.run_id = $1 and r.status = 'published' and r.verdict = 'partial'
       for update of r`,
      [runId],
    );
    if (!run)
      throw new RunRefused(
        `Run ${runId} is not a published run with a partial certificate; there is nothing to release.`,
      );
    if (!run.isLast || !run.hasEvidence) {
      throw new RunRefused(
        `Run ${runId} is no longer the last of its region: what it did not see cannot be dated back. Release the last one.`,
      );
    }
    for (const statement of openNight) await tx.query(statement, statement.includes('$1') ? [runId, delistAfter] : []);
    for (const statement of [...absence, ...applyChanges]) await tx.query(statement);
    await renewCurrent(tx, 'select product_key from availability_change');
    const [changed] = await rowsOf<{ products: number }>(
      tx,
      'select count(*)::int as products from availability_change',
    );
    await tx.query(recount, [runId]);
    await tx.query(
      `update ops.certificate
       set verdict = 'complete_within_tolerance', content_hash = null, changed_keys = null, reasons = array_append(reasons, $2),
         evidence = evidence || jsonb_build_object('delistAfter', $3::int)
       where run_id = $1`,
      [runId, `released by a person: ${why}`, delistAfter],
    );
    return changed!.products;
  });
}

const openNight = [
  `create temporary table night on commit drop as
   select run_id, region, snapshot_date, observed_at, true as is_certified, $2::int as delist_after, false as is_delisting_confirmed
   from ops.run where run_id = $1`,
  'create temporary table doubted (category_id text) on commit drop',
  'create temporary table availability_change (product_key int, availability catalog.availability) on commit drop',
  `create temporary table seen on commit drop as
   select unnest(page.seen_keys) as product_key from night join ops.category_page page using (run_id)
   union all
   select unnest(c.changed_keys) from night join ops.certificate c using (run_id)`,
  'analyze seen',
  `create temporary table unseen_product on commit drop as
   select h.product_key, p.product_id, h.availability, h.valid_from
   from night
   join catalog.product p on p.region = night.region
   join catalog.availability_history h on h.product_key = p.product_key and h.valid_to is null and h.availability <> 'delisted'
   where not exists (select from seen where seen.product_key = h.product_key)`,
];

const applyChanges = [
  `update catalog.availability_history h set valid_to = night.observed_at
   from availability_change c cross join night
   where h.product_key = c.product_key and h.valid_to is null`,
  `insert into catalog.availability_history (product_key, availability, valid_from)
   select c.product_key, c.availability, night.observed_at from availability_change c cross join night
   order by c.product_key`,
];

const recount = `
  update ops.run r
  set verdict = 'complete_within_tolerance', products_listed = l.listed, products_available = l.available
  from (
    select count(*)::int as listed, (count(*) filter (where h.availability = 'available'))::int as available
    from night
    join catalog.product p on p.region = night.region
    join catalog.availability_history h on h.product_key = p.product_key and h.valid_to is null
    where h.availability in ('available', 'unavailable')
  ) as l
  where r.run_id = $1`;
