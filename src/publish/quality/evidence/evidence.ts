import { regionCodes } from '../../../base/model/index.ts';
import { suspectedCaps } from '../../../crawl/plan/cap.ts';
import { readTaxonomy, type StagedNode } from '../../../crawl/stage/taxonomy.ts';
import type { Database, Queryable } from '../../../db/client.ts';
import { rowsOf } from '../../../db/rows.ts';
import { endpointsOf } from '../../../source/endpoints/index.ts';
import { repeatedId } from '../../../source/endpoints/taxonomy.ts';
import { decodeCategoryId, encodeCategoryId } from '../../../source/normalise/category-id.ts';
import { categoriesOutsideTaxonomy } from '../../../source/normalise/category-outside-taxonomy.ts';
import { type CategoryEvidence, readCategoryEvidence } from './category-evidence.ts';
import { readSampledChildren } from './children.ts';
import { readDeferred } from './deferred.ts';
import { doubtedRoots, findDoubtfulPages, isTroubled } from './doubtful.ts';
import { readLongPause } from './long-pause.ts';
import { type LostMembers, readLostMembers } from './lost-members.ts';
import { readFallTrace, readNightBefore } from './night-before.ts';
import { collectObservations } from './observations.ts';
import { readRepeating } from './repeating.ts';
import type { Coverage, LostMembersEvidence, RunEvidence } from './run-evidence.ts';
import {
  readCategoriesGone,
  readCategoriesOutsideTaxonomy,
  readCertifiedCounts,
  readMisplaced,
  readOverview,
  readUnseen,
} from './unseen.ts';
import { readRanked, sampleFrom } from './unseen-sample.ts';
import { usualProducts } from './usual.ts';

/** Share of the planned pages that may be requested additionally, and a minimum for small catalogues. */
const allowanceShare = 0.1;
const leastAllowance = 150;
/** Maximum number of top-level categories outside the taxonomy that a run requests. */
const mostNotInTaxonomy = 10;

const taxonomies = regionCodes.map((region) => endpointsOf[region].taxonomy.name);

/** Collects the evidence about an open run whose pages are all done or failed. */
export async function gatherEvidence(db: Database, runId: number): Promise<Coverage> {
  return db.tx(async (tx) => {
    // The planner does not know the run's pages yet. Hash joins of a few rows cost little, nested loops of many do not.
    await tx.query('set local enable_nestloop = off');
    await collectObservations(tx, runId);
    const taxonomy = await readTaxonomy(tx, runId);
    const deferred = await readDeferred(tx, runId);
    const waiting = new Set(deferred.map(({ categoryNo }) => categoryNo));
    // Deferred categories are excluded: their first page only showed their size.
    const categories = (await readCategoryEvidence(tx, runId))
      .filter(({ categoryNo }) => !waiting.has(categoryNo))
      .map(named);
    const unseenBelow = await readUnseen(tx, runId);
    const overview = await readOverview(tx);
    const { sample, toAsk } = sampleFrom(await readRanked(tx, runId), overview.unseen);
    const fallTrace = await readFallTrace(tx, runId);
    const misplaced = await readMisplaced(tx, runId);
    const lostMembers = await readLostMembers(tx, runId);
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
    // With deferred categories no product is reported as gone, so parents need no comparison with their children.
    const children =
      deferred.length > 0 ? [] : await readSampledChildren(tx, runId, doubtedRoots(categories, doubtfulPages));
    const childrenToAsk = children.filter(({ isPlanned }) => !isPlanned);

    const pages = walked.reduce((total, { pagesPlanned }) => total + pagesPlanned, 0);
    const evidence: RunEvidence = {
      categoriesInTaxonomy: taxonomy.length,
      unreadCategories: await countUnreadCategories(tx, runId),
      uncoveredLeaves: uncovered(taxonomy, [...walked, ...repeating, ...deferred]),
      deferred: deferred.map(({ path, lastReadOn, isLookedAt }) => ({ path, lastReadOn, isLookedAt })),
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
      unseenBelow: unseenBelow.map(({ rootNo, goneCategoryId, products, asked, forSale, unclear }) => ({
        path: rootNo !== null ? (pathOf.get(rootNo) ?? null) : goneCategoryId && nameOf(goneCategoryId),
        products,
        asked,
        forSale,
        unclear,
      })),
      misplaced: [...misplaced].map(([rootNo, products]) => ({ path: pathOf.get(rootNo) ?? '', products })),
      lostMembers: lostMembers.map((category) => lostMembersEvidence(category, categories)),
      itemsReceived: sum(({ itemsReceived }) => itemsReceived),
      rejected: sum(({ rejected }) => rejected),
      repeating: await readRepeating(tx, runId, repeating),
      isTroubled:
        doubtfulPages.size + caps.size + misplaced.size + idsNotInTaxonomy.length > 0 ||
        categories.some((category) => isTroubled(category, isListed)),
      longPause: await readLongPause(tx, runId),
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
      shortByBreadcrumb: new Set([...misplaced.keys(), ...lostMembers.map(({ rootNo }) => rootNo)]),
      forSaleIn: unseenBelow.flatMap((below) => below.forSaleIn),
      unconfirmed: unseenBelow.flatMap((below) => below.unconfirmed),
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

function lostMembersEvidence(
  { rootNo, ...loss }: LostMembers,
  categories: readonly CategoryEvidence[],
): LostMembersEvidence {
  const { categoryId, path } = categories.find(({ categoryNo }) => categoryNo === rootNo)!;
  return { categoryId, path, ...loss };
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

/** Names a category outside the taxonomy by the path encoded in its id. */
function named(category: CategoryEvidence): CategoryEvidence {
  return category.path === category.categoryId ? { ...category, path: nameOf(category.categoryId) } : category;
}

/** Leaves that are below no walked or deferred category. */
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

/** Top-level categories that were not walked, from last night's taxonomy and tonight's breadcrumbs. */
async function findIdsNotInTaxonomy(
  tx: Queryable,
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

async function countUnreadCategories(tx: Queryable, runId: number): Promise<number> {
  const [row] = await rowsOf<{ nodes: number }>(
    tx,
    `select count(distinct path)::int as nodes from ops.quarantine
     where run_id = $1 and endpoint = any($2) and path ~ '^data\\.taxonomy\\[\\d+\\]$' and reason <> $3`,
    [runId, taxonomies, repeatedId],
  );
  return row!.nodes;
}

async function countAsks(tx: Queryable, runId: number): Promise<number> {
  const [row] = await rowsOf<{ asks: number }>(
    tx,
    `select count(*)::int as asks from ops.detail_fetch where run_id = $1 and reason = 'missing'`,
    [runId],
  );
  return row!.asks;
}
