import { type Endpoint, endpointsOf, groceryHealth, ukProductSearch } from '../endpoints/index.ts';
import { PricebookError, UpstreamUnavailable } from '../errors.ts';
import { type RegionCode, regionCodes } from '../model/index.ts';
import type { CrawlContext } from './context.ts';
import { type Checked, pageFacts, shapeOf, taxonomyFacts } from './probe-facts.ts';

/** A listing that fails is asked again by the gateway: with what that may cost, a probe stays within this many requests. */
export const mostProbeRequests = 20;

/** What one endpoint answered to one question. */
export interface ProbeReport {
  readonly checks: readonly Checked[];
  readonly regions: Readonly<Record<RegionCode, RegionFacts>>;
  /** Why it stopped early; null: all was asked. */
  readonly stoppedFor: string | null;
}

export interface RegionFacts {
  readonly pageSize: number | null;
  readonly answers: Readonly<Record<string, unknown>>;
}

/**
 * Asks each grocery endpoint a few questions, archives what comes, and holds it against the contracts. One failure of the upstream
 * ends it: what it says then is no answer about the contract.
 */
export async function probeContracts(
  { ask, ingest }: Pick<CrawlContext, 'ask' | 'ingest'>,
  signal: AbortSignal,
): Promise<ProbeReport> {
  const checks: Checked[] = [];
  const answers: Record<RegionCode, Record<string, unknown>> = { uk: {}, ie: {} };
  const pageSizes: Record<RegionCode, number | null> = { uk: null, ie: null };

  async function check<Params, Records>(endpoint: Endpoint<Params, Records>, params: Params, asked: string) {
    const about = { endpoint: endpoint.name, asked };
    try {
      const answer = await ask(endpoint, params, null, signal);
      let rejected = 0;
      const records = await ingest(endpoint, params, answer, null, async (reading) => {
        rejected = reading.rejected.length;
      });
      const said = rejected === 0 ? null : `${rejected} elements are rejected`;
      checks.push({ ...about, outcome: rejected === 0 ? 'kept' : 'partly', said });
      return { records, body: answer.body, request: answer.payload.request };
    } catch (error) {
      if (!(error instanceof PricebookError) || error instanceof UpstreamUnavailable || error.exitCode !== 1)
        throw error;
      const isBroken = error.name === 'ContractBroken';
      checks.push({ ...about, outcome: isBroken ? 'broken' : 'refused', said: error.message });
      return null;
    }
  }

  try {
    await check(groceryHealth, undefined, 'whether it is there');
    for (const region of regionCodes) {
      const { taxonomy, categoryPage, productDetails } = endpointsOf[region];
      const said = answers[region];
      const tree = await check(taxonomy, undefined, 'the tree');
      if (tree) Object.assign(said, taxonomyFacts(tree.records.nodes, tree.request));
      const top = tree?.records.nodes.find(({ depth }) => depth === 0);
      if (!top) continue;
      const { categoryId } = top;
      const first = await check(categoryPage, { categoryId, pageNo: 1 }, 'the first page');
      if (first) {
        Object.assign(said, pageFacts(first.records), { page_shape: shapeOf(first.body) });
        const { resultsPerPage, declaredTotal, itemsReceived } = first.records;
        pageSizes[region] =
          resultsPerPage ?? (declaredTotal !== null && declaredTotal > itemsReceived ? itemsReceived : null);
        const beyond = Math.ceil((declaredTotal ?? 0) / Math.max(1, pageSizes[region] ?? 24)) + 5;
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
    const found = await check(ukProductSearch, { keyword: 'milk' }, 'a search for milk');
    if (found) answers.uk['search_results'] = found.records.itemsReceived;
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof PricebookError)) throw error;
    return { checks, regions: regionsOf(pageSizes, answers), stoppedFor: error.message };
  }
  return { checks, regions: regionsOf(pageSizes, answers), stoppedFor: null };
}

function regionsOf(
  pageSizes: Record<RegionCode, number | null>,
  answers: Record<RegionCode, Record<string, unknown>>,
): ProbeReport['regions'] {
  return {
    uk: { pageSize: pageSizes.uk, answers: answers.uk },
    ie: { pageSize: pageSizes.ie, answers: answers.ie },
  };
}
