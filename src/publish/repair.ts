import { and, eq, inArray, sql } from 'drizzle-orm';
import type { CrawlContext } from '../crawl/context.ts';
import { planOwnPages } from '../crawl/ledger/details.ts';
import { planCategories } from '../crawl/ledger/pages.ts';
import type { Run } from '../crawl/run/runs.ts';
import { maxRepairRounds, move } from '../crawl/run/transitions.ts';
import type { Transaction } from '../db/client.ts';
import { camelRows } from '../db/rows.ts';
import { categoryCrawl } from '../db/tables/index.ts';
import type { Assessment } from './assess.ts';
import { type CategoryEvidence, isCapped, isCutShort, isReleased, sampleSize, suspectedCaps } from './certificate.ts';
import { chooseSamples, type Sample } from './samples.ts';

/** Share of the planned pages that may be requested additionally, and a minimum for small catalogues. */
const [allowanceShare, leastAllowance] = [0.1, 150];

/**
 * Plans requests that may still complete a run: pages of short categories once more, their children, first pages for
 * comparison or, if all that is in order, own pages of unseen products. Needs the tables of `assess`. False: none.
 */
export async function planRepair(
  tx: Transaction,
  { settings }: Pick<CrawlContext, 'settings'>,
  run: Pick<Run, 'runId' | 'region' | 'runToken' | 'repairRounds'>,
  assessment: Assessment,
): Promise<boolean> {
  const { runId } = run;
  // No requests are left.
  if (run.repairRounds >= maxRepairRounds || isCutShort(assessment.categories)) return false;
  const left = allowanceLeft(assessment);
  const maxIdLength = settings.categoryIdMaxLength[run.region];
  const children = await readChildren(tx, runId, maxIdLength);
  const { reread, descend, walk } = chooseRepairs(assessment, children, settings.certify.tolerance, left);
  const samples = await chooseSamples(tx, assessment, maxIdLength, left);
  if (reread.length + descend.length + walk.length + samples.length > 0) {
    if (!(await move(tx, 'repairListing', run))) return false;
    await readAgain(tx, runId, reread);
    const instead = children.filter(({ parentNo }) => descend.includes(parentNo));
    await tx.orm.update(categoryCrawl).set({ isDescended: true }).where(areThese(runId, descend));
    await planCategories(tx, runId, [...instead, ...samples.map((sample) => ({ ...sample, isSample: true }))]);
    // Of some children, only the first page was read.
    await walkWhole(tx, runId, [...walk, ...instead.map(({ categoryNo }) => categoryNo)]);
    return true;
  }
  // A user's word counts more than own pages.
  if (isReleased(assessment.evidence, settings.certify.maxDrop)) return false;
  const asked = (await chooseProducts(tx, assessment)).slice(0, left);
  if (asked.length === 0 || (await planOwnPages(tx, runId, asked)) === 0) return false;
  return move(tx, 'repairDetails', run);
}

const areThese = (runId: number, categoryNos: readonly number[]) =>
  and(eq(categoryCrawl.runId, runId), inArray(categoryCrawl.categoryNo, [...categoryNos]));

function allowanceLeft({ evidence, categories }: Assessment): number {
  const allowance = Math.max(leastAllowance, Math.round(pagesOf(categories, false) * allowanceShare));
  return Math.max(0, allowance - evidence.rereads - pagesOf(categories, true) - evidence.asks);
}

const pagesOf = (categories: Assessment['categories'], ofSamples: boolean): number =>
  categories.reduce((sum, c) => sum + (c.isSample === ofSamples ? c.pagesPlanned : 0), 0);

/**
 * Numbers of categories: to read again, to replace by their children, and samples to read whole. A category that lacks
 * products is read again; its children replace it if that did not help or cannot, because it repeats itself, is capped,
 * or shows less than they do. Descending is free where a total is short: it replaces other requests.
 */
function chooseRepairs(
  { categories, evidence: { rereads } }: Assessment,
  children: readonly Child[],
  tolerance: number,
  allowance: number,
): Record<'reread' | 'descend' | 'walk', readonly number[]> {
  const reread: number[] = [];
  const descend: number[] = [];
  const walk: number[] = [];
  const caps = suspectedCaps(categories.filter(({ isSample }) => !isSample).map(({ declared }) => declared));
  const parents = new Set(children.map(({ parentNo }) => parentNo));
  let left = allowance;
  // Totals that always differ must not double a night.
  let leftForMoved = Math.floor(pagesOf(categories, false) / 2) - rereads;
  for (const c of [...categories].sort((a, b) => lacking(b) - lacking(a))) {
    const { categoryNo, pagesPlanned } = c;
    const isAffordable = pagesPlanned <= left;
    if (c.isSample) {
      const isUnknown = categoryNo === c.rootNo && !c.isInTaxonomy && c.seen > 0;
      if (isUnknown && Math.ceil((c.declared ?? 0) / Math.max(1, c.received)) <= left) walk.push(categoryNo);
      continue;
    }
    if (c.isDescended) continue;
    const isParent = parents.has(categoryNo);
    const isShort = lacking(c) > 0 || c.pagesFailed > 0;
    const isContradicted = c.misplaced > 0 || c.forSale > 0;
    const hasMoved = c.totals > 1 && c.repairs === 0 && pagesPlanned <= leftForMoved;
    const isUseless = isParent && lacking(c) > 0 && c.pagesEnding > 0 && c.pagesFailed === 0;
    if (isParent && (c.hidden > 0 || isCapped(c, caps))) descend.push(categoryNo);
    else if ((isShort || hasMoved) && c.repairs < maxRereads && isAffordable && !isUseless) {
      reread.push(categoryNo);
      left -= pagesPlanned;
      leftForMoved -= pagesPlanned;
    } else if (isParent && (c.pagesFailed > 0 || lacking(c) > tolerance * (c.declared ?? 0))) descend.push(categoryNo);
    else if (isContradicted && isAffordable && (isParent || c.repairs === 0)) {
      (isParent ? descend : reread).push(categoryNo);
      left -= pagesPlanned;
    }
  }
  return { reread, descend, walk };
}

