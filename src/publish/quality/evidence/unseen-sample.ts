import { sampleSize } from '../../../crawl/plan/sample-size.ts';
import type { Queryable } from '../../../db/client.ts';
import { rowsOf } from '../../../db/rows.ts';
import { saysForSale, saysNeither } from '../../own-page.ts';

export interface UnseenSample {
  /** Number of answers that would prove it. */
  readonly needed: number;
  readonly answered: number;
  /** Products without an answer after all attempts, or with one that proves nothing. */
  readonly failed: number;
  readonly stillThere: number;
}

/** An unseen product, in the random order in which own pages are requested. */
interface RankedProduct {
  readonly productId: string;
  /** Null: not requested yet; `failed`: no answer, or one that proves neither. */
  readonly status: 'planned' | 'done' | 'failed' | null;
  readonly isForSale: boolean;
}

interface SampleSoFar {
  readonly sample: UnseenSample;
  /** Products to request next to complete the sample. */
  readonly toAsk: readonly string[];
}

/**
 * The current sample of unseen products: the first `needed` in the random order, skipping failed ones. Stops asking
 * when more products fail than answer.
 */
export function sampleFrom(ranked: readonly RankedProduct[], unseen: number): SampleSoFar {
  const needed = sampleSize(unseen);
  const failed = ranked.filter(({ status }) => status === 'failed').length;
  const chosen = ranked.filter(({ status }) => status !== 'failed').slice(0, needed);
  const answered = chosen.filter(({ status }) => status === 'done');
  const toAsk = failed > answered.length ? [] : chosen.filter(({ status }) => status === null);
  return {
    sample: {
      needed,
      answered: answered.length,
      failed,
      stillThere: answered.filter(({ isForSale }) => isForSale).length,
    },
    toAsk: toAsk.map(({ productId }) => productId),
  };
}

/** Bounds the list: more would be needed only if most requests fail, and then no more are sent. */
const mostRanked = 150;

/**
 * Reads the unseen products that the last certified run listed, in a random order derived from the run id, so that a
 * restart or replay chooses the same. Needs the table `unseen`.
 */
export async function readRanked(tx: Queryable, runId: number): Promise<RankedProduct[]> {
  return rowsOf<RankedProduct>(
    tx,
    `select u.product_id as "productId", case when ${saysNeither} then 'failed' else d.status::text end as status,
            ${saysForSale} as "isForSale"
     from ops.run r cross join unseen u
     left join ops.detail_fetch d on d.run_id = r.run_id and d.product_id = u.product_id
     left join stage.detail s on s.run_id = r.run_id and s.product_id = u.product_id
     where r.run_id = $1 and u.was_listed
     order by md5(r.run_id || '/' || u.product_id), u.product_id
     limit $2`,
    [runId, mostRanked],
  );
}
