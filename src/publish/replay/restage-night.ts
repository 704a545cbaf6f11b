import { randomUUID } from 'node:crypto';
import { ContractBroken, LeaseLost, PricebookError, RunRefused } from '../../base/errors.ts';
import type { Reading, RegionCode } from '../../base/model/index.ts';
import type { Archive } from '../../crawl/archive/archive.ts';
import { createIngest, type Ingest, ingestOne } from '../../crawl/ingest.ts';
import { type ReadPage, type StagedRun, stagePages } from '../../crawl/stage/category-page.ts';
import { type ReadDetail, stageDetails } from '../../crawl/stage/detail.ts';
import { readKnownProducts } from '../../crawl/stage/known-products.ts';
import { quarantine, quarantinePayload } from '../../crawl/stage/quarantine.ts';
import { readCategoryNos, stageTaxonomy } from '../../crawl/stage/taxonomy.ts';
import type { Database } from '../../db/client.ts';
import { readEnvelope } from '../../gateway/envelope.ts';
import type { Answer } from '../../gateway/gateway.ts';
import type { Endpoint, RegionEndpoints } from '../../source/endpoints/index.ts';
import { taxonomiesOf } from './archived.ts';
import { recogniseUnchanged } from './recognise.ts';
import { renewPromotions } from './renewed-promotions.ts';
import type { Part, ReplayedRun } from './scope.ts';
import { createShadowRuns, replayLease, type ShadowRuns } from './shadow-run.ts';

/** Dependencies for parsing a night again. */
interface ReplayContext extends ArchivedBook {
  /** Database whose `catalog`, `stage` and `ops` are the shadow's. */
  readonly shadow: Database;
  readonly shadowRuns: ShadowRuns;
  readonly workerId: string;
  readonly ingest: Ingest;
}

export interface ArchivedBook {
  /** The live database, which holds the received payloads. */
  readonly db: Database;
  readonly archive: Pick<Archive, 'get'>;
  readonly endpointsOf: Readonly<Record<RegionCode, RegionEndpoints>>;
}

/** Creates the dependencies for parsing archived nights into a shadow. */
export function createReplayContext({ db, archive, endpointsOf }: ArchivedBook, shadow: Database): ReplayContext {
  const workerId = randomUUID();
  return {
    db,
    archive,
    endpointsOf,
    shadow,
    workerId,
    shadowRuns: createShadowRuns(db, workerId),
    // Replayed payloads are already archived.
    ingest: createIngest({ archive: { put: async () => undefined }, onBroken: quarantinePayload(shadow) }),
  };
}

/** Payloads parsed and staged at a time. */
const groupSize = 40;

interface ArchivedAnswer {
  readonly sha256: string;
  readonly receivedAt: Date;
}

type Night = Pick<ReplayedRun, 'runId' | 'region' | 'snapshotDate'>;

/**
 * Parses a run's payloads again from the archive, through `src/crawl/ingest.ts`, and stages them in the shadow. Sends
 * no requests. Returns the hashes of the payloads.
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
  // Also if only pages are replayed: own pages of products are evidence that they are gone.
  await restageDetails(context, run, productDetails, read, signal);
  if (parts.includes('listing')) await context.shadowRuns.redeclare(run.runId);
  return read;
}

/** Restages a night, and compares it with the shadow's catalogue. */
export async function restageNight(
  context: ReplayContext,
  run: Night,
  parts: readonly Part[],
  signal: AbortSignal,
): Promise<void> {
  const { shadow, shadowRuns } = context;
  await shadowRuns.noteRead(run.runId, await readNightAgain(context, run, parts, signal));
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
      const { records, rejected } = await ingestOne(ingest, endpoint, { params: undefined, answer }, runId);
      await shadow.tx(async (tx) => {
        await stageTaxonomy(tx, runId, records.nodes);
        const { sha256, receivedAt } = payload;
        await quarantine(
          tx,
          run,
          endpoint.name,
          rejected.map((rejection) => ({ rejection, payloadSha256: sha256, seenAt: receivedAt })),
        );
      });
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
  const { shadow, shadowRuns, workerId } = context;
  const run = await stagedRun(shadow, runId, region);
  const known = await readKnownProducts(shadow, region);
  await inGroups(await shadowRuns.planPages(runId, endpoint.name), signal, async (group) => {
    const reads: ReadPage[] = [];
    for (const { item, reading } of await readAgain(context, endpoint, runId, group)) {
      read.add(item.sha256);
      if (reading instanceof Error) await shadowRuns.failPage(runId, item, reading.message);
      else {
        reads.push({
          claim: { run, ...item, workerId, lease: replayLease },
          page: reading.records,
          rejected: reading.rejected,
          payloadSha256: item.sha256,
          endpoint: endpoint.name,
          receivedAt: item.receivedAt,
        });
      }
    }
    refuseUnkept(runId, reads, await stagePages(shadow, known, reads));
  });
}

