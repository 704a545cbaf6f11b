import { plural } from '../base/format.ts';
import { localDate } from '../base/local-date.ts';
import { type RegionCode, regions as regionTerms } from '../base/model/index.ts';
import { pagesOfUnknown } from '../crawl/plan/paging.ts';
import { repairs, shareOfTonight } from '../crawl/run/budget.ts';
import { type ListingTerms, type MonthSoFar, readMonth } from '../crawl/run/quota-left.ts';
import type { Queryable } from '../db/client.ts';
import { camelRows } from '../db/rows.ts';
import { type Cost, costOfRequests } from '../source/listings/index.ts';

export interface PlanNeeds {
  readonly now: Date;
  readonly terms: ListingTerms;
  readonly regions: readonly RegionCode[];
  /** Maximum number of details per region, and their maximum age in days. */
  readonly maxDetails: number;
  readonly maxAgeDays: number;
  /** Whether a certified night is crawled again. */
  readonly again?: boolean;
  /** Assumed number of products of a region before its first night. */
  readonly assumedProducts: number;
}

/** Estimated requests, time and cost of a region's night. */
export type NightPlan = ReturnType<typeof planNight>;

/** The nights, and usage of the month at its end. */
export type Plan = Awaited<ReturnType<typeof plan>>;

/** Estimates what `crawl` would cost now, and what the month will, from past nights and the limits. */
export async function plan(sql: Queryable, needs: PlanNeeds) {
  const month = await readMonth(sql, needs.terms, needs.now);
  const { left, nightsLeft, endsAt } = month;
  const nights: NightPlan[] = [];
  let [used, later, ofMonth] = [month.used, 0, 0];
  for (const region of needs.regions) {
    const night = await readNight(sql, region, needs);
    const share = await shareOfTonight(sql, { ...needs, region, month });
    const planned = planNight(night, { ...needs, month, share, used });
    used += planned.requests.total;
    // The nights left begin with tonight, which is planned or was crawled already.
    const totalOf = (nights: number) => requestsOf(wholeNights(night, needs, nights)).total;
    later += planned.state === 'certified' ? totalOf(nightsLeft - 1) : totalOf(nightsLeft) - totalOf(1);
    ofMonth += totalOf(nightsOfMonth);
    nights.push(planned);
  }
  const requestsExpected = used + later;
  /** Null: no quota is known. */
  const isQuotaSufficient = left === null ? null : requestsExpected - month.used <= left;
  const ofNights = { requestsUsed: month.used, requestsExpected, isQuotaSufficient, requestsOfMonth: ofMonth };
  return { nights, month: { endsAt, nightsLeft, ...ofNights } };
}

/** Nights of the estimate that is the same on each day of a month. */
export const nightsOfMonth = 30;

/** `share`: requests of tonight at most (null: any number); `used`: requests of the month before this night. */
type Limits = PlanNeeds & { readonly month: MonthSoFar; readonly share: number | null; readonly used: number };

