import { and, asc, desc, eq, getTableColumns, isNotNull, sql } from 'drizzle-orm';
import { ContractBroken, kindOf, PayloadLost, RunRefused } from '../../base/errors.ts';
import type { ExtraField, RegionCode } from '../../base/model/index.ts';
import type { Archive } from '../../crawl/archive/archive.ts';
import { createIngest, type Ingest, ingestOne } from '../../crawl/ingest.ts';
import { detailsOf } from '../../crawl/kinds/details.ts';
import { pagesOf } from '../../crawl/kinds/pages.ts';
import type { Run } from '../../crawl/run/runs.ts';
import { readKnownProducts } from '../../crawl/stage/known-products.ts';
import { quarantine, quarantinePayload } from '../../crawl/stage/quarantine.ts';
import { stageTaxonomy } from '../../crawl/stage/taxonomy.ts';
import { type Unit, unitsOf } from '../../crawl/units.ts';
import { type KeptUnit, type Kind, keepUnits, type ReadUnit } from '../../crawl/work.ts';
import type { Database } from '../../db/client.ts';
import { type categoryPage, payload as payloadTable } from '../../db/tables/index.ts';
import { promotionMeaning } from '../../db/tables/promotions.ts';
import { readEnvelope } from '../../gateway/envelope.ts';
import type { Answer } from '../../gateway/gateway.ts';
import type { Endpoint, RegionEndpoints } from '../../source/endpoints/index.ts';

/** What a night is parsed again from, and staged in. */
export interface ArchivedBook {
  readonly db: Database;
  readonly archive: Pick<Archive, 'get' | 'getAll'>;
  readonly endpointsOf: Readonly<Record<RegionCode, RegionEndpoints>>;
  /** Fields of EXTRA_FIELDS. */
  readonly extraFields: readonly ExtraField[];
}

/** A night that is parsed again. */
interface Restaging extends ArchivedBook {
  readonly run: Pick<Run, 'runId' | 'region' | 'snapshotDate' | 'observedAt' | 'runToken'>;
  readonly ingest: Ingest;
  readonly signal: AbortSignal;
  /** Payloads that cannot be read from the archive. */
  readonly lost: PayloadLost[];
}

/** Payloads parsed and staged at a time. */
const groupSize = 40;

/**
 * Parses a run's payloads again and stages them in place of what it staged before, as a worker does it, except that the
 * answers come from the archive and plan no further pages. `comparesByValue`: stages every product in full, because
 * what is not in the hash of a listing, such as the meaning of a promotion's text, may be read otherwise now.
 */
export async function restageNight(
  book: ArchivedBook,
  run: Restaging['run'],
  signal: AbortSignal,
  comparesByValue = false,
): Promise<void> {
  const { db, extraFields, endpointsOf } = book;
  // Replayed payloads are already archived.
  const archive = { put: async () => undefined };
  const ingest = createIngest({ archive, extraFields, onBroken: (...broken) => quarantinePayload(db, ...broken) });
  const restaging: Restaging = { ...book, run, ingest, signal, lost: [] };
  await db.query(resetRun.replaceAll('$1', String(run.runId)));
  await restageTaxonomy(restaging, endpointsOf[run.region].taxonomy);
  const clock = { now: () => run.observedAt };
  const needs = { db, clock, endpointsOf, settings: { requestsPerSecond: 0 } };
  const pages = pagesOf(needs, run, comparesByValue ? readUnlike : readKnownProducts);
  // An empty page was believed, and no page plans others.
  const asRead = { attempts: sql<number>`1`, isSample: sql`true` };
  await restageUnits(restaging, { ...pages, extra: { ...pages.extra, ...asRead } });
  await restageUnits(restaging, detailsOf(book, run));
  const [lost] = restaging.lost;
  if (lost)
    throw new RunRefused(
      `${run.region} ${run.snapshotDate} is not replayed: payloads that are lost: ${restaging.lost.length}. ` +
        `${lost.message} Nothing was changed. Restore the archive from a backup, or replay other nights.`,
    );
  await renewPromotions(db, run.runId);
}

const readUnlike: typeof readKnownProducts = async (db, region) => {
  const known = await readKnownProducts(db, region);
  return (productId) => {
    const product = known(productId);
    return product && { key: product.key, isListedAs: () => false };
  };
};

/**
 * Resets the ledger and stage of a run to their state before reading: units with an archived payload are planned anew,
 * even if they could not be read when they were received; others stay as they were. So do the rejected elements of
 * payloads that a repeated request replaced.
 */
const resetRun = `
  delete from ops.quarantine q
  where q.run_id = $1 and (
    q.path <> '$'
    or q.payload_sha256 in (select payload_sha256 from ops.category_page where run_id = $1)
    or q.payload_sha256 in (select payload_sha256 from ops.detail_fetch where run_id = $1));
  delete from stage.product where run_id = $1;
  delete from stage.promotion where run_id = $1;
  delete from stage.detail where run_id = $1;
  update ops.category_crawl set declared_first = null, declared_last = null where run_id = $1;
  update ops.category_page
  set status = 'planned', seen_keys = null, extra_keys = null, items_received = null, distinct_products = null,
    rejected = null, declared_total = null
  where run_id = $1 and payload_sha256 is not null;
  update ops.detail_fetch set status = 'planned', outcome = null where run_id = $1 and payload_sha256 is not null`;

