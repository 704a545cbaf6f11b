import { defaultPageSize, pagesDeclared } from './paging.ts';

/** What a past night of a region cost, and what it found. */
export interface PastNight {
  /** Nothing was published before it: children are held against their parents once. */
  readonly isFirst: boolean;
  /** Requests sent, repetitions included. */
  readonly taxonomy: number;
  readonly listing: number;
  readonly details: number;
  /** Pages that its walked categories declared. */
  readonly pagesDeclared: number;
  /** Of these, pages of categories that only repeat others and were not walked. */
  readonly pagesLeftOut: number;
  /** Pages of categories that waited for another night. */
  readonly pagesDeferred: number;
  /** First pages of children that were held against their parents. */
  readonly samples: number;
  /**
   * Details that were worth a request when all pages were read, and those that were so before; null: not counted then.
   */
  readonly detailsWanted: number | null;
  readonly detailsBacklog: number | null;
  /** Details chosen by the planner. */
  readonly detailsChosen: number;
  readonly productsListed: number;
  readonly seconds: number;
}

interface ForecastNeeds {
  /** Nights of the region, newest first; certified ones where there are any. */
  readonly past: readonly PastNight[];
  /** Pages of categories that only repeat others and are not walked tonight. */
  readonly pagesLeftOut: number;
  /** Details the night may ask for. */
  readonly maxDetails: number;
  /** Details that are worth a request before a page is read: of products without any, and of old ones. */
  readonly backlog: number;
  /** Products that a region is taken to list before anything is known of it. */
  readonly assumedProducts: number;
  /** What the upstream allows; 0: unlimited. */
  readonly requestsPerSecond: number;
}

export interface Forecast {
  readonly requests: Requests;
  readonly seconds: number;
  /** Details worth a request that the night leaves for another one. */
  readonly deferredDetails: number;
  /** Not from nights of this book but from what is assumed before there are any. */
  readonly assumed: readonly string[];
}

/** Whole requests by stage of a run. */
export interface Requests {
  readonly taxonomy: number;
  readonly listing: number;
  readonly details: number;
  readonly total: number;
}

/** Nights that a forecast goes by; what was usual longer ago says little of tonight. */
export const nightsLookedAt = 7;

/**
 * What the nights of a region cost says what tonight will: pages by what categories declared last, details by what was
 * worth asking.
 */
export function forecastNight(needs: ForecastNeeds): Forecast {
  const { past, maxDetails, assumedProducts, requestsPerSecond } = needs;
  const [last] = past;
  const assumed: string[] = [];
  const taxonomy = last ? Math.max(1, Math.round(median(past.map((night) => night.taxonomy)))) : 1;
  const listing = last ? usualListing(needs, last) : firstListing(assumedProducts);
  if (!last) assumed.push(`no night is known yet: the region is taken to list ${assumedProducts} products`);

  const wanted = last ? needs.backlog + usualFresh(past, last) : assumedProducts;
  if (last?.isFirst && past.length === 1) {
    assumed.push(`one night is known: ${changedShare * 100} % of its products are taken to have changed`);
  }
  const chosen = Math.min(maxDetails, wanted);
  const asks = maxDetails === 0 && !last ? 0 : unseenAsks(past);
  const details = chosen + asks;
  const total = taxonomy + listing + details;
  if (!last && requestsPerSecond === 0) {
    assumed.push(`without a limit, ${measuredPerSecond} requests a second are assumed`);
  }
  return {
    requests: { taxonomy, listing, details, total },
    seconds: secondsFor(total, past, requestsPerSecond),
    deferredDetails: Math.max(0, wanted - chosen),
    assumed,
  };
}

/** Declared pages move with the catalogue; what is asked on top of them is a habit of the upstream. */
function usualListing({ past, pagesLeftOut }: ForecastNeeds, last: PastNight): number {
  const later = past.filter(({ isFirst, pagesDeclared: pages }) => !isFirst && pages > 0);
  const known = later.length > 0 ? later : past.filter(({ pagesDeclared: pages }) => pages > 0);
  if (known.length === 0) return last.listing;
  // Only a first night samples the children of every category.
  const ratio = median(known.map((night) => (night.listing - (night.isFirst ? night.samples : 0)) / pagesMeant(night)));
  return Math.max(1, Math.round(Math.max(0, last.pagesDeclared + last.pagesDeferred - pagesLeftOut) * ratio));
}

const pagesMeant = ({ pagesDeclared, pagesLeftOut }: PastNight): number => Math.max(1, pagesDeclared - pagesLeftOut);

/** Top-level categories end in a page that is not full, and their children are sampled once. */
function firstListing(products: number): number {
  return pagesDeclared(Math.round(products * (1 + shownTwice)), defaultPageSize) + Math.min(firstSamples, products);
}

/** Details that become worth a request as the pages are read: of new products, and of those whose listing changed. */
function usualFresh(past: readonly PastNight[], last: PastNight): number {
  const later = past.filter(({ isFirst }) => !isFirst);
  if (later.length === 0) return Math.round(last.productsListed * changedShare);
  return Math.max(0, Math.round(median(later.map(fresh))));
}

const fresh = ({ detailsWanted, detailsBacklog, detailsChosen }: PastNight): number =>
  detailsWanted === null ? detailsChosen : detailsWanted - (detailsBacklog ?? 0);

/** Products that no category listed are asked after by their own page, and some questions are asked again. */
function unseenAsks(past: readonly PastNight[]): number {
  const later = past.filter(({ isFirst }) => !isFirst);
  return later.length === 0 ? 0 : Math.round(median(later.map((n) => Math.max(0, n.details - n.detailsChosen))));
}

function secondsFor(total: number, past: readonly PastNight[], requestsPerSecond: number): number {
  const paces = past.map(
    ({ seconds, ...night }) => seconds / Math.max(1, night.taxonomy + night.listing + night.details),
  );
  const usual = paces.length > 0 ? median(paces) : 0;
  const allowed = requestsPerSecond > 0 ? 1 / requestsPerSecond : 0;
  const each = usual === 0 && allowed === 0 ? 1 / measuredPerSecond : Math.max(usual, allowed);
  return Math.round(total * each * 10) / 10;
}

/**
 * Share of the listed products whose price moves in a night; how many promotions and availabilities do as well, the
 * second night tells.
 */
const changedShare = 0.015;
/** Share of products that a second top-level category shows, too: measured on the simulator, as the next number. */
const shownTwice = 0.17;
/** Children that a first night asks for, and half a page for each category's end. */
const firstSamples = 48;
/** docs/contribute/performance.md: a first night on two cores, fetching, staging and publishing together. */
const measuredPerSecond = 150;

export function median(values: readonly number[]): number {
  if (values.length === 0) return 0;
  const sorted = [...values].sort((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}
