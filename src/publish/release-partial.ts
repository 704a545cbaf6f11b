import { RunRefused } from '../base/errors.ts';
import { noteNights } from '../crawl/ledger/night-changes.ts';
import { lockForPublication, move } from '../crawl/ledger/run-life.ts';
import type { Database, Queryable } from '../db/client.ts';
import { rowsOf } from '../db/rows.ts';
import { countListed, openNight } from './night.ts';
import { contentHash } from './quality/content-hash.ts';
import { releasing, runFiles } from './statements.ts';

interface PartialRelease {
  readonly runId: number;
  readonly delistAfter: number;
  /** Reason given by the user. */
  readonly why: string;
  readonly now: Date;
}

/**
 * Certifies a published partial run at a user's request. Unseen products become absent as if the run had been certified
 * that night, even those whose own page sells them: the user's decision counts. Only the region's last published run
 * can be released, because history is append-only. Returns how many products became absent or delisted.
 */
export async function releasePartial(db: Database, release: PartialRelease): Promise<number> {
  const { runId, delistAfter, why, now } = release;
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
    await openNight(tx, { runId, isCertified: true, isPartial: true, delistAfter });
    await runFiles(tx, ...releasing);
    const [changed] = await rowsOf<{ products: number }>(
      tx,
      'select count(*)::int as products from availability_change',
    );
    const verdict = 'complete_within_tolerance';
    const isLast = await move(tx, 'certifyPartial', { runId }, { verdict, ...(await countListed(tx)) });
    if (!isLast || !kept.hasEvidence) {
      throw new RunRefused(
        `Run ${runId} is not the last of its region any more, so history can no longer record what it did not see. ` +
          'Release the last run.',
      );
    }
    await tx.query(
      `update ops.certificate
       set verdict = $4, content_hash = $5, changed_keys = null, released_because = $2, released_from = 'published',
         evidence = evidence || jsonb_build_object('delistAfter', $3::int)
       where run_id = $1`,
      [runId, why, delistAfter, verdict, await contentHash(tx, runId)],
    );
    await noteNights(tx, { region: run.region, from: run.snapshotDate, at: now });
    return changed!.products;
  });
}

/** Refuses runs with deferred categories: the user cannot know that their products are gone. */
async function refuseRotated(tx: Queryable, runId: number): Promise<void> {
  const [row] = await rowsOf<{ deferred: number }>(
    tx,
    'select count(*)::int as deferred from ops.category_deferred where run_id = $1',
    [runId],
  );
  if (row!.deferred === 0) return;
  throw new RunRefused(
    `Run ${runId} left ${row!.deferred} categories for another night, so products that it did not see may still ` +
      'exist. Raise the limits and crawl a whole night.',
  );
}
