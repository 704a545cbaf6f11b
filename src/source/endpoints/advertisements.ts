import { decodeCategoryId } from '../normalise/category-id.ts';
import { readBreadcrumb } from './breadcrumb.ts';
import type { CategoryQuestion } from './category-page.ts';
import type { PageInformation } from './page-information.ts';

/**
 * Elements of a category page, with null in place of advertisements from other categories. An element is dropped only
 * if it has the paid placement mark `adId`, its breadcrumb lies outside the category, and the page has more elements
 * than its count or total allows. Without a declared count nothing is dropped, because categories may list and
 * advertise products of other branches.
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
  if (advertised.size > shown - maxListed(said, pageNo)) return list;
  return list.map((element) => (advertised.has(element) ? null : element));
}

/** Maximum number of products on the page according to its declared totals; infinite if it declares none. */
function maxListed({ declaredTotal, resultsPerPage, itemsDeclared }: PageInformation, pageNo: number): number {
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
