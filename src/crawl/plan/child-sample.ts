import { sampleSize } from './sample-size.ts';

/** A child of a walked category, and what the pages of that category show of it. */
export interface ShownChild {
  readonly categoryNo: number;
  readonly categoryId: string;
  /** The walked category. */
  readonly rootNo: number;
  /** Products on the category's own pages whose breadcrumb leads through the child. */
  readonly shown: number;
  /**
   * Of those pages' products with a breadcrumb through a child, the last has it through this one: where a listing that
   * is cut off ends.
   */
  readonly isLast: boolean;
  /** Something was out of order with the category tonight. */
  readonly isDoubted: boolean;
}

/**
 * Of the children that a category seems to show, this share must not lack products there without one of them being
 * asked.
 */
export const overlookedChildren = 0.125;

/**
 * Children whose first page a first night asks for, to hold it against what the category above lists. Every one of
 * which the category shows nothing, every one of a category in doubt, and of each the child at which it ends; of all
 * others as many, by chance, as prove that fewer than an eighth of them are listed short (95 %). `rank` is the chance:
 * the same for a restart.
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
