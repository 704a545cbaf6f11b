import { storeForecast } from '../ledger/run-forecast.ts';
import type { Run } from '../ledger/runs.ts';
import { unitsOf } from '../listings/index.ts';
import type { RegionCode } from '../model/index.ts';
import { type NightPlan, planNights } from '../status/plan-night.ts';
import type { CrawlContext } from './context.ts';

type Needs = Pick<CrawlContext, 'db' | 'clock' | 'log' | 'settings'>;

/** What a region's night will cost, as things stand. */
export async function planTonight(
  { db, clock, settings }: Pick<Needs, 'db' | 'clock' | 'settings'>,
  region: RegionCode,
  { maxDetails, again }: { readonly maxDetails: number; readonly again: boolean },
): Promise<NightPlan> {
  const { terms, assumedProducts } = settings;
  const needs = { now: clock.now(), terms, maxDetails, again, assumedProducts, regions: [region] };
  const [plan] = await planNights(db, needs);
  return plan!;
}

/** Details that a run may still ask for: as many as it was opened with, within what the quota leaves for tonight. */
export async function detailsAllowed(needs: Pick<Needs, 'db' | 'clock' | 'settings'>, run: Run): Promise<number> {
  const { budget } = await planTonight(needs, run.region, { maxDetails: run.maxDetails, again: true });
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
