import type { Askable, Database } from '../../db/client.ts';
import { rowsOf } from '../../db/rows.ts';
import { decodeCategoryId, encodeCategoryId } from '../../normalise/category-id.ts';
import { type CategoryOutsideTaxonomy, categoriesOutsideTaxonomy } from '../../normalise/category-outside-taxonomy.ts';
import { suspectedCaps } from '../../plan/cap.ts';
import { planReread } from '../../plan/reread.ts';
import { readTaxonomy, type StagedNode } from '../../stage/taxonomy.ts';
import { type CategoryEvidence, readCategoryEvidence, readDuplicatePages, readReadings } from './category-evidence.ts';
import { readSampledChildren, type SampledChild } from './children.ts';
import { type DeferredEvidence, readDeferred } from './deferred.ts';
import type { FallEvidence } from './fall-evidence.ts';
import { type LeftListing, readLeft } from './left.ts';
import { type FallTrace, readFallTrace, readNightBefore } from './night-before.ts';
import { collectObservations } from './observations.ts';
import { type RepeatingEvidence, readRepeating } from './repeating.ts';
import {
  readCategoriesGone,
  readCategoriesOutsideTaxonomy,
  readCertifiedCounts,
  readMisplaced,
  readOverview,
  readUnseen,
  type UnseenBelow,
  type UnseenProduct,
} from './unseen.ts';
import { readRanked, sampleFrom } from './unseen-sample.ts';
import { usualProducts } from './usual.ts';

export type { CategoryEvidence } from './category-evidence.ts';

/** What a run is judged by; stored with its certificate. */
export interface RunEvidence extends FallEvidence {
  /** 0: the taxonomy came back empty, or was never read. */
  readonly categoriesInTaxonomy: number;
  /** Leaves that could not be asked for and that no walked category covers. */
  readonly uncoveredLeaves: readonly string[];
  /** Categories that the limits did not reach for: another night's turn, and of what they list nothing is known tonight. */
  readonly deferred: readonly DeferredEvidence[];
  /** Categories whose total looks like a limit of the listing, and that were not walked by their children. */
  readonly cappedCategories: readonly string[];
  /** Top-level categories that the taxonomy does not name although they list products. */
  readonly categoriesNotInTaxonomy: readonly CategoryEvidence[];
  /** Products whose breadcrumb leads to a top-level category that neither is in the taxonomy nor lists anything. */
  readonly inUnlistedCategories: number;
  readonly distinctProducts: number;
  /** Median of the last certified runs; null before the first. */
  readonly usualProducts: number | null;
  readonly unseenBelow: readonly UnseenGroup[];
  /** Products seen only in other categories than their breadcrumb's, by the walked category that should have listed them. */
  readonly misplaced: readonly { readonly path: string; readonly products: number }[];
  /** Categories that lost products which others show. */
  readonly leftListings: readonly LeftEvidence[];
  readonly itemsReceived: number;
  /** In quarantine. */
  readonly rejected: number;
  /** Of a first night: children to be held against what their parents list, and those of which nothing was read. */
  readonly children: { readonly chosen: number; readonly unread: number };
  /** Categories that only repeat others and were not walked tonight. */
  readonly repeating: readonly RepeatingEvidence[];
  /** Something was out of order with a walked category, or the taxonomy: then no category is left out. */
  readonly isTroubled: boolean;
  readonly requests: Requests;
  readonly categories: readonly CategoryEvidence[];
}

export interface UnseenGroup extends Pick<UnseenBelow, 'products' | 'asked' | 'forSale'> {
  /** The category they belong to; null: none that is known. */
  readonly path: string | null;
}

export interface LeftEvidence extends Pick<LeftListing, 'left' | 'joined' | 'seen' | 'fallBefore'> {
  readonly categoryId: string;
  readonly path: string;
}

/** Pages planned, and what was asked on top of them to be sure. */
export interface Requests {
  readonly pages: number;
  readonly rereads: number;
  /** First pages of children, held against what their parents list, and pages of categories that were not walked. */
  readonly samples: number;
  /** Unseen products asked after by their own page. */
  readonly asks: number;
  /** What rereads, samples and asks may come to. */
  readonly allowance: number;
}

/** The evidence, and what repairing a run needs to know beside it. */
export interface Coverage {
  readonly evidence: RunEvidence;
  readonly samples: readonly CategoryEvidence[];
  /** Children to be held against what their parents list, not asked for so far. */
  readonly childrenToAsk: readonly SampledChild[];
  readonly taxonomy: readonly StagedNode[];
  /** Pages that may have let something slip, and those that could not be read, by category. */
  readonly doubtfulPages: ReadonlyMap<number, readonly number[]>;
  readonly shortByBreadcrumb: ReadonlySet<number>;
  readonly forSaleIn: readonly string[];
  readonly worthAsking: readonly UnseenProduct[];
  /** Unseen products to ask after next, chosen at random, should too many be unseen. */
  readonly sampleToAsk: readonly string[];
  /** Stored with the certificate of a run that lost more than one night may. */
  readonly fallTrace: FallTrace;
  /** Categories that breadcrumbs name beside the taxonomy, parents first. */
  readonly outsideTaxonomy: readonly CategoryOutsideTaxonomy[];
  /** Top-level categories that were not walked, though products seen tonight or listed last night belong to them. */
  readonly idsNotInTaxonomy: readonly string[];
}

