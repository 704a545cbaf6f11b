import type { RegionCode } from '../../base/model/index.ts';
import type { Queryable } from '../../db/client.ts';
import { camelRows } from '../../db/rows.ts';
import { pagesOfUnknown } from '../plan/paging.ts';
import { type ListingTerms, type MonthSoFar, readMonth } from './quota-left.ts';
import type { Run } from './runs.ts';

/** Error of a page or detail that was not requested because the run had used up its requests. */
export const budgetCode = 'budget';

interface ShareNeeds {
  readonly now: Date;
  readonly terms: ListingTerms;
  readonly region: RegionCode;
  /** Regions that share the quota, beside those crawled in the last week. */
  readonly regions: readonly RegionCode[];
  /** Assumed number of products of a region before its first night. */
  readonly assumedProducts: number;
  readonly month?: MonthSoFar;
}

/**
 * Requests that a region may send tonight: the rest of the month divided by its remaining nights and by the regions,
 * and at most its part of what the other limits allow in a day. A first night may take more, if it can then be read
 * completely, because later nights are compared with it. Null: no limit.
 */
export async function shareOfTonight(sql: Queryable, needs: ShareNeeds): Promise<number | null> {
  const { now, terms, region, assumedProducts } = needs;
  const { left, nightsLeft } = needs.month ?? (await readMonth(sql, terms, now));
  const [tonight] = await camelRows<Tonight>(sql, selectTonight, [region, now, terms.listing, needs.regions]);
  const { isFirst, regions, sent, sentByRegion } = tonight!;
  const aDay = Math.min(...terms.windows.map(({ windowMs, units }) => Math.floor((units * dayMs) / windowMs)));
  const perDay = Math.floor(aDay / regions);
  // A run that waits for the next month must not be limited by what the last one left.
  if (left === null || left === 0) return aDay === Number.POSITIVE_INFINITY ? null : perDay;
  const whole = pagesOfUnknown(assumedProducts);
  if (isFirst && whole <= Math.min(left / regions, perDay)) return Math.min(Math.floor(left / regions), perDay);
  const share = Math.floor((left + sent) / nightsLeft / regions);
  return Math.max(1, Math.min(share, perDay) - sentByRegion);
}

/** Fixes how many requests the run may send from now on; `ops.reserve` enforces it. Returns that number; null: any. */
export async function setBudget(
  sql: Queryable,
  { runId, region }: Pick<Run, 'runId' | 'region'>,
  needs: Omit<ShareNeeds, 'region' | 'regions'>,
): Promise<number | null> {
  const maxRequests = await shareOfTonight(sql, { ...needs, region, regions: [region] });
  await sql.query('insert into ops.run_budget (run_id, max_requests) values ($1, $2) on conflict do nothing', [
    runId,
    maxRequests,
  ]);
  return maxRequests;
}

/** Number of details that a run may request: those it was opened with, as far as its pages and repairs leave them. */
export async function detailsAllowed(sql: Queryable, { runId, maxDetails }: Run): Promise<number> {
  const [row] = await camelRows<{ left: number | null; pages: number }>(
    sql,
    `select max_requests - reserved as left, (select count(*)::int from ops.category_page where run_id = $1) as pages
     from (select) as one left join ops.run_budget on run_id = $1`,
    [runId],
  );
  const { left, pages } = row!;
  return Math.max(0, Math.min(maxDetails, left === null ? maxDetails : left - repairs(pages)));
}

/** Requests that are kept for repairs when details are chosen. */
export const repairs = (pages: number): number => Math.ceil(0.1 * pages);
const dayMs = 86_400_000;

interface Tonight {
  /** No night of the region is published. */
  readonly isFirst: boolean;
  /** Regions that share the quota. */
  readonly regions: number;
  /** Requests sent tonight, and those of the region. */
  readonly sent: number;
  readonly sentByRegion: number;
}

const selectTonight = `
  select not exists (select from ops.published_run where region = $1) as is_first,
    (select count(distinct region)::int from (
      select region from ops.run where status <> 'abandoned' and observed_at > $2::timestamptz - interval '7 days'
      union all select unnest($4::text[])) as crawled) as regions,
    coalesce(sum(s.sent), 0)::int as sent, coalesce(sum(s.sent) filter (where s.region = $1), 0)::int as sent_by_region
  from ops.spend s
  where s.listing = $3 and s.run_id is not null and s.hour > $2::timestamptz - interval '12 hours' and s.hour <= $2`;
