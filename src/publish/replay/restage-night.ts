import { randomUUID } from 'node:crypto';
import { ContractBroken, LeaseLost, PayloadLost, PricebookError, RunRefused } from '../../base/errors.ts';
import type { Reading as Parsed, RegionCode } from '../../base/model/index.ts';
import type { Archive } from '../../crawl/archive/archive.ts';
import { createIngest, type Ingest, ingestOne } from '../../crawl/ingest.ts';
import { type ReadPage, type StagedRun, stagePages } from '../../crawl/stage/category-page.ts';
import { type ReadDetail, stageDetails } from '../../crawl/stage/detail.ts';
import { readKnownProducts } from '../../crawl/stage/known-products.ts';
import { quarantine, quarantinePayload } from '../../crawl/stage/quarantine.ts';
import { readCategoryNos, stageTaxonomy } from '../../crawl/stage/taxonomy.ts';
import type { Database, Queryable } from '../../db/client.ts';
import { readEnvelope } from '../../gateway/envelope.ts';
import type { Answer } from '../../gateway/gateway.ts';
import type { Endpoint, RegionEndpoints } from '../../source/endpoints/index.ts';
import { type ArchivedPayload, taxonomiesOf } from './archived.ts';
import { recogniseUnchanged } from './recognise.ts';
import { renewPromotions } from './renewed-promotions.ts';
import { copyRun, detailsToRead, failDetail, failPage, pagesToRead, resetRun } from './restaged-ledger.ts';
import type { Part, ReplayedRun } from './scope.ts';

/** What a night is parsed again from. */
export interface ArchivedBook {
  /** The live database, which holds the received payloads. */
  readonly db: Database;
  readonly archive: Pick<Archive, 'get' | 'getAll'>;
  readonly endpointsOf: Readonly<Record<RegionCode, RegionEndpoints>>;
}

/** A night that is parsed again. */
interface Restaging extends ArchivedBook {
  readonly run: Night;
  /** Database in which it is staged: the shadow, or an open transaction. */
  readonly target: Database;
  readonly workerId: string;
  readonly ingest: Ingest;
  /** Hashes of the payloads parsed so far. */
  readonly read: Set<string>;
  readonly signal: AbortSignal;
}

/** Payloads parsed and staged at a time. */
const groupSize = 40;

type Night = Pick<ReplayedRun, 'runId' | 'region' | 'snapshotDate'>;

/**
 * Parses a run's payloads again from the archive, through `src/crawl/ingest.ts`, and stages them in `target` in place
 * of what it staged before. Sends no requests. Returns the hashes of the payloads.
 */
export async function restageNight(
  book: ArchivedBook,
  target: Database,
  run: Night,
  parts: readonly Part[],
  signal: AbortSignal,
): Promise<ReadonlySet<string>> {
  const { taxonomy, categoryPage, productDetails } = book.endpointsOf[run.region];
  const workerId = randomUUID();
  // Replayed payloads are already archived.
  const ingest = createIngest({ archive: { put: async () => undefined }, onBroken: quarantinePayload(target) });
  const restaging: Restaging = { ...book, run, target, workerId, ingest, read: new Set(), signal };
  const endpoints = { pages: categoryPage.name, details: productDetails.name };
  await resetRun(target, book.db, { runId: run.runId, workerId, endpoints });
  if (parts.includes('listing')) {
    await restageTaxonomy(restaging, taxonomy);
    await restagePages(restaging, categoryPage);
  }
  // Also if only pages are replayed: own pages of products are evidence that they are gone.
  await restageDetails(restaging, productDetails);
  return restaging.read;
}

/** Restages a night in the shadow, and compares it with the shadow's catalogue. */
export async function restageInShadow(
  book: ArchivedBook,
  shadow: Database,
  run: Night,
  parts: readonly Part[],
  signal: AbortSignal,
): Promise<void> {
  await copyRun(book.db, run.runId, parts);
  const read = await restageNight(book, shadow, run, parts, signal);
  await book.db.query('insert into ops_replay.reread select $1, sha256 from unnest($2::bytea[]) as r (sha256)', [
    run.runId,
    [...read].map((sha256) => Buffer.from(sha256, 'hex')),
  ]);
  if (parts.includes('listing')) {
    await renewPromotions(shadow, run.runId);
    await recogniseUnchanged(shadow, run.runId);
  }
}

