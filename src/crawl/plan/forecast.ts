import { defaultPageSize, pagesDeclared } from './paging.ts';

/** Cost and results of a region's past night. */
export interface PastNight {
  /** No earlier night is published. Only a first night compares children with their parents. */
  readonly isFirst: boolean;
  /** Requests sent, including retries. */
  readonly taxonomy: number;
  readonly listing: number;
  readonly details: number;
  /** Pages that its walked categories declared. */
  readonly pagesDeclared: number;
  /** Pages of repeating categories that were not walked. */
  readonly pagesLeftOut: number;
  /** Pages of categories deferred to another night. */
  readonly pagesDeferred: number;
  /** First pages of children that were compared with their parents. */
  readonly samples: number;
  /** Details worth a request after all pages were read, and before; null if they were not counted then. */
  readonly detailsWanted: number | null;
  readonly detailsBacklog: number | null;
  /** Details chosen by the planner. */
  readonly detailsChosen: number;
  readonly productsListed: number;
  readonly seconds: number;
}

interface ForecastNeeds {
  /** Nights of the region, newest first; only certified ones if there are any. */
  readonly past: readonly PastNight[];
  /** Pages of repeating categories that are not walked tonight. */
  readonly pagesLeftOut: number;
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

/** Number of past nights used for a forecast. */
export const nightsLookedAt = 7;

/**
 * Estimates tonight's requests from past nights: pages from the totals that categories declared last, details from the
 * number that was worth a request.
 */
export function forecastNight(needs: ForecastNeeds): Forecast {
  const { past, maxDetails, assumedProducts, requestsPerSecond } = needs;
  const [last] = past;
  const assumed: string[] = [];
  const taxonomy = last ? Math.max(1, Math.round(median(past.map((night) => night.taxonomy)))) : 1;
  const listing = last ? usualListing(needs, last) : firstListing(assumedProducts);
  if (!last) assumed.push(`no night is known yet: the region is assumed to list ${assumedProducts} products`);

  const wanted = last ? needs.backlog + usualFresh(past, last) : assumedProducts;
  if (last?.isFirst && past.length === 1) {
    assumed.push(`one night is known: ${changedShare * 100}% of its products are assumed to change`);
  }
  const chosen = Math.min(maxDetails, wanted);
  const details = chosen + unseenAsks(past);
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

/** Declared pages follow the catalogue; the ratio of requests to declared pages is typical of the upstream. */
function usualListing({ past, pagesLeftOut }: ForecastNeeds, last: PastNight): number {
  const later = past.filter(({ isFirst, pagesDeclared: pages }) => !isFirst && pages > 0);
  const known = later.length > 0 ? later : past.filter(({ pagesDeclared: pages }) => pages > 0);
  if (known.length === 0) return last.listing;
  // Only a first night samples the children of every category.
  const ratio = median(known.map((night) => (night.listing - (night.isFirst ? night.samples : 0)) / pagesMeant(night)));
  return Math.max(1, Math.round(Math.max(0, last.pagesDeclared + last.pagesDeferred - pagesLeftOut) * ratio));
}

const pagesMeant = ({ pagesDeclared, pagesLeftOut }: PastNight): number => Math.max(1, pagesDeclared - pagesLeftOut);

/** Each top-level category ends in a partly filled page, and children are sampled once. */
function firstListing(products: number): number {
  return pagesDeclared(Math.round(products * (1 + shownTwice)), defaultPageSize) + Math.min(firstSamples, products);
}

/** Details that become worth a request as pages are read: of new products and of changed listings. */
function usualFresh(past: readonly PastNight[], last: PastNight): number {
  const later = past.filter(({ isFirst }) => !isFirst);
  if (later.length === 0) return Math.round(last.productsListed * changedShare);
  return Math.max(0, Math.round(median(later.map(fresh))));
}

const fresh = ({ detailsWanted, detailsBacklog, detailsChosen }: PastNight): number =>
  detailsWanted === null ? detailsChosen : detailsWanted - (detailsBacklog ?? 0);

/** Requests beyond the chosen details: pages of products that no category listed, and retries. */
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

/** Assumed share of products whose price changes in a night, until the second night shows it. */
const changedShare = 0.015;
/** Share of products that a second top-level category also lists, measured on the simulator. */
const shownTwice = 0.17;
/** Children that a first night samples, plus half a page per category for its last page. Measured on the simulator. */
const firstSamples = 48;
/** docs/contribute/performance.md: a first night on two cores, including staging and publication. */
const measuredPerSecond = 150;

export function median(values: readonly number[]): number {
  if (values.length === 0) return 0;
  const sorted = [...values].sort((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}
