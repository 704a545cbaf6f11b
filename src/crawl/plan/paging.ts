/** Products on a full page if the payload does not state it: full pages of the upstream have 24. */
export const defaultPageSize = 24;

/** Number of pages that a declared total implies; at least 1. */
export function pagesDeclared(declaredTotal: number, pageSize: number): number {
  return Math.max(1, Math.ceil(declaredTotal / Math.max(1, pageSize)));
}

/** A smaller first page probably lacks products: with its size, a category would cost many times its pages. */
const leastPageSize = 10;
/** Plans up to this number of pages cost little even if the page size is wrong. */
const fewPages = 8;

/**
 * Page size according to the first page: its item count, if the total declares more. Null if that proves nothing or is
 * not credible.
 */
export function pageSizeShown({
  itemsReceived,
  declaredTotal,
}: Pick<PageSeen, 'itemsReceived' | 'declaredTotal'>): number | null {
  if (itemsReceived === 0 || declaredTotal === null || declaredTotal <= itemsReceived) return null;
  return itemsReceived >= leastPageSize || pagesDeclared(declaredTotal, itemsReceived) <= fewPages
    ? itemsReceived
    : null;
}

/** What a page shows about the pages after it. */
interface PageSeen {
  readonly pageNo: number;
  readonly pagesPlanned: number;
  readonly declaredTotal: number | null;
  readonly pageSize: number;
  readonly itemsReceived: number;
}

/**
 * Number of pages the category's plan should have after this page. A credible declared total decides, unless the last
 * page holds more than the total leaves for it, or is full: then one more page is requested. Without a total the plan
 * grows by a quarter, at most `most` pages, until its last page is empty.
 */
export function planPages(seen: PageSeen, most: number): number {
  const { pageNo, pagesPlanned, declaredTotal, pageSize, itemsReceived } = seen;
  if (declaredTotal !== null) {
    const declared = pagesDeclared(declaredTotal, pageSize);
    const left = Math.max(0, declaredTotal - (pageNo - 1) * pageSize);
    const isOverfull = pageNo === declared && itemsReceived > left;
    const hasMore = pageNo >= declared && itemsReceived > 0 && (isOverfull || itemsReceived >= pageSize);
    return Math.max(pagesPlanned, hasMore ? pageNo + 1 : pagesBelieved(seen, declared, most));
  }
  const isLastPlanned = pageNo >= pagesPlanned;
  return isLastPlanned && itemsReceived > 0 ? pagesPlanned + Math.min(Math.ceil(pagesPlanned / 4), most) : pagesPlanned;
}

/**
 * A fifth of a whole region's pages (12,444 for 300,000 products): up to this, a full page suffices to plan the whole
 * declared total.
 */
const maxBelieved = 2_500;

/**
 * Limits the plan if the total may be thousands of pages too high. After a partly filled page, or with an incredible
 * total, the plan reaches at most two to four times as far as pages had products, or twice `most`.
 */
function pagesBelieved({ pageNo, pageSize, itemsReceived }: PageSeen, declared: number, most: number): number {
  if (itemsReceived >= pageSize && declared <= maxBelieved) return declared;
  const seen = itemsReceived > 0 ? pageNo : 0;
  const doublings = Math.ceil(Math.log2(Math.max(1, seen / most)));
  return Math.min(declared, most * 2 ** (1 + doublings));
}

/**
 * Whether only new products justify requesting the next page: some upstreams repeat their last page, or put
 * advertisements on empty ones.
 */
export function isAtEnd({ pageNo, declaredTotal, pageSize }: PageSeen): boolean {
  return pageNo > 1 && (declaredTotal === null || pageNo >= pagesDeclared(declaredTotal, pageSize));
}

/**
 * Units that a worker claims at once, and maximum growth of a plan without a total: about three seconds of requests.
 */
export function unitsAtATime(requestsPerSecond: number): number {
  if (requestsPerSecond === 0) return 40;
  return Math.min(40, Math.max(4, Math.round(requestsPerSecond * 3)));
}

/** Whether a page is empty although the category's total says otherwise; such a page is requested once more. */
export function isSuspiciouslyEmpty(
  { pageNo, itemsReceived, declaredTotal, resultsPerPage }: EmptyPage,
  knownTotal: number | null,
): boolean {
  if (itemsReceived > 0) return false;
  const total = Math.max(declaredTotal ?? 0, knownTotal ?? 0);
  return pageNo === 1 || pageNo <= pagesDeclared(total, resultsPerPage ?? defaultPageSize);
}

interface EmptyPage {
  readonly pageNo: number;
  readonly itemsReceived: number;
  readonly declaredTotal: number | null;
  readonly resultsPerPage: number | null;
}

/** Assumed number of page requests of a region before its first night. */
export function pagesOfUnknown(products: number): number {
  return pagesDeclared(Math.round(products * (1 + listedTwice)), defaultPageSize) + Math.min(firstSamples, products);
}

/** Share of products that a second top-level category also lists, measured on the simulator. */
const listedTwice = 0.17;
/** Children that a first night samples, plus half a page per category for its last page. Measured on the simulator. */
const firstSamples = 48;
