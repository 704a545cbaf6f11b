import type { ListedProduct } from './product.ts';

/**
 * A node of a region's taxonomy. `categoryId` encodes the path of untrimmed names, so a renamed category is a new one.
 */
export interface CategoryNode {
  readonly categoryId: string;
  readonly parentId: string | null;
  /** As received; leading and trailing spaces are part of the id. */
  readonly name: string;
  /** `superDepartment`, `department`, `aisle`, `shelf`, or another label of the payload. */
  readonly label: string;
  /** 0 for the top level. */
  readonly depth: number;
}

/** A parsed page of a category. */
export interface CategoryPage {
  readonly categoryId: string;
  readonly pageNo: number;
  /** Total number of products that the category declares; null if the payload has none. */
  readonly declaredTotal: number | null;
  readonly resultsPerPage: number | null;
  /** Elements in the payload, including null nodes, repeats and rejected ones. */
  readonly itemsReceived: number;
  /** Number of elements on the page according to the payload. */
  readonly itemsDeclared: number | null;
  /** Distinct products in page order; the first occurrence is kept. */
  readonly products: readonly ListedProduct[];
}