async function restageTaxonomy(restaging: Restaging, endpoint: RegionEndpoints['taxonomy']): Promise<void> {
  const { db, archive, ingest, target, run, read } = restaging;
  const { runId, region, snapshotDate } = run;
  let failure: unknown = null;
  for (const payload of await taxonomiesOf(db, runId, endpoint.name)) {
    try {
      const answer = answerFrom(endpoint, payload, await archive.get(payload.sha256));
      const { records, rejected } = await ingestOne(ingest, endpoint, { params: undefined, answer }, runId);
      await target.tx(async (tx) => {
        await stageTaxonomy(tx, runId, records.nodes);
        const { sha256, receivedAt } = payload;
        await quarantine(
          tx,
          run,
          endpoint.name,
          rejected.map((rejection) => ({ rejection, payloadSha256: sha256, seenAt: receivedAt })),
        );
      });
      read.add(payload.sha256);
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

async function restagePages(restaging: Restaging, endpoint: RegionEndpoints['categoryPage']): Promise<void> {
  const { target, workerId } = restaging;
  const { runId, region } = restaging.run;
  const run = await stagedRun(target, runId, region);
  const known = await readKnownProducts(target, region);
  await inGroups(await pagesToRead(target, runId, workerId), restaging.signal, async (group) => {
    const reads: ReadPage[] = [];
    for (const { item, records } of await parseGroup(restaging, endpoint, group)) {
      if (records instanceof Error) await failPage(target, runId, item, records.message);
      else {
        const { declaredTotal, resultsPerPage } = records.records;
        reads.push({
          claim: { run, ...item, workerId },
          page: records.records,
          rejected: records.rejected,
          payloadSha256: item.sha256,
          endpoint: endpoint.name,
          receivedAt: item.receivedAt,
          plan: { declaredTotal, resultsPerPage, planned: 0, wanted: 0 },
        });
      }
    }
    refuseUnkept(runId, reads, await stagePages(target, known, reads));
  });
}

async function restageDetails(restaging: Restaging, endpoint: RegionEndpoints['productDetails']): Promise<void> {
  const { target, workerId } = restaging;
  const { runId, region } = restaging.run;
  const run = await stagedRun(target, runId, region);
  await inGroups(await detailsToRead(target, runId, workerId), restaging.signal, async (group) => {
    const reads: ReadDetail[] = [];
    for (const { item, records } of await parseGroup(restaging, endpoint, group)) {
      if (records instanceof Error) await failDetail(target, runId, item, records.message);
      else {
        reads.push({
          run,
          productId: item.productId,
          workerId,
          lease: item.lease,
          detail: records.records,
          rejected: records.rejected,
          payloadSha256: item.sha256,
          endpoint: endpoint.name,
          receivedAt: item.receivedAt,
        });
      }
    }
    refuseUnkept(runId, reads, await stageDetails(target, reads));
  });
}

/** Fails if another replay has recreated the shadow meanwhile. */
function refuseUnkept(runId: number, reads: readonly object[], kept: ReadonlySet<object>): void {
  if (kept.size < reads.length) throw new LeaseLost(`The replay of run ${runId}`);
}

/** An archived payload as an answer. */
function answerFrom(
  { name, listing, region }: Endpoint<never, unknown>,
  { sha256, receivedAt }: ArchivedPayload,
  body: Uint8Array | PayloadLost,
): Answer {
  if (body instanceof PayloadLost) throw body;
  const parsed = readEnvelope(body, {}).body;
  if (parsed === null) throw new ContractBroken(name, ['the body is no JSON object']);
  const payload = { listing, endpoint: name, region, host: '', request: '', status: 200, receivedAt, body, sha256 };
  return { payload, body: parsed };
}

/** Whether the error is about the payload itself; any other error stops the replay. */
function isAboutTheAnswer(error: unknown): error is PricebookError {
  return error instanceof PricebookError && (error instanceof ContractBroken || error.name === 'UpstreamUnavailable');
}

async function stagedRun(sql: Queryable, runId: number, region: RegionCode): Promise<StagedRun> {
  const { rows } = await sql.query<{ epoch: number }>('select epoch from ops.run where run_id = $1', [runId]);
  return { runId, region, epoch: rows[0]!.epoch, categoryNos: await readCategoryNos(sql, runId) };
}

/** Parses a group of payloads again. An unreadable payload yields an error in its place. */
async function parseGroup<Item extends ArchivedPayload & Params, Params, Records>(
  restaging: Restaging,
  endpoint: Endpoint<Params, Records>,
  group: readonly Item[],
): Promise<{ item: Item; records: Parsed<Records> | PricebookError }[]> {
  const bodies = await restaging.archive.getAll(group.map(({ sha256 }) => sha256));
  const answers = group.map((item, i) => {
    try {
      return answerFrom(endpoint, item, bodies[i]!);
    } catch (error) {
      if (!isAboutTheAnswer(error)) throw error;
      return error;
    }
  });
  const answered = group.flatMap((item, i) => {
    const answer = answers[i]!;
    return answer instanceof Error ? [] : [{ params: item, answer }];
  });
  const parsed = (await restaging.ingest(endpoint, answered, restaging.run.runId)).values();
  return group.map((item, i) => {
    const answer = answers[i]!;
    const records = answer instanceof Error ? answer : parsed.next().value!;
    if (records instanceof Error && !isAboutTheAnswer(records)) throw records;
    restaging.read.add(item.sha256);
    return { item, records };
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
