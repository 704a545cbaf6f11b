import { suspectedCaps } from './cap.ts';

/** What is known of a walked category, and of those walked below it, when all pages are done or given up. */
export interface WalkedCategory {
  readonly categoryNo: number;
  /** The frontier category it helps to cover. */
  readonly rootNo: number;
  readonly isSample: boolean;
  readonly isDescended: boolean;
  readonly declaredLast: number | null;
  readonly distinctSeen: number;
  /** Elements that could not be read: reading their page again will not help. */
  readonly rejected: number;
  readonly pagesPlanned: number;
  readonly pagesFailed: number;
  readonly pagesEmpty: number;
  /** How often some of its pages were read again. */
  readonly repairs: number;
  /** Products on its pages that no walked category above it listed. */
  readonly onlyHere: number;
}

export interface TaxonomyNode {
  readonly categoryNo: number;
  readonly categoryId: string;
  readonly parentNo: number | null;
}

/**
 * Read some pages once more; walk the children (or one) in a category's place; or ask for the children's first pages
 * only.
 */
export type Repair =
  | { readonly kind: 'reread'; readonly categoryNo: number; readonly pages: readonly number[] }
  | {
      readonly kind: 'descend' | 'walk' | 'sample';
      readonly categoryNo: number;
      readonly rootNo: number;
      readonly children: readonly TaxonomyNode[];
    };

export interface RepairNeeds {
  readonly categories: readonly WalkedCategory[];
  readonly taxonomy: readonly TaxonomyNode[];
  /** Pages that may have let something slip, by category (reread.ts), and those that could not be read. */
  readonly doubtfulPages: ReadonlyMap<number, readonly number[]>;
  /** Frontier categories that did not list products which others show and whose breadcrumb leads through them. */
  readonly shortByBreadcrumb: ReadonlySet<number>;
  /** Deepest categories of products that are for sale although no category listed them. */
  readonly forSaleIn: readonly string[];
  readonly maxIdLength: number;
  /** Share of a total that may be missing without a walk through its children. */
  readonly tolerance: number;
  /** Requests that may still be spent on reading again and on samples. Walking children is not counted: it replaces. */
  readonly allowance: number;
}

/** Rounds of reading a category's doubtful pages again. */
const maxRereads = 2;

/**
 * What to do about categories that fell short of the total they declare, have pages that could not be read, moved while
 * they were paged, declare a total that looks like a limit of the listing, or were caught listing less than they
 * should. Children fall short like their parents did, down to the shelves.
 */
export function planRepairs(needs: RepairNeeds): Repair[] {
  const { categories, taxonomy, doubtfulPages, shortByBreadcrumb, tolerance } = needs;
  const walked = categories.filter(({ isSample }) => !isSample);
  const caps = suspectedCaps(walked.map(({ declaredLast }) => declaredLast));
  const known = new Map(categories.map((category) => [category.categoryNo, category]));
  const caughtShort = new Set(categories.flatMap((category) => caught(category, known, needs)));
  const childrenOf = (no: number) =>
    taxonomy.filter((node) => node.parentNo === no && node.categoryId.length <= needs.maxIdLength);

  const forSaleHere = new Set(
    taxonomy.filter(({ categoryId }) => needs.forSaleIn.includes(categoryId)).map(({ categoryNo }) => categoryNo),
  );

  const repairs: Repair[] = [];
  let { allowance } = needs;
  for (const category of walked) {
    const { categoryNo, rootNo, declaredLast, pagesFailed, pagesEmpty, isDescended } = category;
    if (isDescended) continue;
    const missing = declaredLast === null ? 0 : declaredLast - category.distinctSeen - category.rejected;
    const isShort = missing > 0;
    const children = childrenOf(categoryNo);
    const isCaught = caughtShort.has(categoryNo) || (declaredLast !== null && caps.has(declaredLast));
    // Pages that came back empty inside the declared range: paging ends early here, and reading again will not help.
    const pagingEndsEarly = isShort && pagesEmpty > 0 && pagesFailed === 0;
    const mayReread = category.repairs < maxRereads && !(pagingEndsEarly && children.length > 0);
    // Without children there is no other way to ask for what is for sale here than to read it all again, once.
    const isDenied = children.length === 0 && categoryNo === rootNo && category.repairs === 0;
    const doubtful = isDenied && forSaleHere.has(categoryNo) ? allPages(category) : doubtfulPages.get(categoryNo);
    const pages = mayReread ? (doubtful ?? []).slice(0, allowance) : [];
    const isWorthDescending = pagesFailed > 0 || missing > tolerance * (declaredLast ?? 0);
    if (pages.length > 0 && !isCaught) {
      repairs.push({ kind: 'reread', categoryNo, pages });
      allowance -= pages.length;
    } else if (children.length > 0 && (isCaught || isWorthDescending)) {
      repairs.push({ kind: 'descend', categoryNo, rootNo, children });
    } else if (shortByBreadcrumb.has(categoryNo)) {
      const unasked = children.filter((child) => !known.has(child.categoryNo)).slice(0, allowance);
      if (unasked.length > 0) repairs.push({ kind: 'sample', categoryNo, rootNo, children: unasked });
      allowance -= unasked.length;
    }
  }
  const descending = new Set(repairs.flatMap((repair) => (repair.kind === 'descend' ? [repair.rootNo] : [])));
  return [...repairs, ...walksFor(needs, known).filter(({ rootNo }) => !descending.has(rootNo))];
}

