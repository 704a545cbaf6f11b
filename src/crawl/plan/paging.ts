/** Results on a full page when the payload does not say (payloads.md, section 2.2: 24). */
export const defaultPageSize = 24;

/** Pages a category declares; at least the first. */
export function pagesDeclared(declaredTotal: number, pageSize: number): number {
  return Math.max(1, Math.ceil(declaredTotal / Math.max(1, pageSize)));
}

/** A first page with fewer is short of something: planned by its size, a category would cost many times its pages. */
const leastPageSize = 10;
/** So many pages cost little more than what they are planned for. */
const fewPages = 8;

/**
 * What a full page holds as the first one shows it: all it has, where the total says that there is more. null: that
 * tells nothing, or is not to be believed.
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

/** What a page tells about those after it. */
interface PageSeen {
  readonly pageNo: number;
  readonly pagesPlanned: number;
  readonly declaredTotal: number | null;
  readonly pageSize: number;
  readonly itemsReceived: number;
  /** Items on top of the count that every page before it showed at least: advertisements, so not more to come. */
  readonly onTop?: number;
}

/**
 * How many pages the category should have in its plan now that this one was read. A declared total rules, as far as it
 * is believed, unless the page at its end holds more than the total leaves for it, or it or one beyond it is full: then
 * nothing says that this is the end, and one more is asked for. Without a total the plan grows by a quarter, by `most`
 * pages at most, behind its last page until that is empty.
 */
export function planPages(seen: PageSeen, most: number): number {
  const { pageNo, pagesPlanned, declaredTotal, pageSize, itemsReceived, onTop = 0 } = seen;
  if (declaredTotal !== null) {
    const declared = pagesDeclared(declaredTotal, pageSize);
    const left = Math.max(0, declaredTotal - (pageNo - 1) * pageSize);
    const own = itemsReceived - onTop;
    const isOverfull = pageNo === declared && own > left;
    const hasMore = pageNo >= declared && own > 0 && (isOverfull || own >= pageSize);
    return Math.max(pagesPlanned, hasMore ? pageNo + 1 : pagesBelieved(seen, declared, most));
  }
  const isLastPlanned = pageNo >= pagesPlanned;
  return isLastPlanned && itemsReceived > 0 ? pagesPlanned + Math.min(Math.ceil(pagesPlanned / 4), most) : pagesPlanned;
}

/**
 * A fifth of the pages of a whole region (12,444 for 300,000 products): up to here a
 * full page is reason enough to plan all that the total declares.
 */
const mostBelieved = 2_500;

/**
 * A total may be thousands of pages too high, and every page costs a request. Beyond a page that is not full, or where
 * the total is beyond belief, the plan reaches two to four times as far as pages were seen to hold something, or twice
 * `most`.
 */
function pagesBelieved({ pageNo, pageSize, itemsReceived }: PageSeen, declared: number, most: number): number {
  if (itemsReceived >= pageSize && declared <= mostBelieved) return declared;
  const seen = itemsReceived > 0 ? pageNo : 0;
  const doublings = Math.ceil(Math.log2(Math.max(1, seen / most)));
  return Math.min(declared, most * 2 ** (1 + doublings));
}

/**
 * Whether only new products justify going on behind this page: upstreams repeat their last page, and put advertisements
 * on empty ones.
 */
export function isAtEnd({ pageNo, declaredTotal, pageSize }: PageSeen): boolean {
  return pageNo > 1 && (declaredTotal === null || pageNo >= pagesDeclared(declaredTotal, pageSize));
}

/**
 * Units that a worker claims at a time, and pages that a plan without a total grows by: about three seconds of
 * requests.
 */
export function unitsAtATime(requestsPerSecond: number): number {
  if (requestsPerSecond === 0) return 40;
  return Math.min(40, Math.max(4, Math.round(requestsPerSecond * 3)));
}

/** A page without products where the category's total says there are some: asked once more before it is believed. */
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
