import { z } from 'zod';
import { handleFailure, type Unit } from '../src/crawl/handle-failure.ts';
import { isUpstreamHealthy } from '../src/crawl/health-probe.ts';
import { processBatch } from '../src/crawl/process-batch.ts';
import { EndpointMissing, NotThere } from '../src/errors.ts';
import { type ClaimedDetail, maxDetailAttempts } from '../src/ledger/details.ts';
import { defineJob, type JobContext } from './context.ts';

/** The details of a handful of products that are worth a request each, or that no category listed. */
export const crawlProducts = defineJob({
  name: 'crawl-products',
  isConcurrent: true,
  payload: z.object({ run: z.int(), batch: z.int() }),
  key: ({ run, batch }) => `details-${run}-${batch}`,

  async run({ run: runId, batch }, context, signal) {
    const { details, workerId, ask, askAndKeep, ingest, stageDetail, clock } = context;
    await processBatch(context, signal, {
      runId,
      key: `details-${runId}-${batch}`,
      claim: () => details.claim(runId, batch, workerId),
      giveBack: (claimed) => details.release(runId, claimed, false, 'the run waits'),
      work: (claimed, run) =>
        handleFailure(
          context,
          runId,
          signal,
          () => {
            const { productId, lease, reason } = claimed;
            const endpoint = context.endpointsOf[run.region].productDetails;
            const mine = { run, productId, lease, workerId, endpoint: endpoint.name };
            return askAndKeep(endpoint.listing, async () => {
              try {
                const answer = await ask(endpoint, { productId }, runId, signal);
                const { sha256, receivedAt } = answer.payload;
                await ingest(endpoint, { productId }, answer, runId, ({ records, rejected }) =>
                  stageDetail({ ...mine, detail: records, rejected, payloadSha256: sha256, receivedAt }),
                );
              } catch (error) {
                // The listing is read: the night must not wait for an endpoint that adds to it.
                if (error instanceof EndpointMissing) {
                  return reason === 'missing' || reason === 'delist'
                    ? details.fail(runId, claimed, error.message)
                    : details.defer(runId, claimed, error.message);
                }
                // That a product has no page is an answer, not a failure.
                if (!(error instanceof NotThere)) throw error;
                await stageDetail({
                  ...mine,
                  detail: null,
                  rejected: [],
                  payloadSha256: null,
                  receivedAt: clock.now(),
                });
              }
            });
          },
          unitOf(context, run, claimed, signal),
        ),
    });
  },
});

type Staged = NonNullable<Awaited<ReturnType<JobContext['stagedRun']>>>;

function unitOf(context: JobContext, { runId, region, run }: Staged, detail: ClaimedDetail, signal: AbortSignal): Unit {
  const { details, ask, endpointsOf } = context;
  return {
    release: (costsAttempt, why) => details.release(runId, detail, costsAttempt, why),
    fail: (why) => details.fail(runId, detail, why),
    attempts: detail.attempts,
    mostAttempts: maxDetailAttempts,
    isTrial: run.pausedFor !== null,
    // The listing is read: it is certified without them.
    atCap: (why) => details.defer(runId, detail, why),
    isUpstreamHealthy: () =>
      isUpstreamHealthy(context, runId, async () => {
        const productId = await details.anyDone(runId);
        if (productId) await ask(endpointsOf[region].productDetails, { productId }, runId, signal, 'health-probe');
        return productId !== null;
      }),
  };
}
