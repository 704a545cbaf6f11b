import { decodeCategoryId } from '../normalise/category-id.ts';
import { readBreadcrumb } from './breadcrumb.ts';
import type { CategoryQuestion } from './category-question.ts';
import type { PageInformation } from './page-information.ts';

/**
 * A category page's elements, null in place of those that the category does not list: marked with `adId`, the
 * supermarket's own mark of what is shown for money, not of the category by their breadcrumb, and on top of what the
 * page has by its count or its total. A category may list products of other branches, and they may be advertised: what
 * a page has by its own words stays, as does all of one without any.
 */
export function withoutAdvertisements(
  list: readonly unknown[],
  { categoryId, pageNo }: CategoryQuestion,
  said: PageInformation,
): readonly unknown[] {
  const advertised = new Set(
    list.filter((element) => isMarked(element) && !leadsTo(readBreadcrumb(element), categoryId)),
  );
  const shown = list.filter((element) => element !== null).length;
  if (advertised.size > shown - mostListed(said, pageNo)) return list;
  return list.map((element) => (advertised.has(element) ? null : element));
}

/** How many products of the category the page can have, by its own words; infinite where it says nothing. */
function mostListed({ declaredTotal, resultsPerPage, itemsDeclared }: PageInformation, pageNo: number): number {
  const size = resultsPerPage ?? Number.POSITIVE_INFINITY;
  const left = declaredTotal === null || resultsPerPage === null ? size : declaredTotal - (pageNo - 1) * resultsPerPage;
  return Math.min(size, Math.max(left, 0), itemsDeclared ?? Number.POSITIVE_INFINITY);
}

type Element = Readonly<Record<string, unknown>>;

function isMarked(element: unknown): element is Element {
  return typeof element === 'object' && element !== null && Boolean((element as Element)['adId']);
}

/** Whether a breadcrumb passes through a category or ends above it. */
function leadsTo(breadcrumb: readonly string[], categoryId: string): boolean {
  const leafId = breadcrumb.at(-1);
  if (leafId === undefined) return false;
  if (breadcrumb.includes(categoryId)) return true;
  const leaf = decodeCategoryId(leafId);
  const category = decodeCategoryId(categoryId);
  if (!leaf || !category) return false;
  return leaf.every((name, depth) => depth >= category.length || category[depth] === name);
}
