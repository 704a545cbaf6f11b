/** Results on a full page when the payload does not say (payloads.md, section 2.2: 24). */
export const defaultPageSize = 24;

/** Pages a category declares; at least the first. */
export function pagesDeclared(declaredTotal: number, pageSize: number): number {
  return Math.max(1, Math.ceil(declaredTotal / Math.max(1, pageSize)));
}

/** What a page tells about those after it. */
export interface PageSeen {
  readonly pageNo: number;
  readonly pagesPlanned: number;
  readonly declaredTotal: number | null;
  readonly pageSize: number;
  readonly itemsReceived: number;
}

/**
 * How many pages the category should have in its plan now that this one was read. A declared total rules, as long as
 * the page at its end does not hold more than it leaves; without
 * one the plan grows a batch at a time behind every page that was full, and ends with the first that is not.
 */
export function planPages(seen: PageSeen, batch: number): number {
  if (seen.declaredTotal !== null) {
    const declared = pagesDeclared(seen.declaredTotal, seen.pageSize);
    // A page that holds more than the total leaves for it: the total is too low, or the end is not where it says.
    const hasMore =
      seen.pageNo >= declared &&
      seen.itemsReceived > Math.max(0, seen.declaredTotal - (seen.pageNo - 1) * seen.pageSize);
    return Math.max(seen.pagesPlanned, hasMore ? seen.pageNo + 1 : declared);
  }
  const isLastPlanned = seen.pageNo >= seen.pagesPlanned;
  if (isLastPlanned && seen.itemsReceived > 0) return seen.pagesPlanned + batch;
  return seen.pagesPlanned;
}

/** Pages in one queue job: about three seconds of requests at the allowed rate, within what a lease should cover. */
export function pagesPerBatch(requestsPerSecond: number): number {
  if (requestsPerSecond === 0) return 40;
  return Math.min(40, Math.max(4, Math.round(requestsPerSecond * 3)));
}

/** A page without products where the category's total says there are some: asked once more before it is believed. */
export function isSuspiciouslyEmpty(
  page: Omit<PageSeen, 'pagesPlanned' | 'pageSize'>,
  knownTotal: number | null,
): boolean {
  if (page.itemsReceived > 0) return false;
  const total = Math.max(page.declaredTotal ?? 0, knownTotal ?? 0);
  return page.pageNo === 1 || page.pageNo <= pagesDeclared(total, defaultPageSize);
}