/** Share of the planned pages that may be asked on top, and what a small catalogue may ask all the same. */
const allowanceShare = 0.1;
const leastAllowance = 150;
/** Top-level categories beside the taxonomy that are worth a request in one run. */
const mostNotInTaxonomy = 10;

/** Gathers what is known of an open run whose pages are all done or given up. */
export async function gatherEvidence(db: Database, runId: number): Promise<Coverage> {
  return db.tx(async (tx) => {
    await collectObservations(tx, runId);
    const taxonomy = await readTaxonomy(tx, runId);
    const categories = (await readCategoryEvidence(tx, runId)).map(named);
    const deferred = await readDeferred(tx, runId);
    const unseenBelow = await readUnseen(tx, runId);
    const overview = await readOverview(tx);
    const { sample, toAsk } = sampleFrom(await readRanked(tx, runId), overview.unseen);
    const fallTrace = await readFallTrace(tx, runId);
    const misplaced = await readMisplaced(tx, runId);
    const left = await readLeft(tx, runId);
    const outside = await readCategoriesOutsideTaxonomy(tx, runId);
    const outsideIds = outside.map(({ categoryId }) => categoryId);
    const walked = categories.filter(({ isSample }) => !isSample);
    const isListed = new Set(taxonomy.map(({ categoryNo }) => categoryNo));
    const repeating = categories.filter(
      ({ isSample, categoryNo, rootNo }) => isSample && categoryNo === rootNo && isListed.has(categoryNo),
    );
    const pathOf = new Map(categories.map(({ categoryNo, path }) => [categoryNo, path]));
    const caps = suspectedCaps(walked.map(({ declaredLast }) => declaredLast));
    const sum = (pick: (category: CategoryEvidence) => number) =>
      categories.reduce((total, category) => total + pick(category), 0);

    const idsNotInTaxonomy = await findIdsNotInTaxonomy(tx, runId, outsideIds, [...taxonomy, ...categories]);
    const doubtfulPages = await findDoubtfulPages(tx, runId, walked);
    const children = await readSampledChildren(tx, runId, doubtedRoots(categories, doubtfulPages));
    const childrenToAsk = children.filter(({ isPlanned }) => !isPlanned);

    const pages = walked.reduce((total, { pagesPlanned }) => total + pagesPlanned, 0);
    const evidence: RunEvidence = {
      categoriesInTaxonomy: taxonomy.length,
      uncoveredLeaves: uncovered(taxonomy, [...walked, ...repeating, ...deferred]),
      deferred: deferred.map(({ path, lastReadOn }) => ({ path, lastReadOn })),
      cappedCategories: walked
        .filter(({ declaredLast, isDescended }) => declaredLast !== null && caps.has(declaredLast) && !isDescended)
        .map(({ path }) => path),
      categoriesNotInTaxonomy: categories.filter(
        (category) => !isListed.has(category.rootNo) && category.distinctSeen > 0,
      ),
      inUnlistedCategories: countInUnlistedCategories(outside, categories),
      ...overview,
      usualProducts: usualProducts(await readCertifiedCounts(tx, runId)),
      sample,
      unseenForSale: unseenBelow.reduce((total, { forSale }) => total + forSale, 0),
      nightBefore: await readNightBefore(tx, runId, fallTrace),
      unseenBelow: unseenBelow.map(({ rootNo, goneCategoryId, products, asked, forSale }) => ({
        path: rootNo !== null ? (pathOf.get(rootNo) ?? null) : goneCategoryId && nameOf(goneCategoryId),
        products,
        asked,
        forSale,
      })),
      misplaced: [...misplaced].map(([rootNo, products]) => ({ path: pathOf.get(rootNo) ?? '', products })),
      leftListings: left.map((listing) => leftEvidence(listing, categories)),
      itemsReceived: sum(({ itemsReceived }) => itemsReceived),
      rejected: sum(({ rejected }) => rejected),
      repeating: await readRepeating(tx, runId, repeating),
      isTroubled:
        doubtfulPages.size + caps.size + misplaced.size + idsNotInTaxonomy.length > 0 ||
        categories.some((category) => isTroubled(category, isListed)),
      children: { chosen: children.length, unread: children.filter(({ isRead }) => !isRead).length },
      requests: {
        pages,
        rereads: sum(({ rereads }) => rereads),
        samples: categories.reduce((total, { isSample, pagesPlanned }) => total + (isSample ? pagesPlanned : 0), 0),
        asks: await countAsks(tx, runId),
        allowance: Math.max(leastAllowance, Math.round(pages * allowanceShare)),
      },
      categories: walked,
    };
    return {
      evidence,
      samples: categories.filter(({ isSample }) => isSample),
      childrenToAsk,
      taxonomy,
      doubtfulPages,
      shortByBreadcrumb: new Set([...misplaced.keys(), ...left.map(({ rootNo }) => rootNo)]),
      forSaleIn: unseenBelow.flatMap((below) => below.forSaleIn),
      worthAsking: unseenBelow
        .filter(({ rootNo, goneCategoryId }) => rootNo !== null || goneCategoryId !== null)
        .flatMap((below) => below.worthAsking),
      sampleToAsk: toAsk,
      fallTrace,
      outsideTaxonomy: categoriesOutsideTaxonomy(outsideIds),
      idsNotInTaxonomy,
    };
  });
}

