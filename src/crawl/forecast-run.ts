import type { RegionCode } from '../base/model/index.ts';
import type { CrawlContext } from './context.ts';
import { readPagesSoFar } from './ledger/category-rotation.ts';
import type { Run } from './ledger/runs.ts';
import { type DetailsBacklog, readDetailsBacklog } from './status/details-backlog.ts';
import { type NightPlan, planNights, weightsOf } from './status/plan-night.ts';
import { readMonth } from './status/quota-left.ts';

type Needs = Pick<CrawlContext, 'db' | 'clock' | 'settings'>;

/** Estimates a region's night from the current state. Without details, their backlog does not matter. */
export async function planTonight(
  { db, clock, settings }: Needs,
  region: RegionCode,
  { maxDetails, again }: { readonly maxDetails: number; readonly again: boolean },
): Promise<NightPlan> {
  const { terms, assumedProducts, maxAgeDays } = settings;
  const now = clock.now();
  const backlog = new Map<RegionCode, DetailsBacklog>();
  if (maxDetails > 0) backlog.set(region, await readDetailsBacklog(db, region, { now, limit: maxDetails, maxAgeDays }));
  const needs = { now, terms, maxDetails, again, assumedProducts, regions: [region], backlog };
  const [plan] = await planNights(db, needs);
  return plan!;
}

export interface PagesAllowed {
  /** Page requests the region may send tonight, including those of its run; null: no limit. */
  readonly allowed: number | null;
  /** Requests needed to read all pages. */
  readonly needed: number;
  /** Requests that the limits allow tonight, ignoring the night's share of the monthly quota. */
  readonly most: number;
  /** Page requests the run has sent, pages they read, and whether any category is read to its end. */
  readonly sent: number;
  readonly read: number;
  readonly hasBegun: boolean;
}

/** Whether a quota or a rate limits what may be sent tonight. */
export async function isLimited({ db, clock, settings }: Needs): Promise<boolean> {
  const { left, perDay } = await readMonth(db, settings.terms, clock.now());
  return left !== null || (perDay ?? null) !== null;
}

/** Number of page requests that the limits leave to a run. */
export async function pagesAllowed(context: Needs, { runId, region }: Run): Promise<PagesAllowed> {
  const { db, clock, settings } = context;
  const { terms } = settings;
  const { budget, needed } = await planAnew(context, region, 0);
  const { taxonomy, listing } = needed;
  const pagesOf = (total: number | null) => (total === null ? null : Math.max(0, total - taxonomy));
  const so = await readPagesSoFar(db, runId);
  const { left, reserve, perDay } = await readMonth(db, terms, clock.now());
  const weight = weightsOf(terms, region).listing;
  const most = [left && left - reserve + so.sent * weight, perDay].flatMap((units) =>
    units === null || units === undefined ? [] : [Math.floor(units / weight)],
  );
  return { ...so, allowed: pagesOf(budget.pages), needed: listing, most: Math.min(Number.POSITIVE_INFINITY, ...most) };
}

/** Details that a run may still request: the number it was opened with, within tonight's share of the quota. */
export async function detailsAllowed(context: Needs, { maxDetails, region }: Run): Promise<number> {
  if (maxDetails === 0 || !(await isLimited(context))) return maxDetails;
  const { budget } = await planAnew(context, region, maxDetails);
  return Math.min(maxDetails, budget.details ?? maxDetails);
}

/** Estimates a night that is in progress. */
async function planAnew({ db, clock, settings }: Needs, region: RegionCode, maxDetails: number): Promise<NightPlan> {
  const { terms, assumedProducts } = settings;
  const needs = { now: clock.now(), terms, maxDetails, again: true, assumedProducts, regions: [region] };
  const [plan] = await planNights(db, needs);
  return plan!;
}
