import { type RegionCode, regionCodes } from '../../base/model/index.ts';
import type { Queryable } from '../../db/client.ts';
import { rowsOf } from '../../db/rows.ts';
import { type Amount, type Cost, costOfRequests } from '../../source/listings/index.ts';
import type { Forecast, Requests } from '../plan/forecast.ts';
import { type NightBudget, nightBudget } from '../plan/night-budget.ts';
import type { DetailsBacklog } from './details-backlog.ts';
import { type ListingTerms, type MonthSoFar, readMonth } from './quota-left.ts';
import { readTonight, type Tonight } from './tonight.ts';

interface PlanNeeds {
  readonly now: Date;
  readonly terms: ListingTerms;
  /** Maximum number of details per region. */
  readonly maxDetails: number;
  /** Whether a certified night is crawled again. */
  readonly again?: boolean;
  /** Assumed number of products of a region before its first night. */
  readonly assumedProducts: number;
  /** Regions to plan for tonight; the quota is shared among them. */
  readonly regions: readonly RegionCode[];
  /** Details worth a request before any page is read; a missing region has none. */
  readonly backlog?: ReadonlyMap<RegionCode, DetailsBacklog>;
}

/** Estimated cost of a region's night. */
export interface NightPlan extends Forecast {
  readonly region: RegionCode;
  /** `YYYY-MM-DD`; that of the open run, if there is one. */
  readonly snapshotDate: string;
  readonly state: Tonight['state'];
  readonly cost: Cost;
  /** A plan or a price is configured. Without one, costs are not shown to users. */
  readonly hasPlan: boolean;
  /** Details worth a request before any page is read. */
  readonly backlog: number;
  readonly budget: NightBudget;
  /** Requests for its taxonomy and all its pages. */
  readonly needed: Requests;
  /** Remarks for the user, one sentence each. */
  readonly notes: readonly string[];
}

/** Estimates what `crawl` would spend now, from past nights and the remaining limits. Sends no request. */
export async function planNights(sql: Queryable, needs: PlanNeeds): Promise<NightPlan[]> {
  const { now, terms, again = false, assumedProducts, regions: asked } = needs;
  const month = await readMonth(sql, terms, now);
  const shared = await regionsSharing(sql, now, asked);
  const { requestsPerSecond } = terms;
  const nights = await Promise.all(
    shared.map((region) =>
      readTonight(sql, region, {
        now,
        again,
        assumedProducts,
        requestsPerSecond,
        backlog: backlogOf(needs, region),
      }),
    ),
  );
  const pageNeeds = nights.map(({ region, spent, isFirst, forecast }) => {
    const { requests } = forecast(0);
    return { region, pages: Math.max(spent, unitsOf(requests, weightsOf(terms, region))), spent, isFirst };
  });
  let used = month.used;
  return asked.map((region) => {
    const night = nights.find((each) => each.region === region)!;
    const weigh = weightsOf(terms, region);
    const budget = inRequests(nightBudget(region, month, pageNeeds), night.forecast(0).requests, weigh);
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
      needed: night.forecast(0).requests,
      cost,
      hasPlan: terms.subscription.plan !== null,
      notes: isStopped ? [usedUp(month)] : notesOf(plan, budget, month, { units, terms }),
    };
  });
}

/** Waiting time for full windows. */
function secondsOfWindows(units: number, { windows }: ListingTerms): number {
  return Math.max(0, ...windows.map(({ windowMs, units: most }) => ((Math.ceil(units / most) - 1) * windowMs) / 1_000));
}

const backlogOf = ({ backlog }: PlanNeeds, region: RegionCode): number => backlog?.get(region)?.wanted ?? 0;

function planOf(night: Tonight, needs: PlanNeeds, budget: NightBudget): Forecast {
  const { state, open, forecast } = night;
  const whole = forecast(Math.min(needs.maxDetails, budget.details ?? needs.maxDetails));
  if (state === 'certified') return nothing;
  if (open === null || open.phase === 'taxonomy') return withinBudget(whole, budget);
  // The plan of an open run grows as totals are read.
  const isListing = open.phase === 'categories';
  const listing = isListing ? Math.max(open.pagesLeft, whole.requests.listing - open.pagesSent) : 0;
  const details = isListing ? whole.requests.details : open.detailsLeft;
  return scaledTo(whole, { taxonomy: 0, listing, details });
}

