import { planReread } from '../../../crawl/plan/reread.ts';
import type { Queryable } from '../../../db/client.ts';
import { type CategoryEvidence, readDuplicatePages, readReadings } from './category-evidence.ts';

/** Pages that may lack products and pages that could not be read, by category. */
export async function findDoubtfulPages(
  tx: Queryable,
  runId: number,
  walked: readonly CategoryEvidence[],
): Promise<Map<number, readonly number[]>> {
  const doubtful = walked.filter(
    (category) =>
      !category.isDescended &&
      (isShort(category) || category.totals.length > 1 || category.duplicates > 0 || category.pagesFailed > 0),
  );
  if (doubtful.length === 0) return new Map();
  const numbers = doubtful.map(({ categoryNo }) => categoryNo);
  const short = doubtful.filter(isShort).map(({ categoryNo }) => categoryNo);
  const duplicatePages = await readDuplicatePages(tx, runId, numbers, short);
  const readings = await readReadings(tx, runId, numbers);
  const pages = new Map<number, readonly number[]>();
  for (const category of doubtful) {
    const { categoryNo, pageSize, declaredLast, repairs } = category;
    const all = readings.filter((reading) => reading.categoryNo === categoryNo);
    const done = all
      .filter(({ isDone }) => isDone)
      .map((page) => ({ ...page, products: page.products + page.rejected }));
    const isRead = new Set(done.map(({ pageNo }) => pageNo));
    const again = planReread({
      pageSize,
      declaredLast,
      isShort: isShort(category),
      readings: done,
      duplicatePages: duplicatePages.get(categoryNo) ?? [],
      round: repairs,
    });
    const failed = all.map(({ pageNo }) => pageNo).filter((pageNo) => !isRead.has(pageNo));
    const wanted = [...new Set([...failed, ...again])].sort((a, b) => a - b);
    if (wanted.length > 0) pages.set(categoryNo, wanted);
  }
  return pages;
}

function isShort({ declaredLast, distinctSeen, rejected }: CategoryEvidence): boolean {
  return declaredLast !== null && distinctSeen + rejected < declaredLast;
}

/** Whether a category was repaired tonight, needs repair, or is outside the taxonomy. */
export function isTroubled(category: CategoryEvidence, isListed: ReadonlySet<number>): boolean {
  const { isSample, isDescended, repairs, rereads, pagesFailed, pagesEmpty, onlyHere, rootNo } = category;
  if (!isListed.has(rootNo) || isDescended || onlyHere > 0) return true;
  return !isSample && (repairs + rereads + pagesFailed + pagesEmpty > 0 || isShort(category));
}

/** Walked categories with problems tonight. If a child showed more than its parent, all categories are doubted. */
export function doubtedRoots(
  categories: readonly CategoryEvidence[],
  doubtfulPages: ReadonlyMap<number, readonly number[]>,
): (rootNo: number) => boolean {
  const isCaught = categories.some(({ isDescended, onlyHere }) => isDescended || onlyHere > 0);
  const doubted = categories.filter(
    (category) =>
      doubtfulPages.has(category.categoryNo) ||
      category.repairs > 0 ||
      (!category.isSample && (isShort(category) || category.pagesFailed > 0 || category.pagesEmpty > 0)),
  );
  const roots = new Set(doubted.map(({ rootNo }) => rootNo));
  return (rootNo) => isCaught || roots.has(rootNo);
}
