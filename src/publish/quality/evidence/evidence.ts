import { regionCodes } from '../../../base/model/index.ts';
import type { StagedNode } from '../../../crawl/stage/taxonomy.ts';
import type { Database, Queryable } from '../../../db/client.ts';
import { rowsOf } from '../../../db/rows.ts';
import { endpointsOf } from '../../../source/endpoints/index.ts';
import { repeatedId } from '../../../source/endpoints/taxonomy.ts';
import { categoriesOutsideTaxonomy } from '../../../source/normalise/category-outside-taxonomy.ts';
import type { CategoryEvidence } from './category-evidence.ts';
import { isTroubled } from './doubtful.ts';
import { readLongPause } from './long-pause.ts';
import type { LostMembers } from './lost-members.ts';
import { readFallTrace, readNightBefore } from './night-before.ts';
import { gatherPages, groupCategories, nameOf, type PageEvidence, readPagesState, topOf } from './page-evidence.ts';
import { addUnseenMembers } from './repeating.ts';
import type { Coverage, LostMembersEvidence, RunEvidence } from './run-evidence.ts';
import { collectUnseen, readCertifiedCounts, readOverview, readUnseen } from './unseen.ts';
import { readRanked, sampleFrom } from './unseen-sample.ts';
import { usualProducts } from './usual.ts';

/** Share of the planned pages that may be requested additionally, and a minimum for small catalogues. */
const allowanceShare = 0.1;
const leastAllowance = 150;
const taxonomies = regionCodes.map((region) => endpointsOf[region].taxonomy.name);

/**
 * Collects the evidence about an open run whose pages are all done or failed. `before`: evidence of the run's pages
 * from an earlier call; it is used if nothing that it depends on has changed.
 */
export async function gatherEvidence(db: Database, runId: number, before?: PageEvidence): Promise<Coverage> {
  return db.tx(async (tx) => {
    // The planner does not know the run's pages yet. Hash joins of a few rows cost little, nested loops of many do not.
    // Grouping 300,000 products in memory: the default of 4 MB would spill to disk.
    await tx.query(`set local enable_nestloop = off; set local work_mem = '64MB'`);
    const state = await readPagesState(tx, runId);
    const isKnown = before?.state === state.state;
    if (isKnown) await collectUnseen(tx, runId, before.unseenKeys);
    const pageEvidence = isKnown ? before : await gatherPages(tx, runId, state);
    const { taxonomy, deferred, categories, misplaced, lostMembers, outside, doubtfulPages, children, pagesMd5 } =
      pageEvidence;
    const unseenBelow = await readUnseen(tx, runId, pagesMd5);
    const overview = await readOverview(tx);
    const { sample, toAsk } = sampleFrom(await readRanked(tx, runId), overview.unseen);
    const fallTrace = await readFallTrace(tx, pagesMd5);
    const { isListed, walked, caps, repeating } = groupCategories(pageEvidence);
    const pathOf = new Map(categories.map(({ categoryNo, path }) => [categoryNo, path]));
    const sum = (pick: (category: CategoryEvidence) => number) =>
      categories.reduce((total, category) => total + pick(category), 0);
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
      distinctProducts: pageEvidence.distinctProducts,
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
      repeating: await addUnseenMembers(tx, runId, pageEvidence.repeating),
      isTroubled:
        doubtfulPages.size + caps.size + misplaced.size + pageEvidence.idsNotInTaxonomy.length > 0 ||
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
      pageEvidence,
      evidence,
      samples: categories.filter(({ isSample }) => isSample),
      childrenToAsk: children.filter(({ isPlanned }) => !isPlanned),
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
      outsideTaxonomy: categoriesOutsideTaxonomy(outside.map(({ categoryId }) => categoryId)),
      idsNotInTaxonomy: pageEvidence.idsNotInTaxonomy,
    };
  });
}

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
