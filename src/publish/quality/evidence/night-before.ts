import type { Queryable } from '../../../db/client.ts';
import { rowsOf } from '../../../db/rows.ts';
import { agreement, sketchSize } from './agreement.ts';
import type { NightBefore } from './fall-evidence.ts';

/** Data stored with the certificate of a night with a fall, for comparison with the next night. */
export interface FallTrace {
  /** Unseen listed products with the smallest md5 of their id (agreement.ts). */
  readonly unseenIds: readonly string[];
  /** md5 over the hashes of all its pages as received. */
  readonly pagesMd5: string | null;
}

/** SQL: md5 over the hashes of all pages of run `$1` as received. */
export const pagesMd5 = `(
  select md5(string_agg(distinct encode(payload_sha256, 'hex'), ''))
  from ops.category_page
  where run_id = $1)`;

/** Needs the table `unseen`. */
export async function readFallTrace(tx: Queryable, runId: number): Promise<FallTrace> {
  const [trace] = await rowsOf<FallTrace>(
    tx,
    `select array(
       select product_id
       from unseen
       where was_listed
       order by md5(product_id), product_id
       limit $2) as "unseenIds",
            ${pagesMd5} as "pagesMd5"`,
    [runId, sketchSize],
  );
  return trace!;
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