/** Stages the taxonomy that was received last: a run asks until it can read one. */
async function restageTaxonomy(
  { db, archive, ingest, run, lost }: Restaging,
  endpoint: RegionEndpoints['taxonomy'],
): Promise<void> {
  const isTaxonomy = and(eq(payloadTable.endpoint, endpoint.name), eq(payloadTable.status, 200));
  const [last] = await db.orm
    .select()
    .from(payloadTable)
    .where(and(eq(payloadTable.runId, run.runId), isTaxonomy))
    .orderBy(desc(payloadTable.payloadId))
    .limit(1);
  // Pruning deletes a run's units, too.
  if (!last)
    throw new RunRefused(
      `The archive has no payloads of ${run.region} ${run.snapshotDate}: they were pruned (ARCHIVE_DAYS) or never ` +
        'kept (ARCHIVE=off). Replay later nights only; nothing of the region was changed.',
    );
  const { sha256, receivedAt: seenAt } = last;
  const payloadSha256 = sha256.toString('hex');
  const [body] = await archive.getAll([payloadSha256]);
  if (body instanceof PayloadLost) return void lost.push(body);
  const answer = answerFrom(endpoint, { sha256: payloadSha256, receivedAt: seenAt }, body!);
  const { records, rejected } = await ingestOne(ingest, endpoint, { params: undefined, answer }, run.runId);
  await stageTaxonomy(db, run.runId, records.nodes);
  const quarantined = rejected.map((rejection) => ({ rejection, payloadSha256, seenAt }));
  await quarantine(db, run, endpoint.name, quarantined);
}

/** Reads units again, in the order in which they were received. */
async function restageUnits<Claimed extends Unit, Params, Records, Kept extends KeptUnit>(
  { db, archive, ingest, run, signal, lost }: Restaging,
  kind: Kind<Claimed, Params, Records, Kept>,
): Promise<void> {
  // All tables of units have these columns.
  const t = kind.table as typeof categoryPage;
  const all = await db.orm
    .select({ ...getTableColumns(t), ...kind.extra })
    .from(t)
    .where(and(eq(t.runId, run.runId), eq(t.status, 'planned'), isNotNull(t.payloadSha256)))
    .orderBy(asc(t.fetchedAt), asc(t.unitId));
  const units = unitsOf<Claimed>(db, kind, run, '');
  for (let at = 0; at < all.length; at += groupSize) {
    signal.throwIfAborted();
    const group = all.slice(at, at + groupSize).map((unit) => ({
      unit: unit as unknown as Claimed,
      payload: { sha256: unit.payloadSha256!.toString('hex'), receivedAt: unit.fetchedAt! },
    }));
    const bodies = await archive.getAll(group.map(({ payload }) => payload.sha256));
    const read: ReadUnit<Claimed, Kept>[] = [];
    for (const [i, { unit, payload }] of group.entries()) {
      const body = bodies[i]!;
      if (body instanceof PayloadLost) {
        lost.push(body);
        continue;
      }
      try {
        const answered = { params: kind.ask(unit), answer: answerFrom(kind.endpoint, payload, body) };
        const reading = await ingestOne(ingest, kind.endpoint, answered, run.runId);
        read.push({ unit, payload, rejected: reading.rejected, kept: await kind.prepare(unit, reading) });
      } catch (error) {
        if (!['contract', 'unavailable', 'empty'].includes(kindOf(error))) throw error;
        if (error instanceof Unreadable) await quarantinePayload(db, kind.endpoint, payload, run.runId, error);
        await units.countAttempt(unit, { error: (error as Error).message, isOver: true, restMs: 0, payload });
      }
    }
    await db.tx((tx) => keepUnits(tx, { units, run, kind, now: run.observedAt }, read));
  }
}

/** A payload that is no JSON object: it is quarantined here, as the crawl did it before. */
class Unreadable extends ContractBroken {}

/** An archived payload as an answer. */
function answerFrom(
  { name, listing, region }: Endpoint<never, unknown>,
  { sha256, receivedAt }: { readonly sha256: string; readonly receivedAt: Date },
  body: Uint8Array,
): Answer {
  const { body: parsed, text, nulled } = readEnvelope(body, {});
  if (parsed === null) throw new Unreadable(name, [text]);
  const payload = { listing, endpoint: name, region, host: '', request: '', status: 200, receivedAt, body, sha256 };
  return { payload, body: parsed, nulled };
}

const meaningOf = (alias: string): string => promotionMeaning.map((column) => `${alias}.${column}`).join(', ');

/**
 * Updates promotions whose text now has another meaning, from a run that is staged again. Their products are due for
 * a new offer, which the publication of the run then computes; earlier nights keep their offers.
 */
async function renewPromotions(db: Database, runId: number): Promise<void> {
  await db.query(
    `with renewed as (
       update catalog.promotion p
       set ${promotionMeaning.map((column) => `${column} = s.${column}`).join(', ')}
       from stage.promotion s join ops.run r using (run_id)
       where s.run_id = $1 and p.region = r.region and p.promotion_hash = s.promotion_hash
         and (${meaningOf('p')}) is distinct from (${meaningOf('s')})
       returning p.promotion_key
     )
     update catalog.product_current c set offer_changes_at = '-infinity'
     from renewed join catalog.product_promotion carried using (promotion_key)
     where carried.valid_to is null and c.product_key = carried.product_key`,
    [runId],
  );
}
