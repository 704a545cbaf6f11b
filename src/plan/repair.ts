import { suspectedCaps } from './cap.ts';

/** What is known of a walked category, and of those walked below it, when all pages are done or given up. */
export interface WalkedCategory {
  readonly categoryNo: number;
  /** The frontier category it helps to cover. */
  readonly rootNo: number;
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
  | {
      readonly kind: 'descend';
      readonly categoryNo: number;
      readonly rootNo: number;
      readonly children: readonly TaxonomyNode[];
    };

/** A category is read again once, then walked by its children once; what is short after that stays short. */
const maxRepairs = 2;

/**
 * What to do about categories that fell short of the total they declare, have pages that could not be read, or declare a
 * total that looks like a limit of the listing. Children fall short like their parents did, down to the shelves.
 */
export function planRepairs(
  categories: readonly WalkedCategory[],
  taxonomy: readonly TaxonomyNode[],
  limits: { readonly maxIdLength: number },
): Repair[] {
  const caps = suspectedCaps(categories.map(({ declaredLast }) => declaredLast));
  const repairs: Repair[] = [];
  for (const category of categories) {
    const { categoryNo, rootNo, declaredLast, distinctSeen, pagesFailed, pagesEmpty, isDescended } = category;
    const isShort = declaredLast !== null && distinctSeen < declaredLast;
    const isCapped = declaredLast !== null && caps.has(declaredLast);
    if (!(isShort || isCapped || pagesFailed > 0) || isDescended || category.repairs >= maxRepairs) continue;
    const children = taxonomy.filter(
      (node) => node.parentNo === categoryNo && node.categoryId.length <= limits.maxIdLength,
    );
    // Pages that came back empty inside the declared range: paging ends early here, and reading again will not help.
    const pagingEndsEarly = pagesEmpty > 0 && pagesFailed === 0;
    if (
      children.length > 0 &&
      (category.repairs > 0 || pagingEndsEarly || (isCapped && !isShort && pagesFailed === 0))
    ) {
      repairs.push({ kind: 'descend', categoryNo, rootNo, children });
    } else if ((isShort || pagesFailed > 0) && category.repairs === 0) {
      repairs.push({ kind: 'reread', categoryNo });
    }
  }
  return repairs;
}