function planNight(night: Night, { again, terms, month, share, used, ...needs }: Limits) {
  const { region, open } = night;
  const state = open ? ('open' as const) : night.isCertified && !again ? ('certified' as const) : ('ahead' as const);
  const isStopped = state !== 'certified' && month.left === 0;
  const isNothing = state === 'certified' || isStopped;
  const whole = wholeNights(night, needs);
  const rest = {
    taxonomy: open && open.pagesDone > 0 ? 0 : whole.taxonomy,
    listing: Math.max(0, whole.listing - (open?.pagesDone ?? 0)),
    details: Math.max(0, whole.details - (open?.detailsDone ?? 0)),
  };
  const max = open?.left ?? share ?? Number.POSITIVE_INFINITY;
  const listing = Math.max(0, Math.min(rest.listing, max - rest.taxonomy));
  const details = Math.max(0, Math.min(rest.details, max - rest.taxonomy - listing - (open ? 0 : repairs(listing))));
  const requests = requestsOf(isNothing ? nothing : { taxonomy: rest.taxonomy, listing, details });
  const notes: string[] = [];
  if (isStopped)
    notes.push(
      `the quota is used up until ${month.endsAt.toISOString()}: a crawl sends no requests and stops with exit code 75`,
    );
  if (!isNothing && !night.last)
    notes.push(`no night is known yet: the region is assumed to list ${plural(needs.assumedProducts, 'product')}`);
  if (!isNothing && listing < rest.listing) notes.push(tooFew(listing, rest.listing, month, terms));
  return {
    region,
    /** `YYYY-MM-DD`; that of the open run, if there is one. */
    snapshotDate: open?.snapshotDate ?? night.snapshotDate,
    /** `open`: only the remaining work counts; `certified`: no requests are sent. */
    state,
    requests,
    seconds: secondsFor(requests.total, night, terms),
    cost: costOf(terms, { requests: requests.total, used, included: month.included }),
    /** A plan or a price is configured. Without one, costs are not shown to users. */
    hasPlan: terms.subscription.plan !== null,
    /** Details worth a request, by reason, that would be requested now; changes found on pages are added. */
    details: night.details,
    /** Details worth a request that are left for another night. */
    deferredDetails: isNothing ? 0 : Math.max(0, detailsDue(night, needs) - requests.details),
    /** Remarks for the user, one sentence each. */
    notes,
  };
}

const nothing = { taxonomy: 0, listing: 0, details: 0 };
const requestsOf = (stages: typeof nothing) => ({
  ...stages,
  total: stages.taxonomy + stages.listing + stages.details,
});

/** All requests of the next nights: each as many pages as the last one, and details that are or become due. */
function wholeNights(night: Night, needs: Pick<PlanNeeds, 'maxDetails' | keyof Due>, nights = 1) {
  const { last } = night;
  const listing = last ? Math.max(1, last.pages) : pagesOfUnknown(needs.assumedProducts);
  const details = Math.min(nights * needs.maxDetails, detailsDue(night, needs, nights));
  return { taxonomy: nights, listing: nights * listing, details: details + nights * (last?.missing ?? 0) };
}

type Due = Pick<PlanNeeds, 'assumedProducts' | 'maxAgeDays'>;

/** Details that are waiting, of new and changed products, and, after tonight, read longest ago. */
const detailsDue = ({ last, wanted }: Night, { assumedProducts, maxAgeDays }: Due, nights = 1): number =>
  last ? wanted + nights * last.fresh + Math.ceil(((nights - 1) * last.products) / maxAgeDays) : assumedProducts;

/** Time by the pace of the last night, the rate and full windows. */
function secondsFor(total: number, { last }: Night, { requestsPerSecond, windows }: ListingTerms): number {
  const usual = last?.requests ? last.seconds / last.requests : 0;
  const allowed = requestsPerSecond > 0 ? 1 / requestsPerSecond : 0;
  const asked = Math.round(total * (Math.max(usual, allowed) || 1 / measuredPerSecond) * 10) / 10;
  return Math.max(asked, ...windows.map(({ windowMs, units }) => ((Math.ceil(total / units) - 1) * windowMs) / 1_000));
}

/** docs/contribute/performance.md: a first night on two cores, including staging and publication. */
const measuredPerSecond = 150;

function costOf(terms: ListingTerms, month: Parameters<typeof costOfRequests>[1]): Cost {
  const { plan: bought, pricePerExtraRequest: extra } = terms.subscription;
  const currency = bought?.pricePerMonth?.currency ?? extra?.currency ?? 'USD';
  if (month.requests === 0 || terms.isFree) return { amount: { micros: 0, currency }, why: null };
  return costOfRequests(terms.subscription, month);
}

function tooFew(listing: number, wanted: number, { left, nightsLeft }: MonthSoFar, { windows }: ListingTerms): string {
  const limits = [
    ...(left === null ? [] : [`the quota leaves ${plural(left, 'request')} for ${plural(nightsLeft, 'night')}`]),
    ...windows
      .filter(({ windowMs }) => windowMs === 86_400_000)
      .map(({ units }) => `the limits allow ${plural(units, 'request')} a day`),
  ];
  return (
    `${limits.join(' and ')}: tonight leaves out ${plural(wanted - listing, 'page')}, those of the categories ` +
    'that were read last, and will be partial'
  );
}

