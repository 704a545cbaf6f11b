import { replayStart } from '../../crawl/ledger/run-life.ts';
import type { Queryable } from '../../db/client.ts';
import { rowsOf } from '../../db/rows.ts';
import { unreadablesOf } from './archived.ts';
import { readColumns, selected } from './columns.ts';
import type { Part } from './scope.ts';
import { toShadow } from './shadow-names.ts';

/** A reading of a page, to be parsed again from the archive. */
export interface ArchivedPage {
  readonly categoryNo: number;
  readonly categoryId: string;
  /** The frontier category that it helps to cover. */
  readonly rootId: string;
  readonly pageNo: number;
  readonly reading: number;
  readonly lease: number;
  readonly sha256: string;
  readonly receivedAt: Date;
}

export interface ArchivedDetail {
  readonly productId: string;
  readonly lease: number;
  readonly sha256: string;
  readonly receivedAt: Date;
}

/** SQL by table and column: values of a replayed run that its publication in the shadow sets. */
const initial: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'ops.run': replayStart,
  'ops.certificate': { content_hash: 'null::numeric', changed_keys: 'null::int[]' },
};

/** Copies a run into the shadow, as an open one. */
export async function copyRun(sql: Queryable, runId: number, parts: readonly Part[]): Promise<void> {
  const ofListing = ['ops.certificate', 'ops.category_deferred', 'ops.category_crawl', 'ops.category_page'];
  const tables = ['ops.run', ...(parts.includes('listing') ? ofListing : []), 'ops.detail_fetch'];
  const columns = await readColumns(sql);
  for (const table of tables) {
    const own = columns.get(table)!;
    await sql.query(
      `insert into ${toShadow(table)} (${own.join(', ')}) overriding system value
       select ${selected(own, 'x', initial[table])} from ${table} x where run_id = $1`,
      [runId],
    );
  }
}

interface RunToRestage {
  readonly runId: number;
  readonly workerId: string;
  readonly endpoints: { readonly pages: string; readonly details: string };
}

/**
 * Resets the ledger and stage of a run to their state before reading, so that planned pages and unread pages stay as
 * they were. Pages and details with an archived payload are claimed by `workerId`, even if they could not be parsed
 * when they were received. `live` has the payloads.
 */
export async function resetRun(
  sql: Queryable,
  live: Queryable,
  { runId, workerId, endpoints }: RunToRestage,
): Promise<void> {
  await sql.query(addUnreadPages, [runId, JSON.stringify(await unreadablesOf(live, runId, endpoints.pages))]);
  await sql.query(addUnreadDetails, [runId, JSON.stringify(await unreadablesOf(live, runId, endpoints.details))]);
  await sql.query(forgetRejected, [runId]);
  for (const table of ['product', 'promotion', 'detail']) {
    await sql.query(`delete from stage.${table} where run_id = $1`, [runId]);
  }
  await sql.query(
    'update ops.category_crawl set declared_first = null, declared_last = null, distinct_seen = null where run_id = $1',
    [runId],
  );
  await sql.query(
    `update ops.category_page set status = 'planned', worker_id = $2, seen_keys = null, extra_keys = null
     where run_id = $1 and payload_sha256 is not null`,
    [runId, workerId],
  );
  await sql.query(
    `update ops.detail_fetch set status = 'planned', worker_id = $2, outcome = null
     where run_id = $1 and payload_sha256 is not null`,
    [runId, workerId],
  );
}

const addUnreadPages = `
  update ops.category_page p
  set payload_sha256 = decode(unread.sha256, 'hex'), fetched_at = unread."receivedAt"
  from jsonb_to_recordset($2) as unread ("categoryId" text, "pageNo" int, sha256 text, "receivedAt" timestamptz)
  join ops.category_crawl c on c.run_id = $1 and c.category_id = unread."categoryId"
  where p.run_id = $1 and p.status = 'failed' and p.category_no = c.category_no and p.page_no = unread."pageNo"`;

const addUnreadDetails = `
  update ops.detail_fetch d
  set payload_sha256 = decode(unread.sha256, 'hex'), fetched_at = unread."receivedAt"
  from jsonb_to_recordset($2) as unread ("productId" text, sha256 text, "receivedAt" timestamptz)
  where d.run_id = $1 and d.status = 'failed' and d.product_id = unread."productId"`;

/** Elements of payloads that are parsed again; those of payloads that a repeated request replaced stay. */
const forgetRejected = `
  delete from ops.quarantine q
  where q.run_id = $1 and q.healed_at is null and (
    q.path <> '$'
    or q.payload_sha256 in (select payload_sha256 from ops.category_page where run_id = $1)
    or q.payload_sha256 in (select payload_sha256 from ops.detail_fetch where run_id = $1))`;

/** The pages to parse, in the order in which they were received. */
export async function pagesToRead(sql: Queryable, runId: number, workerId: string): Promise<ArchivedPage[]> {
  return rowsOf<ArchivedPage & Record<string, unknown>>(
    sql,
    `select p.category_no as "categoryNo", c.category_id as "categoryId", root.category_id as "rootId",
       p.page_no as "pageNo", p.reading, p.lease, encode(p.payload_sha256, 'hex') as sha256,
       p.fetched_at as "receivedAt"
     from ops.category_page p
     join ops.category_crawl c using (run_id, category_no)
     join ops.category_crawl root on root.run_id = c.run_id and root.category_no = c.root_no
     where p.run_id = $1 and p.worker_id = $2
     order by p.fetched_at, p.category_no, p.page_no, p.reading`,
    [runId, workerId],
  );
}

export async function detailsToRead(sql: Queryable, runId: number, workerId: string): Promise<ArchivedDetail[]> {
  return rowsOf<ArchivedDetail & Record<string, unknown>>(
    sql,
    `select product_id as "productId", lease, encode(payload_sha256, 'hex') as sha256, fetched_at as "receivedAt"
     from ops.detail_fetch where run_id = $1 and worker_id = $2 order by product_id`,
    [runId, workerId],
  );
}

/** Marks a page as failed because its payload cannot be parsed. */
export async function failPage(sql: Queryable, runId: number, page: ArchivedPage, why: string): Promise<void> {
  await sql.query(
    `update ops.category_page
     set status = 'failed', worker_id = null, payload_sha256 = null, fetched_at = null, error = $5,
         items_received = null, distinct_products = null, rejected = null, declared_total = null
     where run_id = $1 and category_no = $2 and page_no = $3 and reading = $4`,
    [runId, page.categoryNo, page.pageNo, page.reading, why],
  );
}

export async function failDetail(sql: Queryable, runId: number, detail: ArchivedDetail, why: string): Promise<void> {
  await sql.query(
    `update ops.detail_fetch
     set status = 'failed', worker_id = null, payload_sha256 = null, fetched_at = null, error = $3
     where run_id = $1 and product_id = $2`,
    [runId, detail.productId, why],
  );
}
