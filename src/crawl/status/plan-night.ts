import { type RegionCode, regionCodes } from '../../base/model/index.ts';
import type { Askable } from '../../db/client.ts';
import { rowsOf } from '../../db/rows.ts';
import { type Amount, type Cost, costOfRequests } from '../../source/listings/index.ts';
import type { Forecast, Requests } from '../plan/forecast.ts';
import { type NightBudget, nightBudget } from '../plan/night-budget.ts';
import type { DetailsBacklog } from './details-backlog.ts';
import { capSpent, notesOf, usedUp } from './plan-notes.ts';
import { type ListingTerms, type MonthSoFar, readMonth } from './quota-left.ts';
import { inRequests, type StageWeights, unitsOf, weightsOf } from './stage-weights.ts';
import { type OpenRun, readTonight, type Tonight } from './tonight.ts';

interface PlanNeeds {
  readonly now: Date;
  readonly terms: ListingTerms;
  /** Details a region may ask for. */
  readonly maxDetails: number;
  /** Whether a night that is certified is crawled again. */
  readonly again?: boolean;
  /** Products that a region is taken to list before its first night. */
  readonly assumedProducts: number;
  /** Regions that are crawled tonight; the quota has to last for all of them. */
  readonly regions: readonly RegionCode[];
  /** What is worth a request before a page is read; a region that is left out is taken to have nothing. */
  readonly backlog?: ReadonlyMap<RegionCode, DetailsBacklog>;
}

/** What a region's night will cost. */
export interface NightPlan extends Forecast {
  readonly region: RegionCode;
  /** `YYYY-MM-DD`; of the open run, where there is one. */
  readonly snapshotDate: string;
  readonly state: Tonight['state'];
  readonly cost: Cost;
  /** Details worth a request before a page is read. */
  readonly backlog: number;
  readonly budget: NightBudget;
  /** What its taxonomy and all its pages take. */
  readonly needed: Requests;
  /** What a person should know of it, a sentence each. */
  readonly notes: readonly string[];
}

/**
 * What `crawl` would spend now, from what past nights cost and what the limits leave. Asks the database and nobody
 * else.
 */
export async function planNights(sql: Askable, needs: PlanNeeds): Promise<NightPlan[]> {
  const { now, terms, again = false, assumedProducts, regions: asked } = needs;
  const month = await readMonth(sql, terms, now);
  const shared = await regionsSharing(sql, now, asked);
  const { requestsPerSecond } = terms;
  const nights = await Promise.all(
    shared.map((region) =>
      readTonight(sql, region, { now, again, assumedProducts, requestsPerSecond, backlog: backlogOf(needs, region) }),
    ),
  );
  const pageNeeds = nights.map(({ region, spent, isFirst, forecast }) => {
    const { requests } = forecast(0);
    const weigh = weightsOf(terms, region);
    const taxonomy = weigh.taxonomy * requests.taxonomy;
    return { region, pages: Math.max(spent, unitsOf(requests, weigh)), taxonomy, spent, isFirst };
  });
  let used = month.used;
  return asked.map((region) => {
    const night = nights.find((each) => each.region === region)!;
    const weigh = weightsOf(terms, region);
    const budget = inRequests(
      nightBudget(region, month, pageNeeds, terms.caps ?? {}),
      night.forecast(0).requests,
      weigh,
    );
    const isStopped = night.state !== 'certified' && isUsedUp(month, night, weigh);
    const forecast = isStopped ? nothing : planOf(night, needs, budget);
    const units = unitsOf(forecast.requests, weigh);
    const plan = { ...forecast, seconds: Math.max(forecast.seconds, secondsOfWindows(units, terms)) };
    const cost = costOf(terms, month, used, units);
    used += units;
    return {
      ...plan,
      region,
      snapshotDate: night.snapshotDate,
      state: night.state,
      backlog: backlogOf(needs, region),
      budget,
      needed: night.forecast(0, budget.pages !== null).requests,
      cost,
      notes: isStopped
        ? [usedUp(month)]
        : hasSpentItsCap(night, plan)
          ? [capSpent]
          : notesOf(plan, budget, month, { units, terms }),
    };
  });
}

/** A window that is full has to pass before more go out. */
function secondsOfWindows(units: number, { windows }: ListingTerms): number {
  return Math.max(0, ...windows.map(({ windowMs, units: most }) => ((Math.ceil(units / most) - 1) * windowMs) / 1_000));
}

const backlogOf = ({ backlog }: PlanNeeds, region: RegionCode): number => backlog?.get(region)?.wanted ?? 0;