/** Rounds in which a category is read again; a defect that survives them is permanent. */
const maxRereads = 2;

const lacking = ({ declared, seen, rejected }: CategoryEvidence): number => (declared ?? 0) - seen - rejected;

type Child = Sample & { readonly parentNo: number };

/** Children of requested categories that can be requested. They help to cover what their parents do. */
function readChildren(tx: Transaction, runId: number, maxIdLength: number): Promise<Child[]> {
  return camelRows(
    tx,
    `select child.category_no, child.category_id, child.parent_no, e.root_no
     from stage.category child
     join ops.category_evidence e on e.run_id = child.run_id and e.category_no = child.parent_no
     where child.run_id = $1 and length(child.category_id) <= $2
     order by child.category_no`,
    [runId, maxIdLength],
  );
}

/** Plans another reading of the pages that failed, unless they are unreadable, or of all if none did. */
async function readAgain(tx: Transaction, runId: number, categoryNos: readonly number[]): Promise<void> {
  await tx.orm
    .update(categoryCrawl)
    .set({ repairs: sql`${categoryCrawl.repairs} + 1` })
    .where(areThese(runId, categoryNos));
  await tx.query(
    `insert into ops.category_page (run_id, category_no, page_no, attempt_no)
     select page.run_id, page.category_no, page.page_no, page.attempt_no + 1
     from (
       select run_id, category_no, page_no, max(attempt_no) as attempt_no,
         bool_or(status = 'done' or error like 'unreadable:%') as is_read
       from ops.category_page where run_id = $1 and category_no = any($2)
       group by run_id, category_no, page_no
     ) as page
     join ops.category_evidence e using (run_id, category_no)
     where e.pages_failed = 0 or not page.is_read
     order by category_no, page_no`,
    [runId, categoryNos],
  );
}

/** Extends samples, whose first page is read, to all pages; without a total, by one that shows whether to go on. */
async function walkWhole(tx: Transaction, runId: number, categoryNos: readonly number[]): Promise<void> {
  await tx.query(
    `with walked as (
       update ops.category_crawl c
       set is_sample = false,
         pages_planned = case
           when declared_last is null then 2
           else greatest(1, ceil(declared_last::numeric / coalesce(nullif(results_per_page, 0), 24)))
         end
       where run_id = $1 and category_no = any($2) and is_sample
       returning category_no, pages_planned
     )
     insert into ops.category_page (run_id, category_no, page_no)
     select $1, category_no, page_no from walked cross join generate_series(1, pages_planned) as page_no
     on conflict do nothing`,
    [runId, categoryNos],
  );
}

/** Own pages requested per category: enough to tell removed products from wrong pages. */
const asksPerCategory = 3;

/**
 * Products whose own pages may prove that they are gone. After a loss of the whole region that is not proven and the
 * only problem: a random sample. For a run that otherwise looks certified: a few per category. Otherwise none, because
 * no product will be reported as gone.
 */
async function chooseProducts(tx: Transaction, { runId, evidence, judgement }: Assessment): Promise<string[]> {
  if (judgement.verdict === 'partial' && !judgement.isOnlyFallen) return [];
  if (!judgement.reasons.some(({ code }) => code === 'fell')) {
    const few = await camelRows<{ productId: string }>(tx, selectFew, [runId, asksPerCategory]);
    return few.map(({ productId }) => productId);
  }
  // Whether an own page was requested, and says that the product is for sale, or gone.
  const ranked = await camelRows<Ranked>(tx, selectRanked, [runId]);
  // Not if more pages fail than answer.
  const failed = ranked.filter(({ isRequested, isProof }) => isRequested && !isProof);
  const sample = ranked.filter((product) => !failed.includes(product)).slice(0, sampleSize(evidence.unseen));
  if (failed.length > sample.filter(({ isProof }) => isProof).length) return [];
  return sample.filter(({ isRequested }) => !isRequested).map(({ productId }) => productId);
}

type Ranked = { readonly productId: string; readonly isRequested: boolean; readonly isProof: boolean };

/** By a random order that a restart or replay repeats; and all that may be in a category that is not read tonight. */
const selectFew = `
  select product_id
  from (
    select product_id, is_left_out and not is_requested as is_needed,
      bool_or(is_requested) over (partition by root_no, top_key) as is_asked,
      row_number() over (partition by root_no, top_key order by md5($1 || '/' || product_id)) as rank
    from missing where root_no is not null or top_key is not null
  ) as placed
  where is_needed or not is_asked and rank <= $2
  order by 1`;

/** More would be needed only if most requests fail, and then no more are sent. */
const selectRanked = `
  select product_id, is_requested, is_for_sale or is_gone as is_proof
  from missing where was_listed order by md5($1 || '/' || product_id), product_id limit 150`;