async function restageDetails(
  context: ReplayContext,
  { runId, region }: Night,
  endpoint: RegionEndpoints['productDetails'],
  read: Set<string>,
  signal: AbortSignal,
): Promise<void> {
  const { shadow, shadowRuns, workerId } = context;
  const run = await stagedRun(shadow, runId, region);
  await inGroups(await shadowRuns.planDetails(runId, endpoint.name), signal, async (group) => {
    const reads: ReadDetail[] = [];
    for (const { item, reading } of await readAgain(context, endpoint, runId, group)) {
      read.add(item.sha256);
      if (reading instanceof Error) await shadowRuns.failDetail(runId, item, reading.message);
      else {
        reads.push({
          run,
          productId: item.productId,
          workerId,
          lease: replayLease,
          detail: reading.records,
          rejected: reading.rejected,
          payloadSha256: item.sha256,
          endpoint: endpoint.name,
          receivedAt: item.receivedAt,
        });
      }
    }
    refuseUnkept(runId, reads, await stageDetails(shadow, reads));
  });
}

/** Fails if another replay has recreated the shadow meanwhile. */
function refuseUnkept(runId: number, reads: readonly object[], kept: ReadonlySet<object>): void {
  if (kept.size < reads.length) throw new LeaseLost(`The replay of run ${runId}`);
}

/** An archived payload as an answer. */
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

/** Whether the error is about the payload itself; any other error stops the replay. */
function isAboutTheAnswer(error: unknown): error is PricebookError {
  return error instanceof PricebookError && (error instanceof ContractBroken || error.name === 'UpstreamUnavailable');
}

async function stagedRun(shadow: Database, runId: number, region: RegionCode): Promise<StagedRun> {
  const { rows } = await shadow.query<{ epoch: number }>('select epoch from ops.run where run_id = $1', [runId]);
  return { runId, region, epoch: rows[0]!.epoch, categoryNos: await readCategoryNos(shadow, runId) };
}

/** Parses a group of payloads again. An unreadable payload yields an error in its place. */
async function readAgain<Item extends ArchivedAnswer & Params, Params, Records>(
  context: ReplayContext,
  endpoint: Endpoint<Params, Records>,
  runId: number,
  group: readonly Item[],
): Promise<{ item: Item; reading: Reading<Records> | PricebookError }[]> {
  const answers = await Promise.all(
    group.map((item) =>
      answerFrom(context, endpoint, item).catch((error: unknown) => {
        if (!isAboutTheAnswer(error)) throw error;
        return error;
      }),
    ),
  );
  const answered = group.flatMap((item, i) => {
    const answer = answers[i]!;
    return answer instanceof Error ? [] : [{ params: item, answer }];
  });
  const readings = (await context.ingest(endpoint, answered, runId)).values();
  return group.map((item, i) => {
    const answer = answers[i]!;
    const reading = answer instanceof Error ? answer : readings.next().value!;
    if (reading instanceof Error && !isAboutTheAnswer(reading)) throw reading;
    return { item, reading };
  });
}

async function inGroups<Item>(
  items: readonly Item[],
  signal: AbortSignal,
  work: (group: readonly Item[]) => Promise<void>,
): Promise<void> {
  for (let at = 0; at < items.length; at += groupSize) {
    signal.throwIfAborted();
    await work(items.slice(at, at + groupSize));
  }
}
