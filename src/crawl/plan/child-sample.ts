import { sampleSize } from './sample-size.ts';

/** A child of a walked category, and how the category's pages show it. */
export interface ShownChild {
  readonly categoryNo: number;
  readonly categoryId: string;
  /** The walked category. */
  readonly rootNo: number;
  /** Products on the category's own pages whose breadcrumb leads through the child. */
  readonly shown: number;
  /**
   * Whether the last product with a breadcrumb through any child leads through this one: a truncated listing ends here.
   */
  readonly isLast: boolean;
  /** Whether tonight's crawl of the category had problems. */
  readonly isDoubted: boolean;
}

/** Share of a category's shown children that may lack products there without the sample finding one. */
export const overlookedChildren = 0.125;

/**
 * Children whose first page a first night requests, to compare it with the category above. Always: children of which
 * the category shows nothing, children of doubtful categories, and the child at which each category ends. Of the
 * others, a random sample large enough to prove with 95% confidence that fewer than an eighth are listed incompletely.
 * `rank` provides the randomness, stable across restarts.
 */
export function sampleChildren(children: readonly ShownChild[], rank: (categoryId: string) => string): ShownChild[] {
  const isCertain = ({ shown, isLast, isDoubted }: ShownChild) => shown === 0 || isLast || isDoubted;
  const others = children
    .filter((child) => !isCertain(child))
    .map((child) => ({ child, rank: rank(child.categoryId) }))
    .sort((a, b) => (a.rank < b.rank ? -1 : 1))
    .map(({ child }) => child);
  return [...children.filter(isCertain), ...others.slice(0, sampleSize(others.length, overlookedChildren))];
}