function planOf(night: Tonight, needs: PlanNeeds, budget: NightBudget): Forecast {
  const { state, open, forecast } = night;
  const whole = forecast(Math.min(needs.maxDetails, budget.details ?? needs.maxDetails));
  if (state === 'certified') return nothing;
  if (open === null || open.phase === 'taxonomy') return withinBudget(whole, budget);
  // Pages come into the plan of an open run as totals are read.
  const isListing = open.phase === 'listing';
  const listing = isListing ? Math.max(open.pagesLeft, whole.requests.listing - open.pagesSent) : 0;
  const details = isListing ? whole.requests.details : open.detailsLeft;
  return scaledTo(whole, leftByCaps(night, open, { listing, details }, needs.terms));
}

/** What RUN_CAPS leaves an open run to ask, its pages first. */
function leftByCaps(
  { region, spent }: Tonight,
  { pagesSent, detailsSent }: OpenRun,
  wanted: Pick<Requests, 'listing' | 'details'>,
  terms: ListingTerms,
): Omit<Requests, 'total'> {
  const weigh = weightsOf(terms, region);
  const {
    total = Number.POSITIVE_INFINITY,
    listing: forPages = Number.POSITIVE_INFINITY,
    details: forDetails = Number.POSITIVE_INFINITY,
  } = terms.caps ?? {};
  const within = (requests: number, units: number, weight: number) =>
    Math.min(requests, Math.max(0, Math.floor(units / weight)));
  const left = total - spent;
  const listing = within(wanted.listing, Math.min(left, forPages - pagesSent * weigh.listing), weigh.listing);
  const leftForDetails = Math.min(left - listing * weigh.listing, forDetails - detailsSent * weigh.details);
  // Pages that are missing keep a run from its details.
  const details = listing < wanted.listing ? 0 : within(wanted.details, leftForDetails, weigh.details);
  return { taxonomy: 0, listing, details };
}

/** Pages that the quota does not leave tonight are another night's. */
function withinBudget(whole: Forecast, { pages }: NightBudget): Forecast {
  if (pages === null) return whole;
  const { taxonomy, listing, details } = whole.requests;
  const forecast = scaledTo(whole, {
    taxonomy,
    listing: Math.max(0, Math.min(listing, pages - taxonomy)),
    details: 0,
  });
  return { ...forecast, deferredDetails: whole.deferredDetails + details };
}

/** Other requests, at the same pace. */
function scaledTo(whole: Forecast, stages: Omit<Requests, 'total'>): Forecast {
  const total = stages.taxonomy + stages.listing + stages.details;
  const seconds = Math.round(whole.seconds * (total / Math.max(1, whole.requests.total)) * 10) / 10;
  return { ...whole, requests: { ...stages, total }, seconds };
}

const nothing: Forecast = {
  requests: { taxonomy: 0, listing: 0, details: 0, total: 0 },
  seconds: 0,
  deferredDetails: 0,
  assumed: [],
};

function costOf(terms: ListingTerms, { included }: MonthSoFar, used: number, requests: number): Cost {
  if (requests === 0 || terms.isFree) return { amount: { micros: 0, currency: currencyOf(terms) }, why: null };
  return costOfRequests(terms.subscription, { requests, used, included });
}

/** Gateways price in dollars where nothing else is told. */
const currencyOf = ({ subscription: { plan, pricePerExtraRequest } }: ListingTerms): Amount['currency'] =>
  plan?.pricePerMonth?.currency ?? pricePerExtraRequest?.currency ?? 'USD';

/** Only the pages of an open run may use what is kept back: without it there is not even a request for the taxonomy. */
function isUsedUp({ left, reserve }: MonthSoFar, { open }: Tonight, weigh: StageWeights): boolean {
  if (left === null || (open && open.pagesLeft + open.detailsLeft === 0 && open.phase !== 'taxonomy')) return false;
  if (open?.phase === 'listing') return left < weigh.listing;
  return left - reserve < (open?.phase === 'details' ? weigh.details : weigh.taxonomy);
}

/** Details that a cap leaves out are another night's; without its pages a run does not end. */
const hasSpentItsCap = ({ open }: Tonight, { requests }: Forecast): boolean =>
  open !== null && open.pagesLeft > 0 && requests.total === 0;

/** Regions crawled in the last week share the quota with those asked for. */
async function regionsSharing(sql: Askable, now: Date, asked: readonly RegionCode[]): Promise<RegionCode[]> {
  const rows = await rowsOf<{ region: RegionCode }>(
    sql,
    `select distinct region from ops.run where status <> 'abandoned' and observed_at > $1::timestamptz - interval '7 days'`,
    [now],
  );
  const sharing = new Set([...asked, ...rows.map(({ region }) => region)]);
  return regionCodes.filter((region) => sharing.has(region));
}
