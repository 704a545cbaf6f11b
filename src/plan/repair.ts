/** What is known of a frontier category when its pages are all done or given up. */
export interface WalkedCategory {
  readonly categoryNo: number;
  readonly declaredLast: number | null;
  readonly distinctSeen: number;
  readonly pagesFailed: number;
  readonly pagesEmpty: number;
  readonly pagesPlanned: number;
  readonly repairs: number;
  readonly isDescended: boolean;
}

export interface TaxonomyNode {
  readonly categoryNo: number;
  readonly categoryId: string;
  readonly parentNo: number | null;
}

/** Read its pages once more, or walk its children. */
export type Repair =
  | { readonly kind: 'reread'; readonly categoryNo: number }
  | { readonly kind: 'descend'; readonly categoryNo: number; readonly children: readonly TaxonomyNode[] };

/** A category is read again once, then walked by its children once; what is short after that stays short. */
const maxRepairs = 2;

/** What to do about categories that fell short of the total they declare, or have pages that could not be read. */
export function planRepairs(
  categories: readonly WalkedCategory[],
  taxonomy: readonly TaxonomyNode[],
  limits: { readonly maxIdLength: number },
): Repair[] {
  const repairs: Repair[] = [];
  for (const category of categories) {
    const isShort = category.declaredLast !== null && category.distinctSeen < category.declaredLast;
    if ((!isShort && category.pagesFailed === 0) || category.repairs >= maxRepairs || category.isDescended) continue;
    const children = taxonomy.filter(
      (node) => node.parentNo === category.categoryNo && node.categoryId.length <= limits.maxIdLength,
    );
    // Pages that came back empty inside the declared range: paging ends early here, and reading again will not help.
    const pagingEndsEarly = category.pagesEmpty > 0 && category.pagesFailed === 0;
    if (children.length > 0 && (category.repairs > 0 || pagingEndsEarly)) {
      repairs.push({ kind: 'descend', categoryNo: category.categoryNo, children });
    } else if (category.repairs === 0) {
      repairs.push({ kind: 'reread', categoryNo: category.categoryNo });
    }
  }
  return repairs;
}
