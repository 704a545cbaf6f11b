import { suspectedCaps } from './cap.ts';

/** State of a walked category, and of those walked below it, when all pages are done or failed. */
export interface WalkedCategory {
  readonly categoryNo: number;
  /** The frontier category that it helps to cover. */
  readonly rootNo: number;
  readonly isSample: boolean;
  readonly isDescended: boolean;
  readonly declaredLast: number | null;
  readonly distinctSeen: number;
  /** Elements that could not be parsed; reading their page again does not help. */
  readonly rejected: number;
  readonly pagesPlanned: number;
  readonly pagesFailed: number;
  readonly pagesEmpty: number;
  /** Rounds in which some of its pages were read again. */
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
 * One repair: read pages again, walk the children (or one) instead of a category, or sample the children's first pages.
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
  /** Pages that may lack products, by category (reread.ts), and pages that could not be read. */
  readonly doubtfulPages: ReadonlyMap<number, readonly number[]>;
  /** Frontier categories that lack products which others list and whose breadcrumb leads through them. */
  readonly shortByBreadcrumb: ReadonlySet<number>;
  /** Deepest categories of products that are for sale although no category listed them. */
  readonly forSaleIn: readonly string[];
  readonly maxIdLength: number;
  /** Share of a total that may be missing before the children are walked. */
  readonly tolerance: number;
  /** Requests left for rereads and samples. Walking children is free: it replaces other requests. */
  readonly allowance: number;
}

/** Maximum rounds of rereading a category's doubtful pages. */
const maxRereads = 2;

/**
 * Plans repairs for categories that fall short of their declared total, have unreadable pages, moved while they were
 * paged, declare a total that looks like a limit, or demonstrably lack products. Children are repaired like their
 * parents, down to the deepest level.
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
    // Empty pages within the declared range: paging ends early here, and reading again does not help.
    const pagingEndsEarly = isShort && pagesEmpty > 0 && pagesFailed === 0;
    const mayReread = category.repairs < maxRereads && !(pagingEndsEarly && children.length > 0);
    // Without children, the only way to find the products for sale here is to read all pages again, once.
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

/** The walked category above this one, if it should have listed the products found only here. */
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
 * For products on sale that no category listed: walks the frontier category's child towards their deepest category.
 * Walks one child first, which usually shows whether the category lacks products. If it does not, walks the others.
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
