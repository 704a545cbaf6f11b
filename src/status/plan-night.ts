import type { Askable } from '../db/client.ts';
import { rowsOf } from '../db/rows.ts';
import { readPastNights } from '../ledger/past-nights.ts';
import { readRepeatingCategories } from '../ledger/repeating-categories.ts';
import { type Amount, type Cost, costOfRequests } from '../listings/index.ts';
import { type RegionCode, regionCodes, regions } from '../model/index.ts';
import { localDate } from '../normalise/promotion-date.ts';
import { type Forecast, forecastNight, type Requests } from '../plan/forecast.ts';
import { type NightBudget, nightBudget } from '../plan/night-budget.ts';
import { pagesLeftOut as pagesLeftOutOn } from '../plan/repeating.ts';
import type { DetailsBacklog } from './details-backlog.ts';
import { type ListingTerms, type MonthSoFar, readMonth } from './quota-left.ts';

export interface PlanNeeds {
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
  /** `open`: only what is left of it counts; `certified`: nothing is asked. */
  readonly state: 'ahead' | 'open' | 'certified';
  readonly cost: Cost;
  /** Details worth a request before a page is read. */
  readonly backlog: number;
  readonly budget: NightBudget;
  /** What its taxonomy and all its pages take. */
  readonly needed: Requests;
  /** What a person should know of it, a sentence each. */
  readonly notes: readonly string[];
}

