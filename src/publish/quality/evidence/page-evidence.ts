import { suspectedCaps } from '../../../crawl/plan/cap.ts';
import { readTaxonomy, type StagedNode } from '../../../crawl/stage/taxonomy.ts';
import type { Queryable } from '../../../db/client.ts';
import { rowsOf } from '../../../db/rows.ts';
import { decodeCategoryId, encodeCategoryId } from '../../../source/normalise/category-id.ts';
import { type CategoryEvidence, readCategoryEvidence } from './category-evidence.ts';
import { readSampledChildren, type SampledChild } from './children.ts';
import { type DeferredEvidence, readDeferred } from './deferred.ts';
import { doubtedRoots, findDoubtfulPages } from './doubtful.ts';
import { type LostMembers, readLostMembers } from './lost-members.ts';
import { collectObservations } from './observations.ts';
import { type RepeatingPages, readRepeating } from './repeating.ts';
import {
  collectUnseen,
  countDistinctProducts,
  readCategoriesGone,
  readCategoriesOutsideTaxonomy,
  readMisplaced,
  readUnseenKeys,
} from './unseen.ts';

/** Maximum number of top-level categories outside the taxonomy that a run requests. */
const mostNotInTaxonomy = 10;

/**
 * Evidence of a run's pages. It stays valid while own pages of unseen products are requested, so that a process that
 * gathers the run's evidence again does not read all observations again.
 */
export interface PageEvidence extends PagesState {
  readonly taxonomy: readonly StagedNode[];
  readonly deferred: readonly (DeferredEvidence & { readonly categoryNo: number })[];
  readonly categories: readonly CategoryEvidence[];
  readonly distinctProducts: number;
  readonly misplaced: ReadonlyMap<number, number>;
  readonly lostMembers: readonly LostMembers[];
  /** Categories outside the taxonomy that breadcrumbs name. */
  readonly outside: readonly { readonly categoryId: string; readonly products: number }[];
  readonly idsNotInTaxonomy: readonly string[];
  readonly doubtfulPages: ReadonlyMap<number, readonly number[]>;
  readonly children: readonly SampledChild[];
  readonly repeating: readonly RepeatingPages[];
  /** Products of the region that no page showed. */
  readonly unseenKeys: readonly number[];
}

interface PagesState {
  /** Changes whenever a page of the run, or the catalogue of its region, changes. */
  readonly state: string;
  /** md5 over the hashes of all pages as received; null before the first. */
  readonly pagesMd5: string | null;
}

/**
 * Collects the evidence that depends on the run's pages and the catalogue, but on no details. Leaves the tables of
 * `collectUnseen`.
 */
export async function gatherPages(tx: Queryable, runId: number, state: PagesState): Promise<PageEvidence> {
  await collectObservations(tx, runId);
  await collectUnseen(tx, runId);
  const taxonomy = await readTaxonomy(tx, runId);
  const deferred = await readDeferred(tx, runId);
  const waiting = new Set(deferred.map(({ categoryNo }) => categoryNo));
  // Deferred categories are excluded: their first page only showed their size.
  const categories = (await readCategoryEvidence(tx, runId))
    .filter(({ categoryNo }) => !waiting.has(categoryNo))
    .map(named);
  const { walked, repeating } = groupCategories({ taxonomy, categories });
  const outside = await readCategoriesOutsideTaxonomy(tx, runId);
  const outsideIds = outside.map(({ categoryId }) => categoryId);
  const doubtfulPages = await findDoubtfulPages(tx, runId, walked);
  return {
    ...state,
    taxonomy,
    deferred,
    categories,
    distinctProducts: await countDistinctProducts(tx),
    misplaced: await readMisplaced(tx, runId),
    lostMembers: await readLostMembers(tx, runId),
    outside,
    idsNotInTaxonomy: await findIdsNotInTaxonomy(tx, runId, outsideIds, [...taxonomy, ...categories]),
    doubtfulPages,
    // With deferred categories no product is reported as gone, so parents need no comparison with their children.
    children: deferred.length > 0 ? [] : await readSampledChildren(tx, runId, doubtedRoots(categories, doubtfulPages)),
    repeating: await readRepeating(tx, runId, repeating),
    unseenKeys: await readUnseenKeys(tx),
  };
}

export async function readPagesState(tx: Queryable, runId: number): Promise<PagesState> {
  const [state] = await rowsOf<PagesState>(
    tx,
    `select concat_ws('/', r.run_id, r.epoch, night.change_seq, page.*, category.*) as state, page.md5 as "pagesMd5"
     from ops.run r
     cross join lateral (
       select max(change_seq) as change_seq from ops.night_change where region = r.region) as night
     cross join lateral (
       select md5(string_agg(distinct encode(payload_sha256, 'hex'), '')), count(*), sum(lease),
         count(*) filter (where status = 'done')
       from ops.category_page where run_id = r.run_id) as page
     cross join lateral (
       select count(*), sum(repairs), sum(pages_planned), count(*) filter (where is_sample)
       from ops.category_crawl where run_id = r.run_id) as category
     where r.run_id = $1`,
    [runId],
  );
  return state!;
}

/** Groups the categories by how they were requested. */
export function groupCategories({ taxonomy, categories }: Pick<PageEvidence, 'taxonomy' | 'categories'>) {
  const isListed = new Set(taxonomy.map(({ categoryNo }) => categoryNo));
  const walked = categories.filter(({ isSample }) => !isSample);
  return {
    isListed,
    walked,
    caps: suspectedCaps(walked.map(({ declaredLast }) => declaredLast)),
    repeating: categories.filter(
      ({ isSample, categoryNo, rootNo }) => isSample && categoryNo === rootNo && isListed.has(categoryNo),
    ),
  };
}

/** Names a category outside the taxonomy by the path encoded in its id. */
function named(category: CategoryEvidence): CategoryEvidence {
  return category.path === category.categoryId ? { ...category, path: nameOf(category.categoryId) } : category;
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

export function topOf(categoryId: string): string | null {
  const [top] = decodeCategoryId(categoryId) ?? [];
  return top === undefined ? null : encodeCategoryId([top]);
}

export const nameOf = (categoryId: string): string => decodeCategoryId(categoryId)?.join(' > ') ?? categoryId;
