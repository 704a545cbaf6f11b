import { createHash } from 'node:crypto';
import type { Queryable } from '../../../db/client.ts';
import { rowsOf } from '../../../db/rows.ts';

/** Sample size for comparing two sets: the standard error of the estimated overlap is at most 3%. */
const sketchSize = 300;

export interface NightBefore {
  readonly snapshotDate: string;
  /** Share of products missed by both nights among those missed by either. */
  readonly agreement: number;
  /** Whether its pages are byte-identical to tonight's: a cached answer is no independent evidence. */
  readonly isCopy: boolean;
}

/** Data stored with the certificate of a night with a fall, for comparison with the next night. */
export interface FallTrace {
  /** Unseen listed products with the smallest md5 of their id (`agreement`). */
  readonly unseenIds: readonly string[];
  /** md5 over the hashes of all its pages as received. */
  readonly pagesMd5: string | null;
}

/** Needs the table `unseen`. */
export async function readFallTrace(tx: Queryable, pagesMd5: string | null): Promise<FallTrace> {
  const rows = await rowsOf<{ productId: string }>(
    tx,
    `select product_id as "productId" from unseen where was_listed order by md5(product_id), product_id limit $1`,
    [sketchSize],
  );
  return { unseenIds: rows.map(({ productId }) => productId), pagesMd5 };
}

/** The night published before this run, if an unproven fall was all that made it partial. */
export async function readNightBefore(tx: Queryable, runId: number, tonight: FallTrace): Promise<NightBefore | null> {
  const [before] = await rowsOf<FallTrace & { snapshotDate: string }>(
    tx,
    `select before.snapshot_date as "snapshotDate", c.evidence -> 'fall' -> 'unseenIds' as "unseenIds",
            c.evidence -> 'fall' ->> 'pagesMd5' as "pagesMd5"
     from ops.run r
     join lateral (
       select run_id, snapshot_date, verdict from ops.published_run earlier
       where earlier.region = r.region and earlier.snapshot_date < r.snapshot_date
       order by earlier.observed_at desc limit 1) as before on before.verdict = 'partial'
     join ops.certificate c on c.run_id = before.run_id
     where r.run_id = $1 and c.evidence -> 'fall' @> '{"outcome": "unproven", "isAlone": true}'`,
    [runId],
  );
  if (!before) return null;
  return {
    snapshotDate: before.snapshotDate,
    agreement: agreement(before.unseenIds, tonight.unseenIds) ?? 0,
    isCopy: before.pagesMd5 === tonight.pagesMd5,
  };
}

/**
 * Jaccard similarity of two sets, each given by the `sketchSize` products with the smallest md5 of their id (bottom-k
 * sketch). Null if both are empty.
 */
function agreement(some: readonly string[], others: readonly string[]): number | null {
  const inSome = new Set(some);
  const inOthers = new Set(others);
  const bottom = [...new Set([...some, ...others])]
    .map((id) => ({ id, rank: createHash('md5').update(id).digest('hex') }))
    .sort((a, b) => (a.rank < b.rank ? -1 : 1))
    .slice(0, sketchSize);
  if (bottom.length === 0) return null;
  return bottom.filter(({ id }) => inSome.has(id) && inOthers.has(id)).length / bottom.length;
}