function topOf(categoryId: string): string | null {
  const [top] = decodeCategoryId(categoryId) ?? [];
  return top === undefined ? null : encodeCategoryId([top]);
}

const nameOf = (categoryId: string): string => decodeCategoryId(categoryId)?.join(' > ') ?? categoryId;

function leftEvidence(
  { rootNo, left, joined, seen, fallBefore }: LeftListing,
  categories: readonly CategoryEvidence[],
): LeftEvidence {
  const { categoryId, path } = categories.find(({ categoryNo }) => categoryNo === rootNo)!;
  return { categoryId, path, left, joined, seen, fallBefore };
}

function countInUnlistedCategories(
  outside: readonly { readonly categoryId: string; readonly products: number }[],
  categories: readonly CategoryEvidence[],
): number {
  const listing = new Set(
    categories.filter(({ distinctSeen }) => distinctSeen > 0).map(({ categoryId }) => categoryId),
  );
  return outside
    .filter(({ categoryId }) => !listing.has(topOf(categoryId) ?? categoryId))
    .reduce((total, { products }) => total + products, 0);
}

/** A category that the taxonomy does not have has no path but the one in its id. */
function named(category: CategoryEvidence): CategoryEvidence {
  return category.path === category.categoryId ? { ...category, path: nameOf(category.categoryId) } : category;
}

/** Leaves below nothing that was walked, or is on another night. */
function uncovered(taxonomy: readonly StagedNode[], walked: readonly Pick<CategoryEvidence, 'categoryNo'>[]): string[] {
  const byNo = new Map(taxonomy.map((node) => [node.categoryNo, node]));
  const parents = new Set(taxonomy.map((node) => node.parentNo));
  const isWalked = new Set(walked.map(({ categoryNo }) => categoryNo));
  const isCovered = (no: number | null): boolean =>
    no !== null && (isWalked.has(no) || isCovered(byNo.get(no)?.parentNo ?? null));
  return taxonomy
    .filter((node) => !parents.has(node.categoryNo) && !isCovered(node.categoryNo))
    .map((node) => node.path);
}

async function findDoubtfulPages(
  tx: Askable,
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

/** Repaired tonight, to be repaired, or beside the taxonomy. */
function isTroubled(category: CategoryEvidence, isListed: ReadonlySet<number>): boolean {
  const { isSample, isDescended, repairs, rereads, pagesFailed, pagesEmpty, onlyHere, rootNo } = category;
  if (!isListed.has(rootNo) || isDescended || onlyHere > 0) return true;
  return !isSample && (repairs + rereads + pagesFailed + pagesEmpty > 0 || isShort(category));
}

/** Which walked categories were not in order tonight; one whose child showed more than it did puts all in doubt. */
function doubtedRoots(
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

/** What no walked category leads to: what the taxonomy had last night, and what breadcrumbs name tonight. */
async function findIdsNotInTaxonomy(
  tx: Askable,
  runId: number,
  outsideIds: readonly string[],
  asked: readonly { readonly categoryId: string }[],
): Promise<string[]> {
  const known = new Set(asked.map(({ categoryId }) => categoryId));
  const ids = [...(await readCategoriesGone(tx, runId)), ...outsideIds.map(topOf)];
  return [...new Set(ids)]
    .filter((id) => id !== null)
    .filter((id) => !known.has(id))
    .slice(0, mostNotInTaxonomy);
}

async function countAsks(tx: Askable, runId: number): Promise<number> {
  const [row] = await rowsOf<{ asks: number }>(
    tx,
    `select count(*)::int as asks from ops.detail_fetch where run_id = $1 and reason in ('missing', 'delist')`,
    [runId],
  );
  return row!.asks;
}
