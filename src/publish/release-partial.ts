import type { Askable, Database } from '../db/client.ts';
import { rowsOf } from '../db/rows.ts';
import { RunRefused } from '../errors.ts';
import { noteNights } from '../ledger/night-changes.ts';
import { lockForPublication, move } from '../ledger/run-life.ts';
import { absence, putAvailability } from './availability-history.ts';
import { countListed, openNight } from './night.ts';
import { renewCurrent } from './product-current.ts';

export interface PartialRelease {
  readonly runId: number;
  readonly delistAfter: number;
  /** Delist only what its own page says is gone. */
  readonly isDelistingConfirmed?: boolean;
  /** Why a person releases the run, in their words. */
  readonly why: string;
  readonly now: Date;
}

/**
 * Certifies a partial run that was published, because a person releases it: what it did not see is marked absent as if it
 * had been certified that night, also what its own page sold: a person's word is the measure of the nights after it. Only the
 * region's last published run can be released, history is only ever added to.
 * Returns how many products became absent or delisted.
 */
export async function releasePartial(db: Database, release: PartialRelease): Promise<number> {
  const { runId, delistAfter, isDelistingConfirmed = false, why, now } = release;
  return db.tx(async (tx) => {
    const run = await lockForPublication(tx, runId);
    const [kept] = await rowsOf<{ hasEvidence: boolean }>(
      tx,
      `select changed_keys is not null as "hasEvidence" from ops.certificate where run_id = $1 and verdict = 'partial'`,
      [runId],
    );
    if (run?.status !== 'published' || !kept) {
      throw new RunRefused(
        `Run ${runId} is not a published run with a partial certificate; there is nothing to release.`,
      );
    }
    await refuseRotated(tx, runId);
    await openNight(tx, { runId, isCertified: true, isPartial: true, delistAfter, isDelistingConfirmed });
    for (const statement of [...unseen, ...absence, ...putAvailability]) await tx.query(statement);
    await renewCurrent(tx, 'select product_key from availability_change');
    const [changed] = await rowsOf<{ products: number }>(
      tx,
      'select count(*)::int as products from availability_change',
    );
    const verdict = 'complete_within_tolerance';
    const isLast = await move(tx, 'certifyPartial', { runId }, { verdict, ...(await countListed(tx)) });
    if (!isLast || !kept.hasEvidence) {
      throw new RunRefused(
        `Run ${runId} is no longer the last of its region: what it did not see cannot be dated back. Release the last one.`,
      );
    }
    await tx.query(
      `update ops.certificate
       set verdict = $4, content_hash = null, changed_keys = null, released_because = $2, released_from = 'published',
         evidence = evidence || jsonb_build_object('delistAfter', $3::int)
       where run_id = $1`,
      [runId, why, delistAfter, verdict],
    );
    await noteNights(tx, { region: run.region, from: run.snapshotDate, at: now });
    return changed!.products;
  });
}

/** Nobody asked for the categories that waited: a person cannot know that what they list is gone. */
async function refuseRotated(tx: Askable, runId: number): Promise<void> {
  const [row] = await rowsOf<{ deferred: number }>(
    tx,
    'select count(*)::int as deferred from ops.category_deferred where run_id = $1',
    [runId],
  );
  if (row!.deferred === 0) return;
  throw new RunRefused(
    `Run ${runId} left ${row!.deferred} categories for another night, so it cannot say what is gone. Raise the limits and crawl a whole night.`,
  );
}

/**
 * What the run saw is on its pages and, as far as it was new or had changed, in its certificate; there is, too, which products are
 * gone by their own pages. Runs that were published before that was kept know only which pages were not there.
 */
const unseen = [
  'create temporary table availability_change (product_key int, availability catalog.availability) on commit drop',
  `create temporary table seen_product on commit drop as
   select unnest(page.seen_keys) as product_key from night join ops.category_page page using (run_id)
   union all
   select unnest(c.changed_keys) from night join ops.certificate c using (run_id)`,
  'analyze seen_product',
  `create temporary table own_page on commit drop as
   select said.product_id, true as says_gone
   from night join ops.certificate c using (run_id) cross join jsonb_array_elements_text(c.evidence -> 'gonePages') as said (product_id)
   union all
   select d.product_id, true from night join ops.detail_fetch d using (run_id) where d.outcome = 'not_there'`,
  'analyze own_page',
  `create temporary table unseen_product on commit drop as
   select h.product_key, p.product_id, h.availability, h.valid_from
   from night
   join catalog.product p on p.region = night.region
   join catalog.availability_history h on h.product_key = p.product_key and h.valid_to is null and h.availability <> 'delisted'
   where not exists (select from seen_product s where s.product_key = h.product_key)`,
];
