import { storeForecast } from '../ledger/run-forecast.ts';
import type { Run } from '../ledger/runs.ts';
import { unitsOf } from '../listings/index.ts';
import type { RegionCode } from '../model/index.ts';
import { readStanding } from '../status/details-standing.ts';
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
  const standing = new Map([[region, await readStanding(db, region, { now, limit: maxDetails, maxAgeDays })]]);
  const needs = { now, terms, maxDetails, again, assumedProducts, regions: [region], standing };
  const [plan] = await planNights(db, needs);
  return plan!;
}

/** Details that a run may still ask for: as many as it was opened with, within what the quota leaves for tonight. */
export async function detailsAllowed(
  { db, clock, settings }: Pick<Needs, 'db' | 'clock' | 'settings'>,
  run: Run,
): Promise<number> {
  const { maxDetails, region } = run;
  const { terms, assumedProducts } = settings;
  const [plan] = await planNights(db, {
    now: clock.now(),
    terms,
    maxDetails,
    again: true,
    assumedProducts,
    regions: [region],
  });
  const { budget } = plan!;
  return Math.min(run.maxDetails, budget.details ?? run.maxDetails);
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