/** Defers pages beyond tonight's budget to another night. */
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

/** A forecast with other requests at the same pace. */
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

/** Assumes dollars, the usual currency of gateways, if no currency is configured. */
const currencyOf = ({ subscription: { plan, pricePerExtraRequest } }: ListingTerms): Amount['currency'] =>
  plan?.pricePerMonth?.currency ?? pricePerExtraRequest?.currency ?? 'USD';

/** Only pages of an open run may use the reserve; a new run also needs a request for the taxonomy. */
function isUsedUp({ left, reserve }: MonthSoFar, { open }: Tonight, weigh: StageWeights): boolean {
  if (left === null || (open && open.pagesLeft + open.detailsLeft === 0 && open.phase !== 'taxonomy')) return false;
  if (open?.phase === 'categories') return left < weigh.listing;
  return left - reserve < (open?.phase === 'details' ? weigh.details : weigh.taxonomy);
}

/** Regions to plan for, plus those crawled in the last week, which share the quota. */
async function regionsSharing(sql: Queryable, now: Date, asked: readonly RegionCode[]): Promise<RegionCode[]> {
  const rows = await rowsOf<{ region: RegionCode }>(
    sql,
    `select distinct region from ops.run
     where status <> 'abandoned' and observed_at > $1::timestamptz - interval '7 days'`,
    [now],
  );
  const sharing = new Set([...asked, ...rows.map(({ region }) => region)]);
  return regionCodes.filter((region) => sharing.has(region));
}

/** Note for a used-up quota: no request is sent before the month resets. */
const usedUp = ({ endsAt }: MonthSoFar): string =>
  `the quota is used up until ${endsAt.toISOString()}: a crawl sends no requests and stops with exit code 75`;

/** Remarks about a plan for the user, one sentence each. */
function notesOf(
  { requests, assumed }: Forecast,
  budget: NightBudget,
  { left, nightsLeft, perDay, usedToday }: MonthSoFar,
  { units, terms }: { readonly units: number; readonly terms: ListingTerms },
): string[] {
  const notes = [...assumed];
  if (requests.total === 0) return notes;
  if (budget.pages !== null) {
    const aNight = left === null ? Number.POSITIVE_INFINITY : left / Math.max(1, nightsLeft);
    const limits = [
      ...(left === null ? [] : [`the quota leaves ${left} requests for ${nightsLeft} nights`]),
      ...(perDay == null || perDay >= aNight ? [] : [`the limits allow ${perDay} a day`]),
    ];
    notes.push(
      `${limits.join(', ')}, fewer than the category pages need: categories rotate, and such a night is partial`,
    );
  } else if (left !== null && units > left) {
    notes.push(`the quota leaves ${left} requests: the run will wait for the next month`);
  }
  const day = terms.windows.find(({ windowMs }) => windowMs === dayMs);
  if (day && units > day.units - usedToday) {
    notes.push(`${usedToday} of the ${day.units} requests a day are used: the run will wait for the rest`);
  }
  return notes;
}

const dayMs = 86_400_000;

/** Units that a request of each phase counts against the limits. */
type StageWeights = Omit<Requests, 'total'>;

export function weightsOf({ weights }: ListingTerms, region: RegionCode): StageWeights {
  const weightOf = (endpoint: string) => weights[`${region}-${endpoint}`] ?? 1;
  return {
    taxonomy: weightOf('taxonomy'),
    listing: weightOf('category-page'),
    details: weightOf('product-details'),
  };
}

const unitsOf = ({ taxonomy, listing, details }: Omit<Requests, 'total'>, weigh: StageWeights): number =>
  taxonomy * weigh.taxonomy + listing * weigh.listing + details * weigh.details;

/** Converts a budget from units, which limits count, to requests, which plans count. */
function inRequests({ details, pages }: NightBudget, { taxonomy }: Requests, weigh: StageWeights): NightBudget {
  return {
    details: details === null ? null : Math.floor(details / weigh.details),
    pages:
      pages === null ? null : taxonomy + Math.max(0, Math.floor((pages - taxonomy * weigh.taxonomy) / weigh.listing)),
  };
}