/** What `crawl` would spend now, from what past nights cost and what the limits leave. Asks the database and nobody else. */
export async function planNights(sql: Askable, needs: PlanNeeds): Promise<NightPlan[]> {
  const { now, terms, regions: asked } = needs;
  const month = await readMonth(sql, terms, now);
  const shared = await regionsSharing(sql, now, asked);
  const nights = await Promise.all(shared.map((region) => readTonight(sql, needs, region)));
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

/** What a request of each stage counts against the limits. */
type StageWeights = Omit<Requests, 'total'>;

function weightsOf({ weights }: ListingTerms, region: RegionCode): StageWeights {
  const weightOf = (endpoint: string) => weights[`${region}-${endpoint}`] ?? 1;
  return {
    taxonomy: weightOf('taxonomy'),
    listing: weightOf('category-page'),
    details: weightOf('product-details'),
  };
}

const unitsOf = ({ taxonomy, listing, details }: Omit<Requests, 'total'>, weigh: StageWeights): number =>
  taxonomy * weigh.taxonomy + listing * weigh.listing + details * weigh.details;

/** The limits are counted in units, and a plan in requests. */
function inRequests({ details, pages }: NightBudget, { taxonomy }: Requests, weigh: StageWeights): NightBudget {
  return {
    details: details === null ? null : Math.floor(details / weigh.details),
    pages:
      pages === null ? null : taxonomy + Math.max(0, Math.floor((pages - taxonomy * weigh.taxonomy) / weigh.listing)),
  };
}

/** A window that is full has to pass before more go out. */
function secondsOfWindows(units: number, { windows }: ListingTerms): number {
  return Math.max(0, ...windows.map(({ windowMs, units: most }) => ((Math.ceil(units / most) - 1) * windowMs) / 1_000));
}

const backlogOf = ({ backlog }: PlanNeeds, region: RegionCode): number => backlog?.get(region)?.wanted ?? 0;

interface Tonight {
  readonly region: RegionCode;
  readonly snapshotDate: string;
  readonly state: NightPlan['state'];
  /** Units that tonight's open run has spent, and the requests of its pages and details that are still to do. */
  readonly spent: number;
  readonly open: OpenRun | null;
  /** No night of the region is published. */
  readonly isFirst: boolean;
  /** `isInTurn`: categories take turns, and of those that are read none is left out for repeating others. */
  forecast(maxDetails: number, isInTurn?: boolean): Forecast;
}

async function readTonight(sql: Askable, needs: PlanNeeds, region: RegionCode): Promise<Tonight> {
  const { now, terms, again = false, assumedProducts } = needs;
  const snapshotDate = localDate(now, regions[region].timeZone);
  const past = await readPastNights(sql, region);
  const [row] = await rowsOf<TonightRow>(sql, selectTonight, [region, snapshotDate]);
  const { requestsPerSecond } = terms;
  const date = row?.openDate ?? snapshotDate;
  const pagesLeftOut = pagesLeftOutOn(await readRepeating(sql, region, date), date);
  return {
    region,
    snapshotDate: date,
    state: row?.phase ? 'open' : row?.isCertified && !again ? 'certified' : 'ahead',
    spent: row?.spent ?? 0,
    open: row?.phase ? { ...row, phase: row.phase } : null,
    isFirst: row?.isFirst ?? true,
    forecast: (maxDetails, isInTurn = false) =>
      forecastNight({
        past,
        pagesLeftOut: isInTurn ? 0 : pagesLeftOut,
        maxDetails,
        backlog: backlogOf(needs, region),
        assumedProducts,
        requestsPerSecond,
      }),
  };
}

/** Of the categories that the last night walked or looked into, those that only repeat others. */
async function readRepeating(sql: Askable, region: RegionCode, snapshotDate: string) {
  const frontier = await rowsOf<{ categoryId: string }>(sql, selectFrontier, [region]);
  const ids = frontier.map(({ categoryId }) => categoryId);
  return ids.length === 0 ? [] : readRepeatingCategories(sql, { runId: 0, region, snapshotDate }, ids);
}

const selectFrontier = `
  select c.category_id as "categoryId" from ops.category_crawl c
  where c.category_no = c.root_no and c.run_id = (
    select run_id from ops.run where region = $1 and status = 'published' order by observed_at desc limit 1)`;

/** How far an open run is. */
interface OpenRun {
  readonly phase: string;
  /** Requests sent for pages and details. */
  readonly pagesSent: number;
  readonly detailsSent: number;
  /** Pages and details in its plan that are still to do. */
  readonly pagesLeft: number;
  readonly detailsLeft: number;
}

interface TonightRow extends Omit<OpenRun, 'phase'> {
  readonly isFirst: boolean;
  readonly isCertified: boolean;
  /** null: there is no open run. */
  readonly phase: string | null;
  readonly openDate: string | null;
  readonly spent: number;
}

/** An open run is continued, whichever night it belongs to. */
const selectTonight = `
  select
    not exists (select from ops.run r where r.region = $1 and r.status = 'published') as "isFirst",
    coalesce((select r.verdict <> 'partial' from ops.run r
      where r.region = $1 and r.snapshot_date = $2 and r.status in ('published', 'held')
      order by r.run_id desc limit 1), false) as "isCertified",
    o.phase::text as phase,
    o.snapshot_date::text as "openDate",
    coalesce((select sum(units) from ops.spend s where s.run_id = o.run_id), 0)::int as spent,
    coalesce((select sum(sent) from ops.spend s where s.run_id = o.run_id and s.endpoint like '%-category-page'), 0)::int as "pagesSent",
    coalesce((select sum(sent) from ops.spend s where s.run_id = o.run_id and s.endpoint like '%-product-details'), 0)::int as "detailsSent",
    (select count(*) from ops.category_page p where p.run_id = o.run_id and p.status = 'planned')::int as "pagesLeft",
    (select count(*) from ops.detail_fetch d where d.run_id = o.run_id and d.status = 'planned')::int as "detailsLeft"
  from (select 1) as one
  left join ops.run o on o.region = $1 and o.status = 'open'`;

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

const usedUp = ({ endsAt }: MonthSoFar): string =>
  `the quota is used up: a crawl asks nothing and stops with exit code 75, until ${endsAt.toISOString()}`;

/** Details that a cap leaves out are another night's; without its pages a run does not end. */
const hasSpentItsCap = ({ open }: Tonight, { requests }: Forecast): boolean =>
  open !== null && open.pagesLeft > 0 && requests.total === 0;

const capSpent =
  'the run has spent what RUN_CAPS allows: a crawl asks nothing and stops with exit code 75, until RUN_CAPS is larger';

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
      ...(perDay == null || perDay >= aNight ? [] : [`a day lets ${perDay} through`]),
      ...(terms.caps === null ? [] : ['RUN_CAPS limits a run']),
    ];
    notes.push(
      `${limits.join(', ')}, fewer than the category pages need: categories take turns, and such a night is partial`,
    );
  } else if (left !== null && units > left) {
    notes.push(`the quota leaves ${left} requests: the run will wait for the next month`);
  }
  const day = terms.windows.find(({ windowMs }) => windowMs === dayMs);
  if (day && units > day.units - usedToday) {
    notes.push(`of the ${day.units} requests a day ${usedToday} are used: the run will wait for the rest`);
  }
  return notes;
}

const dayMs = 86_400_000;

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