/** State of a region's night, and cost and results of its last complete one. */
interface Night {
  readonly region: RegionCode;
  readonly snapshotDate: string;
  readonly isCertified: boolean;
  /** The open run; `left`: requests that it may still send (null: any number). */
  readonly open: { snapshotDate: string; pagesDone: number; detailsDone: number; left: number | null } | null;
  /** Null: none is known. `fresh`: its new and changed products; `missing`: details of products no category listed. */
  readonly last: Record<'pages' | 'products' | 'fresh' | 'missing' | 'requests' | 'seconds', number> | null;
  /** Details worth a request before any page is read, and those within the limit by reason. */
  readonly wanted: number;
  readonly details: Readonly<Record<string, number>>;
}

async function readNight(sql: Queryable, region: RegionCode, needs: PlanNeeds): Promise<Night> {
  const { now, maxDetails, maxAgeDays } = needs;
  const snapshotDate = localDate(now, regionTerms[region].timeZone);
  const [row] = await camelRows<Pick<Night, 'isCertified' | 'open' | 'last'>>(sql, selectNight, [region, snapshotDate]);
  const reasons = await camelRows<{ reason: string; wanted: number; chosen: number }>(sql, selectDetails, [
    region,
    now,
    maxAgeDays,
    maxDetails,
  ]);
  const details = Object.fromEntries(reasons.filter(({ chosen }) => chosen > 0).map((r) => [r.reason, r.chosen]));
  return { region, snapshotDate, ...row!, wanted: reasons[0]?.wanted ?? 0, details };
}

const selectDetails = `
  select reason, max(wanted)::int as wanted, (count(*) filter (where place <= $4))::int as chosen
  from ops.choose_details($1, null, $2, greatest($4, 1), $3) group by reason order by min(place)`;

/** The open run, whichever night it belongs to, and the last certified night, else the last published or held. */
const selectNight = `
  with last as (
    select r.*, exists (
      select from ops.published_run before where before.region = $1 and before.observed_at < r.observed_at) as is_later
    from ops.run r where r.region = $1 and r.status in ('published', 'held')
    order by r.status = 'published' and r.verdict <> 'partial' desc, r.status = 'published' desc, r.observed_at desc
    limit 1
  )
  select
    coalesce((select r.verdict <> 'partial' from ops.run r
      where r.region = $1 and r.snapshot_date = $2 and r.status in ('published', 'held')
      order by r.run_id desc limit 1), false) as is_certified,
    (select json_build_object('snapshotDate', o.snapshot_date,
       'pagesDone', (select count(*) from ops.category_page p where p.run_id = o.run_id and p.status <> 'planned'),
       'detailsDone', (select count(*) from ops.detail_fetch d where d.run_id = o.run_id and d.status <> 'planned'),
       'left', (select max_requests - reserved from ops.run_budget b where b.run_id = o.run_id))
     from ops.run o where o.region = $1 and o.status = 'open') as open,
    -- Until a night is published, each samples the children of every category, and all its products are new.
    (select json_build_object(
       'pages', (select coalesce(sum(c.pages_planned), 0) from ops.category_crawl c
         where c.run_id = last.run_id and (last.status = 'held' or not c.is_sample or c.category_no = c.root_no)),
       'products', coalesce(last.products_listed, 0),
       -- Details of old products that wait for their first reading are not fresh.
       'fresh', (select count(*) from catalog.product p
           where p.region = $1 and p.first_seen_at = last.observed_at and last.is_later)
         + (select count(*) from ops.detail_fetch d where d.run_id = last.run_id and d.reason = 'changed'),
       'missing', (select count(*) from ops.detail_fetch d where d.run_id = last.run_id and d.reason = 'missing'),
       'requests', last.requests_spent,
       'seconds', coalesce(extract(epoch from last.finished_at - last.started_at), 0)::float8)
     from last) as last`;
