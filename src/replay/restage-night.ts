import pLimit from 'p-limit';
import type { Database } from '../db/client.ts';
import type { Endpoint, RegionEndpoints } from '../endpoints/index.ts';
import { ContractBroken, PricebookError, RunRefused } from '../errors.ts';
import { readEnvelope } from '../gateway/envelope.ts';
import type { Answer } from '../gateway/gateway.ts';
import type { RegionCode } from '../model/index.ts';
import type { StagedRun } from '../stage/category-page.ts';
import { quarantine } from '../stage/quarantine.ts';
import { readCategoryNos, stageTaxonomy } from '../stage/taxonomy.ts';
import { quarantinedOf, taxonomiesOf } from './archived.ts';
import { recogniseUnchanged } from './recognise.ts';
import { renewPromotions } from './renewed-promotions.ts';
import type { ReplayContext } from './replay-context.ts';
import type { Part, ReplayedRun } from './scope.ts';
import { replayLease } from './shadow-run.ts';

/** Payloads in progress at a time: enough to fill a staging transaction. */
const concurrency = 40;

interface ArchivedAnswer {
  readonly sha256: string;
  readonly receivedAt: Date;
}

type Night = Pick<ReplayedRun, 'runId' | 'region' | 'snapshotDate'>;

/**
 * Reads a run's payloads again from the archive, through `src/ingest.ts`, into the shadow's stage. No request is made. Returns
 * the payloads that were read.
 */
export async function readNightAgain(
  context: ReplayContext,
  run: Night,
  parts: readonly Part[],
  signal: AbortSignal,
): Promise<Set<string>> {
  const { taxonomy, categoryPage, productDetails } = context.endpointsOf[run.region];
  const read = new Set<string>();
  await context.shadowRuns.open(run.runId);
  if (parts.includes('listing')) {
    await restageTaxonomy(context, run, taxonomy, read);
    await restagePages(context, run, categoryPage, read, signal);
  }
  // Also of listings alone: what products' own pages said is evidence of what is gone.
  await restageDetails(context, run, productDetails, read, signal);
  if (parts.includes('listing')) await context.shadowRuns.redeclare(run.runId);
  return read;
}

/** A night that is replayed: read again, also what was in quarantine, and compared with the shadow's catalogue. */
export async function restageNight(
  context: ReplayContext,
  run: Night,
  parts: readonly Part[],
  signal: AbortSignal,
): Promise<void> {
  const { shadow, shadowRuns, endpointsOf } = context;
  const { taxonomy, categoryPage, productDetails } = endpointsOf[run.region];
  const read = await readNightAgain(context, run, parts, signal);
  const inPlay: Endpoint<never, unknown>[] = [
    ...(parts.includes('listing') ? [taxonomy, categoryPage] : []),
    ...(parts.includes('detail') ? [productDetails] : []),
  ];
  await rereadQuarantined(context, run, inPlay, read);
  await shadowRuns.noteRead(run.runId, read);
  if (parts.includes('listing')) {
    await renewPromotions(shadow, run.runId);
    await recogniseUnchanged(shadow, run.runId);
  }
}

async function restageTaxonomy(
  context: ReplayContext,
  run: Night,
  endpoint: RegionEndpoints['taxonomy'],
  seen: Set<string>,
): Promise<void> {
  const { db, ingest, shadow } = context;
  const { runId, region, snapshotDate } = run;
  let failure: unknown = null;
  for (const payload of await taxonomiesOf(db, runId, endpoint.name)) {
    try {
      const answer = await answerFrom(context, endpoint, payload);
      await ingest(endpoint, undefined, answer, runId, ({ records, rejected }) =>
        shadow.tx(async (tx) => {
          await stageTaxonomy(tx, runId, records.nodes);
          const { sha256, receivedAt } = payload;
          await quarantine(
            tx,
            run,
            endpoint.name,
            rejected.map((rejection) => ({ rejection, payloadSha256: sha256, seenAt: receivedAt })),
          );
        }),
      );
      seen.add(payload.sha256);
      return;
    } catch (error) {
      if (!(error instanceof ContractBroken)) throw error;
      failure ??= error;
    }
  }
  throw (
    failure ?? new RunRefused(`The taxonomy of ${region} ${snapshotDate} is not in the archive; nothing was changed.`)
  );
}

