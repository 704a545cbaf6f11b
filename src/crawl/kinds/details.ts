import type { ProductDetail } from '../../base/model/index.ts';
import { detailFetch } from '../../db/tables/index.ts';
import type { ProductQuestion } from '../../source/endpoints/index.ts';
import type { CrawlContext } from '../context.ts';
import type { Run } from '../run/runs.ts';
import { stageDetails } from '../stage/detail.ts';
import type { KeptUnit, Kind } from '../work.ts';

type ClaimedDetail = typeof detailFetch.$inferSelect;

interface KeptDetail extends KeptUnit {
  /** Null: the upstream has no such product. */
  readonly detail: ProductDetail | null;
}

/** Attempts per product before the run goes on without its details. */
const maxAttempts = 3;

/** Own pages of products. A night can do without them. */
export function detailsOf(
  { endpointsOf }: Pick<CrawlContext, 'endpointsOf'>,
  { runId, region }: Pick<Run, 'runId' | 'region'>,
): Kind<ClaimedDetail, ProductQuestion, ProductDetail | null, KeptDetail> {
  return {
    table: detailFetch,
    phase: 'details',
    endpoint: endpointsOf[region].productDetails,
    ask: ({ productId }) => ({ productId }),
    maxAttempts: () => maxAttempts,
    isOptional: true,
    prepare: (_, { records }) => ({ detail: records, values: { outcome: records ? 'found' : 'not_there' } }),
    nothing: (_, failure) => (failure === 'not_there' ? { detail: null, values: { outcome: 'not_there' } } : null),

    keep: (tx, group) =>
      stageDetails(
        tx,
        runId,
        group.flatMap(({ unit: { productId }, kept: { detail } }) => (detail ? [{ productId, detail }] : [])),
      ),
  };
}
