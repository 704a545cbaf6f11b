import { defaultPageSize, pagesDeclared } from './paging.ts';

/** Cost and results of a region's last complete night. */
export interface PastNight {
  /** No earlier night is published. Only a first night compares children with their parents. */
  readonly isFirst: boolean;
  /** Requests sent, including retries. */
  readonly listing: number;
  readonly details: number;
  /** Pages of categories deferred to another night. */
  readonly pagesDeferred: number;
  /** First pages of children that were compared with their parents. */
  readonly samples: number;
  /** Details chosen by the planner; `detailsFresh`: those of products that were new or had changed. */
  readonly detailsFresh: number;
  readonly detailsChosen: number;
  readonly productsListed: number;
  readonly seconds: number;
}

interface ForecastNeeds {
  /** Null: no night of the region is known. */
  readonly last: PastNight | null;
  /** Maximum number of details of the night. */
  readonly maxDetails: number;
  /** Details worth a request before any page is read: missing ones and old ones. */
  readonly backlog: number;
  /** Assumed number of products of an unknown region. */
  readonly assumedProducts: number;
  /** Rate limit of the upstream; 0: unlimited. */
  readonly requestsPerSecond: number;
}

export interface Forecast {
  readonly requests: Requests;
  readonly seconds: number;
  /** Details worth a request that are deferred to another night. */
  readonly deferredDetails: number;
  /** Assumptions used in place of past nights. */
  readonly assumed: readonly string[];
}

/** Requests by phase of a run, in whole numbers. */
export interface Requests {
  readonly taxonomy: number;
  readonly listing: number;
  readonly details: number;
  readonly total: number;
}

/** Estimates tonight's requests: those of the last complete night, and the details that are worth one. */
export function forecastNight({
  last,
  maxDetails,
  backlog,
  assumedProducts,
  requestsPerSecond,
}: ForecastNeeds): Forecast {
  const assumed: string[] = [];
  if (!last) assumed.push(`no night is known yet: the region is assumed to list ${assumedProducts} products`);
  if (!last && requestsPerSecond === 0)
    assumed.push(`without a limit, ${measuredPerSecond} requests a second are assumed`);
  if (last?.isFirst) assumed.push(`one night is known: ${changedShare * 100}% of its products are assumed to change`);
  const listing = last ? usualListing(last) : firstListing(assumedProducts);
  const wanted = last ? backlog + usualFresh(last) : assumedProducts;
  const chosen = Math.min(maxDetails, wanted);
  const details = chosen + unseenAsks(last);
  const total = 1 + listing + details;
  return {
    requests: { taxonomy: 1, listing, details, total },
    seconds: secondsFor(total, last, requestsPerSecond),
    deferredDetails: Math.max(0, wanted - chosen),
    assumed,
  };
}

/** Only a first night samples the children of every category. */
const usualListing = ({ isFirst, listing, samples, pagesDeferred }: PastNight): number =>
  Math.max(1, listing - (isFirst ? samples : 0) + pagesDeferred);

/** Each top-level category ends in a partly filled page, and children are sampled once. */
const firstListing = (products: number): number =>
  pagesDeclared(Math.round(products * (1 + shownTwice)), defaultPageSize) + Math.min(firstSamples, products);

/** Details that become worth a request as pages are read: of new products and of changed listings. */
const usualFresh = ({ isFirst, productsListed, detailsFresh }: PastNight): number =>
  isFirst ? Math.round(productsListed * changedShare) : detailsFresh;

/** Requests beyond the chosen details: pages of products that no category listed, and retries. */
const unseenAsks = (last: PastNight | null): number =>
  last && !last.isFirst ? Math.max(0, last.details - last.detailsChosen) : 0;

function secondsFor(total: number, last: PastNight | null, requestsPerSecond: number): number {
  const usual = last ? last.seconds / (1 + last.listing + last.details) : 0;
  const allowed = requestsPerSecond > 0 ? 1 / requestsPerSecond : 0;
  return Math.round(total * (Math.max(usual, allowed) || 1 / measuredPerSecond) * 10) / 10;
}

/** Assumed share of products whose price changes in a night, until the second night shows it. */
const changedShare = 0.015;
/** Share of products that a second top-level category also lists, measured on the simulator. */
const shownTwice = 0.17;
/** Children that a first night samples, plus half a page per category for its last page. Measured on the simulator. */
const firstSamples = 48;
/** docs/contribute/performance.md: a first night on two cores, including staging and publication. */
const measuredPerSecond = 150;