async function restagePages(
  context: ReplayContext,
  { runId, region }: Night,
  endpoint: RegionEndpoints['categoryPage'],
  read: Set<string>,
  signal: AbortSignal,
): Promise<void> {
  const { shadow, shadowRuns, ingest, stagePage, workerId } = context;
  const run = await stagedRun(shadow, runId, region);
  await forEach(await shadowRuns.planPages(runId, endpoint.name), signal, async (page) => {
    const { categoryNo, categoryId, rootId, pageNo, reading, sha256, receivedAt } = page;
    read.add(sha256);
    try {
      const answer = await answerFrom(context, endpoint, page);
      await ingest(endpoint, { categoryId, pageNo }, answer, runId, ({ records, rejected }) =>
        stagePage({
          claim: { run, categoryNo, categoryId, rootId, pageNo, reading, workerId, lease: replayLease },
          page: records,
          rejected,
          payloadSha256: sha256,
          endpoint: endpoint.name,
          receivedAt,
        }),
      );
    } catch (error) {
      if (!isAboutTheAnswer(error)) throw error;
      await shadowRuns.failPage(runId, page, error.message);
    }
  });
}

async function restageDetails(
  context: ReplayContext,
  { runId, region }: Night,
  endpoint: RegionEndpoints['productDetails'],
  read: Set<string>,
  signal: AbortSignal,
): Promise<void> {
  const { shadow, shadowRuns, ingest, stageDetail, workerId } = context;
  const run = await stagedRun(shadow, runId, region);
  await forEach(await shadowRuns.planDetails(runId, endpoint.name), signal, async (wanted) => {
    const { productId, sha256, receivedAt } = wanted;
    read.add(sha256);
    const mine = { run, productId, workerId, lease: replayLease, endpoint: endpoint.name };
    try {
      const answer = await answerFrom(context, endpoint, wanted);
      await ingest(endpoint, { productId }, answer, runId, ({ records, rejected }) =>
        stageDetail({ ...mine, detail: records, rejected, payloadSha256: sha256, receivedAt }),
      );
    } catch (error) {
      if (!isAboutTheAnswer(error)) throw error;
      await shadowRuns.failDetail(runId, wanted, error.message);
    }
  });
}

/**
 * Payloads that are in quarantine but that no page stands on, because the question was asked again: whether they can
 * be read now is worth knowing, what they say is known already.
 */
async function rereadQuarantined(
  context: ReplayContext,
  run: Night,
  endpoints: readonly Endpoint<never, unknown>[],
  read: Set<string>,
): Promise<void> {
  const names = endpoints.map(({ name }) => name);
  for (const payload of await quarantinedOf(context.db, run.runId, names, read)) {
    const { question, sha256, receivedAt } = payload;
    const endpoint = endpoints.find(({ name }) => name === payload.endpoint)!;
    const params = { ...question, pageNo: Number(question['pageNo']) } as never;
    read.add(sha256);
    try {
      await context.ingest(endpoint, params, await answerFrom(context, endpoint, payload), run.runId, ({ rejected }) =>
        quarantine(
          context.shadow,
          run,
          endpoint.name,
          rejected.map((rejection) => ({ rejection, payloadSha256: sha256, seenAt: receivedAt })),
        ),
      );
    } catch (error) {
      if (!isAboutTheAnswer(error)) throw error;
    }
  }
}

/** A payload as if it had just come in. */
async function answerFrom(
  { archive }: ReplayContext,
  { name, listing, region }: Endpoint<never, unknown>,
  { sha256, receivedAt }: ArchivedAnswer,
): Promise<Answer> {
  const body = await archive.get(sha256);
  const parsed = readEnvelope(body, {}).body;
  if (parsed === null) throw new ContractBroken(name, ['the body is no JSON object']);
  const payload = { listing, endpoint: name, region, host: '', request: '', status: 200, receivedAt, body, sha256 };
  return { payload, body: parsed };
}

/** The answer itself says no, or nothing we know; anything else stops the replay. */
function isAboutTheAnswer(error: unknown): error is PricebookError {
  return error instanceof PricebookError && (error instanceof ContractBroken || error.name === 'UpstreamUnavailable');
}

async function stagedRun(shadow: Database, runId: number, region: RegionCode): Promise<StagedRun> {
  const { rows } = await shadow.query<{ epoch: number }>('select epoch from ops.run where run_id = $1', [runId]);
  return { runId, region, epoch: rows[0]!.epoch, categoryNos: await readCategoryNos(shadow, runId) };
}

/** A few at a time; the first failure stops those not yet begun and is thrown. */
async function forEach<Item>(
  items: readonly Item[],
  signal: AbortSignal,
  work: (item: Item) => Promise<void>,
): Promise<void> {
  const limit = pLimit(concurrency);
  try {
    await Promise.all(
      items.map((item) =>
        limit(() => {
          signal.throwIfAborted();
          return work(item);
        }),
      ),
    );
  } finally {
    limit.clearQueue();
  }
}
