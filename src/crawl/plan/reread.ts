/** Pages of a category whose listing may have moved while it was paged. */
interface PagedListing {
  readonly pageSize: number;
  readonly declaredLast: number | null;
  /** Whether distinct products and rejected elements together are fewer than declared last. */
  readonly isShort: boolean;
  /** All successful readings of its pages. */
  readonly readings: readonly {
    readonly pageNo: number;
    readonly declaredTotal: number | null;
    readonly products: number;
  }[];
  /** Pages with products that other pages also show. */
  readonly duplicatePages: readonly number[];
  /** Rounds in which some of its pages were read again before. */
  readonly round: number;
}

/**
 * Pages to read again because products may have slipped between them, ascending. A product moves between pages when
 * others are inserted or removed before it. It is missed if its old page is read after the move and its new page
 * before. Then the totals of the two readings differ; so neighbouring pages must share a total.
 */
export function planReread(listing: PagedListing): number[] {
  const { round, duplicatePages, isShort } = listing;
  const pages = summarise(listing);
  const again = new Set<number>([...straddling(listing, pages), ...(isShort ? pagesShort(listing, pages) : [])]);
  const hasMoved = new Set(pages.flatMap(({ totals }) => [...totals])).size > 1;

  if (duplicatePages.length > 0 && (round === 0 || isShort)) {
    // A move without a visible change of totals: a repeated product pushed another one off a nearby page.
    for (const pageNo of duplicatePages) again.add(pageNo);
    for (const pageNo of duplicatePages) if (pages.some((page) => page.pageNo === pageNo - 1)) again.add(pageNo - 1);
  }
  if (hasMoved || duplicatePages.length > 0) {
    // New products appear on the first or the last page.
    if (round === 0) again.add(1).add(pages.at(-1)?.pageNo ?? 1);
    // Still short: reread every page that was not read under the last total.
    if (round > 0 && isShort) for (const page of pages) if (!isCurrent(listing, page)) again.add(page.pageNo);
  }
  return [...again].sort((a, b) => a - b);
}

interface Page {
  readonly pageNo: number;
  readonly totals: ReadonlySet<number>;
  /** Products of its best reading. */
  readonly products: number;
}

function summarise({ readings }: PagedListing): Page[] {
  const pages = new Map<number, { pageNo: number; totals: Set<number>; products: number }>();
  for (const { pageNo, declaredTotal, products } of readings) {
    const page = pages.get(pageNo) ?? { pageNo, totals: new Set<number>(), products: 0 };
    if (declaredTotal !== null) page.totals.add(declaredTotal);
    page.products = Math.max(page.products, products);
    pages.set(pageNo, page);
  }
  return [...pages.values()].sort((a, b) => a.pageNo - b.pageNo);
}

const isCurrent = ({ declaredLast }: PagedListing, page: Page): boolean =>
  declaredLast === null || page.totals.size === 0 || page.totals.has(declaredLast);

/** Outdated pages among pairs that are close enough for a product to move between them and share no total. */
function* straddling(listing: PagedListing, pages: readonly Page[]): Iterable<number> {
  const totals = pages.flatMap((page) => [...page.totals]);
  const moved = totals.length === 0 ? 0 : Math.max(...totals) - Math.min(...totals);
  if (moved === 0) return;
  const reach = Math.max(1, Math.ceil(moved / listing.pageSize));
  for (const [i, page] of pages.entries()) {
    for (const other of pages.slice(i + 1, i + 1 + reach)) {
      if (page.totals.size === 0 || other.totals.size === 0 || intersects(page.totals, other.totals)) continue;
      if (!isCurrent(listing, page)) yield page.pageNo;
      if (!isCurrent(listing, other)) yield other.pageNo;
    }
  }
}

function intersects(some: ReadonlySet<number>, others: ReadonlySet<number>): boolean {
  for (const value of some) if (others.has(value)) return true;
  return false;
}

/** Pages that never showed as many products as the total implies. */
function* pagesShort({ declaredLast, pageSize }: PagedListing, pages: readonly Page[]): Iterable<number> {
  if (declaredLast === null) return;
  for (const { pageNo, products } of pages) {
    if (products < Math.min(pageSize, declaredLast - (pageNo - 1) * pageSize)) yield pageNo;
  }
}
