import type { ListedProduct } from './product.ts';

/** A node of a region's taxonomy. `categoryId` encodes the path of untrimmed names, so a rename is a new category. */
export interface CategoryNode {
  readonly categoryId: string;
  readonly parentId: string | null;
  /** Verbatim, spaces at the ends included: they are part of the id. */
  readonly name: string;
  /** `superDepartment`, `department`, `aisle`, `shelf`, or whatever the payload says. */
  readonly label: string;
  /** 0 for the top level. */
  readonly depth: number;
  /** Position among all nodes in document order. */
  readonly ordinal: number;
}

/** One page of a category, read. */
export interface CategoryPage {
  readonly categoryId: string;
  readonly pageNo: number;
  /** Products the category says it has; null when the payload does not say. */
  readonly declaredTotal: number | null;
  readonly resultsPerPage: number | null;
  /** Elements of the payload's list, null nodes, repeats and rejected ones included. */
  readonly itemsReceived: number;
  /** How many the payload itself says are on the page. */
  readonly itemsDeclared: number | null;
  readonly nullNodes: number;
  /** Distinct by product id, in page order, the first observation kept. */
  readonly products: readonly ListedProduct[];
  /** Repeats of a product on this very page. */
  readonly repeats: number;
}
