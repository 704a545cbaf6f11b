import { storeForecast } from '../ledger/run-forecast.ts';
import type { Run } from '../ledger/runs.ts';
import { unitsOf } from '../listings/index.ts';
import type { RegionCode } from '../model/index.ts';
import { readDetailsBacklog } from '../status/details-backlog.ts';
import { type NightPlan, planNights } from '../status/plan-night.ts';
import type { CrawlContext } from './context.ts';

type Needs = Pick<CrawlContext, 'db' | 'clock' | 'log' | 'settings'>;

/** What a region's night will cost, as things stand. */
export async function planTonight(
  { db, clock, settings }: Pick<Needs, 'db' | 'clock' | 'settings'>,
  region: RegionCode,
  { maxDetails, again }: { readonly maxDetails: number; readonly again: boolean },
): Promise<NightPlan> {
  const { terms, assumedProducts, maxAgeDays } = settings;
  const now = clock.now();
  const backlog = new Map([[region, await readDetailsBacklog(db, region, { now, limit: maxDetails, maxAgeDays })]]);
  const needs = { now, terms, maxDetails, again, assumedProducts, regions: [region], backlog };
  const [plan] = await planNights(db, needs);
  return plan!;
}

/** Requests for category pages that a region is left tonight (null: all it needs), and those that reading all of them takes. */
export async function planPages(
  context: Pick<Needs, 'db' | 'clock' | 'settings'>,
  region: RegionCode,
): Promise<{ readonly allowed: number | null; readonly needed: number }> {
  const { budget, needed } = await planAnew(context, region, 0);
  const { taxonomy, listing } = needed;
  return { allowed: budget.pages === null ? null : Math.max(0, budget.pages - taxonomy), needed: listing };
}

/** Details that a run may still ask for: as many as it was opened with, within what the quota leaves for tonight. */
export async function detailsAllowed(
  context: Pick<Needs, 'db' | 'clock' | 'settings'>,
  { maxDetails, region }: Run,
): Promise<number> {
  if (maxDetails === 0) return 0;
  const { budget } = await planAnew(context, region, maxDetails);
  return Math.min(maxDetails, budget.details ?? maxDetails);
}

/** The plan of a night that is under way. */
async function planAnew(
  { db, clock, settings }: Pick<Needs, 'db' | 'clock' | 'settings'>,
  region: RegionCode,
  maxDetails: number,
): Promise<NightPlan> {
  const { terms, assumedProducts } = settings;
  const needs = { now: clock.now(), terms, maxDetails, again: true, assumedProducts, regions: [region] };
  const [plan] = await planNights(db, needs);
  return plan!;
}

/** Keeps what a run that begins is expected to cost, and says it. */
export async function forecastRun({ db, log }: Needs, run: Run, plan: NightPlan): Promise<void> {
  const { amount } = plan.cost;
  await storeForecast(db, run.runId, plan, {
    amount: amount && unitsOf(amount),
    currency: amount?.currency ?? null,
  });
  const { requests, seconds, deferredDetails, notes } = plan;
  log.info({ run: run.runId, region: run.region, requests, seconds, deferredDetails, notes }, 'forecast');
}
