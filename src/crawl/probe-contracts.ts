import { PricebookError, UpstreamUnavailable } from '../base/errors.ts';
import { type RegionCode, regionCodes } from '../base/model/index.ts';
import { readQuota } from '../gateway/quota.ts';
import { type Endpoint, endpointsOf, groceryHealth, ukProductSearch } from '../source/endpoints/index.ts';
import { encodeCategoryId } from '../source/normalise/category-id.ts';
import type { CrawlContext } from './context.ts';
import { ingestOne } from './ingest.ts';
import { defaultPageSize, pageSizeShown } from './plan/paging.ts';
import { type Checked, isCounted, type LimitFacts, pageFacts, shapeOf, taxonomyFacts } from './probe-facts.ts';
import { pageOfSearch, searchPaging } from './probe-search.ts';

/** Maximum number of requests, including retries. */
export const mostProbeRequests = 20;

/** Results of the contract probe. */
export interface ProbeReport {
  readonly checks: readonly Checked[];
  readonly limits: LimitFacts;
  readonly regions: Readonly<Record<RegionCode, RegionFacts>>;
  /** Why the probe stopped early; null if all requests were sent. */
  readonly stoppedFor: string | null;
  /** Exit code of the command. */
  readonly exitCode: number;
}

interface RegionFacts {
  readonly pageSize: number | null;
  readonly answers: Readonly<Record<string, unknown>>;
}

/**
 * Sends a few requests to each grocery endpoint, archives the answers and checks them against the contracts. The first
 * upstream failure ends the probe, because it shows nothing about the contract. So does `spent`, when no more requests
 * may be sent.
 */
export async function probeContracts(
  { ask, ingest }: Pick<CrawlContext, 'ask' | 'ingest'>,
  { signal, spent }: { readonly signal: AbortSignal; readonly spent: AbortSignal },
): Promise<ProbeReport> {
  const whileSome = AbortSignal.any([signal, spent]);
  const checks: Checked[] = [];
  const answers: Record<RegionCode, Record<string, unknown>> = { uk: {}, ie: {} };
  const pageSizes: Record<RegionCode, number | null> = { uk: null, ie: null };
  const limits: LimitFacts = { rate_headers: [], quota: null, health_is_counted: null };

  async function check<Params, Records>(endpoint: Endpoint<Params, Records>, params: Params, asked: string) {
    const about = { endpoint: endpoint.name, asked };
    try {
      const answer = await ask(endpoint, params, null, whileSome);
      const reading = await ingestOne(ingest, endpoint, { params, answer }, null);
      const { records } = reading;
      const rejected = reading.rejected.length;
      const said = rejected === 0 ? null : `${rejected} elements are rejected`;
      checks.push({ ...about, outcome: rejected === 0 ? 'kept' : 'partly', said });
      const quota = readQuota(answer.rateHeaders ?? {}, answer.payload.receivedAt);
      limits.rate_headers = [...new Set([...limits.rate_headers, ...Object.keys(answer.rateHeaders ?? {})])].sort();
      if (quota) limits.quota = { limit: quota.limit, remaining: quota.remaining, resets_at: quota.resetsAt };
      return { records, body: answer.body, request: answer.payload.request, quota };
    } catch (error) {
      if (!(error instanceof PricebookError) || error instanceof UpstreamUnavailable || error.exitCode !== 1)
        throw error;
      const isBroken = error.name === 'ContractBroken';
      checks.push({ ...about, outcome: isBroken ? 'broken' : 'refused', said: error.message });
      return null;
    }
  }

  async function checkRegion(region: RegionCode): Promise<void> {
    const { taxonomy, categoryPage, productDetails } = endpointsOf[region];
    const said = answers[region];
    const tree = await check(taxonomy, undefined, 'the tree');
    if (tree) Object.assign(said, taxonomyFacts(tree.records.nodes, tree.request));
    const top = tree?.records.nodes.find(({ depth }) => depth === 0);
    if (!top) return;
    const { categoryId } = top;
    const first = await check(categoryPage, { categoryId, pageNo: 1 }, 'the first page');
    if (first) {
      Object.assign(said, pageFacts(first.records), { page_shape: shapeOf(first.body) });
      const { resultsPerPage, declaredTotal } = first.records;
      pageSizes[region] = resultsPerPage ?? pageSizeShown(first.records);
      const beyond = Math.ceil((declaredTotal ?? 0) / (pageSizes[region] ?? defaultPageSize)) + 5;
      const past = await check(categoryPage, { categoryId, pageNo: beyond }, 'a page beyond the end');
      said['page_beyond_the_end'] = past ? `${past.records.products.length} products` : 'refused';
      const product = first.records.products[0];
      const details = product && (await check(productDetails, { productId: product.productId }, 'a listed product'));
      if (details) said['details_shape'] = shapeOf(details.body);
    }
    const nobody = await check(productDetails, { productId: '1' }, 'a product that is not there');
    said['unknown_product'] = nobody
      ? nobody.records === null
        ? 'a success without a product'
        : 'a product'
      : 'refused';
  }

  async function checkSearch(said: Record<string, unknown>): Promise<void> {
    const asked = { keyword: 'milk' };
    const found = await check(ukProductSearch, asked, 'a search for milk');
    if (!found) return;
    said['search_results'] = found.records.itemsReceived;
    said['search_pages'] = await searchPaging(found.records, async (page) => {
      const other = await check(pageOfSearch(page), asked, `the same with page=${page}`);
      return other?.records ?? null;
    });
  }

  try {
    const there = await check(groceryHealth, undefined, 'whether it is there');
    const again = there && (await check(groceryHealth, undefined, 'the same again'));
    limits.health_is_counted = isCounted(there?.quota ?? null, again?.quota ?? null);
    for (const region of regionCodes) await checkRegion(region);
    const nowhere = await check(
      endpointsOf.uk.categoryPage,
      { categoryId: noCategory, pageNo: 1 },
      'an unknown category',
    );
    answers.uk['unknown_category'] = nowhere ? `${nowhere.records.products.length} products` : 'refused';
    await checkSearch(answers.uk);
  } catch (error) {
    signal.throwIfAborted();
    if (!spent.aborted && !(error instanceof PricebookError)) throw error;
    const stoppedFor = spent.aborted
      ? `the limit of ${mostProbeRequests} requests is reached`
      : (error as Error).message;
    const exitCode = spent.aborted ? 1 : (error as PricebookError).exitCode;
    return { checks, limits, regions: regionsOf(pageSizes, answers), stoppedFor, exitCode };
  }
  return { checks, limits, regions: regionsOf(pageSizes, answers), stoppedFor: null, exitCode: 0 };
}

/** Well-formed id of a category that does not exist. */
const noCategory = encodeCategoryId(['No such category']);

function regionsOf(
  pageSizes: Record<RegionCode, number | null>,
  answers: Record<RegionCode, Record<string, unknown>>,
): ProbeReport['regions'] {
  return {
    uk: { pageSize: pageSizes.uk, answers: answers.uk },
    ie: { pageSize: pageSizes.ie, answers: answers.ie },
  };
}
