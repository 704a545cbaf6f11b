import { EndpointMissing, NotThere } from '../base/errors.ts';
import type { Answer } from '../gateway/gateway.ts';
import type { CrawlContext } from './context.ts';
import { isUpstreamHealthy } from './handle-failure.ts';
import { type ClaimedDetail, detailUnits, maxDetailAttempts } from './ledger/details.ts';
import type { Run } from './ledger/runs.ts';
import { type ReadDetail, stageDetails } from './stage/detail.ts';
import { type LoopOptions, stageTogether, type UnitKind, workOnUnits } from './work-loop.ts';

/** A product without a page is a valid answer, not a failure. */
type Arrived = Answer | 'not there';

/** Fetches the own pages of the products planned for this run, until no unit is left. */
export function crawlDetails(
  context: CrawlContext,
  run: Run,
  signal: AbortSignal,
  options?: LoopOptions,
): Promise<boolean> {
  return workOnUnits(context, run, detailsOf(context, run, signal), signal, options);
}

function detailsOf(context: CrawlContext, run: Run, signal: AbortSignal): UnitKind<ClaimedDetail, Arrived> {
  const { db, clock, details, workerId, ask, ingest } = context;
  const { runId, region, epoch } = run;
  const endpoint = context.endpointsOf[region].productDetails;
  const staged = { runId, epoch, region };

  return {
    units: detailUnits,

    async ask(unit) {
      try {
        return await ask(endpoint, { productId: unit.productId }, runId, signal);
      } catch (error) {
        if (error instanceof NotThere) return 'not there';
        if (!(error instanceof EndpointMissing)) throw error;
        // Product details are optional: the night must not wait for an endpoint that is missing.
        if (unit.reason === 'missing') await detailUnits.fail(db, runId, unit, error.message);
        else await details.defer(runId, unit, error.message);
        return null;
      }
    },

    async keep(group) {
      const failed = new Map<ClaimedDetail, unknown>();
      const reads: { readonly unit: ClaimedDetail; readonly read: ReadDetail }[] = [];
      const readOf = (
        unit: ClaimedDetail,
        read: Pick<ReadDetail, 'detail' | 'rejected' | 'payloadSha256' | 'receivedAt'>,
      ) => ({
        unit,
        read: { run: staged, productId: unit.productId, lease: unit.lease, workerId, endpoint: endpoint.name, ...read },
      });
      const answers = group.flatMap(({ unit, arrived }) =>
        arrived === 'not there' ? [] : [{ unit, answer: arrived }],
      );
      const answered = answers.map(({ unit: { productId }, answer }) => ({ params: { productId }, answer }));
      const readings = await ingest(endpoint, answered, runId);
      for (const [i, reading] of readings.entries()) {
        const { unit, answer } = answers[i]!;
        const { sha256: payloadSha256, receivedAt } = answer.payload;
        if (reading instanceof NotThere) reads.push(readOf(unit, notThere(clock.now())));
        else if (reading instanceof Error) failed.set(unit, reading);
        else
          reads.push(readOf(unit, { detail: reading.records, rejected: reading.rejected, payloadSha256, receivedAt }));
      }
      for (const { unit, arrived } of group)
        if (arrived === 'not there') reads.push(readOf(unit, notThere(clock.now())));
      const unkept = await stageTogether(reads, async (items) => {
        const kept = await stageDetails(
          db,
          items.map(({ read }) => read),
        );
        return new Set(items.filter(({ read }) => kept.has(read)));
      });
      for (const [{ unit }, why] of unkept) failed.set(unit, why);
      return failed;
    },

    policyOf: () => ({
      mostAttempts: maxDetailAttempts,
      isTrial: run.pausedFor !== null,
      isUpstreamHealthy: () =>
        isUpstreamHealthy(context, runId, async () => {
          const productId = await details.anyDone(runId);
          if (productId) await ask(endpoint, { productId }, runId, signal, 'health-probe');
          return productId !== null;
        }),
    }),
  };
}

const notThere = (receivedAt: Date) => ({ detail: null, rejected: [], payloadSha256: null, receivedAt });