function allPages({ pagesPlanned }: WalkedCategory): number[] {
  return Array.from({ length: pagesPlanned }, (_, i) => i + 1);
}

/** The category above this one that should have listed what only this one showed. */
function caught(
  { categoryNo, rootNo, onlyHere }: WalkedCategory,
  known: ReadonlyMap<number, WalkedCategory>,
  { taxonomy }: RepairNeeds,
): number[] {
  if (onlyHere === 0) return [];
  const parentNo = taxonomy.find((node) => node.categoryNo === categoryNo)?.parentNo;
  const parent = known.get(parentNo ?? rootNo);
  const above = parent && !parent.isSample ? parent : known.get(rootNo);
  return above && !above.isDescended ? [above.categoryNo] : [];
}

/**
 * For products on sale that nobody listed: the child of the frontier category on the way to where they belong. One
 * first: whether the category lists less than it should shows there as a rule. When it did not, all others at once.
 */
function walksFor(
  { taxonomy, forSaleIn, maxIdLength }: RepairNeeds,
  known: ReadonlyMap<number, WalkedCategory>,
): (Repair & { kind: 'walk' })[] {
  const byNo = new Map(taxonomy.map((node) => [node.categoryNo, node]));
  const byId = new Map(taxonomy.map((node) => [node.categoryId, node]));
  const hasWalkedChild = new Set(
    [...known.values()].flatMap(({ isSample, categoryNo, rootNo }) =>
      isSample || categoryNo === rootNo ? [] : [rootNo],
    ),
  );
  const walks = new Map<number, Set<TaxonomyNode>>();
  for (const categoryId of forSaleIn) {
    let child = byId.get(categoryId);
    let root = child?.parentNo == null ? undefined : byNo.get(child.parentNo);
    while (child && root && !isFrontier(known.get(root.categoryNo))) {
      child = root;
      root = child.parentNo === null ? undefined : byNo.get(child.parentNo);
    }
    if (!child || !root || child.categoryId.length > maxIdLength) continue;
    const { isDescended } = known.get(root.categoryNo)!;
    if (isDescended || known.get(child.categoryNo)?.isSample === false) continue;
    const rootNo = root.categoryNo;
    const children = walks.get(rootNo);
    if (!children) walks.set(rootNo, new Set([child]));
    else if (hasWalkedChild.has(rootNo)) children.add(child);
  }
  return [...walks].map(([rootNo, children]) => ({
    kind: 'walk',
    categoryNo: rootNo,
    rootNo,
    children: [...children],
  }));
}

function isFrontier(category: WalkedCategory | undefined): boolean {
  return category !== undefined && category.categoryNo === category.rootNo;
}
