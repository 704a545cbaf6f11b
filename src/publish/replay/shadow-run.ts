import { replayedAnew } from '../../crawl/ledger/run-life.ts';
import type { Database, Queryable } from '../../db/client.ts';
import { rowsOf } from '../../db/rows.ts';
import { type ArchivedPayload, unreadablesOf } from './archived.ts';
import { type Columns, readColumns, selected } from './columns.ts';

/** A reading of a page, to be parsed again from the archive. */
interface ArchivedPage {
  readonly categoryNo: number;
  readonly categoryId: string;
  /** The frontier category that it helps to cover. */
  readonly rootId: string;
  readonly pageNo: number;
  readonly reading: number;
  readonly sha256: string;
  readonly receivedAt: Date;
}

interface ArchivedDetail {
  readonly productId: string;
  readonly sha256: string;
  readonly receivedAt: Date;
}

/** Lease under which a replay claims pages and details. */
export const replayLease = 1;

/**
 * Ledger of the run being replayed. Its rows are copied into the shadow in their state before reading, so that planned
 * pages, their order and unread pages stay as they were.
 */
export function createShadowRuns(db: Database, workerId: string) {
  return {
    /** Copies the run as an open one. */
    async open(runId: number): Promise<void> {
      await copyRun(db, await readColumns(db), runId);
    },

    /** Copies the run's pages with the category numbers of the staged taxonomy. Returns the pages to parse. */
    async planPages(runId: number, endpoint: string): Promise<ArchivedPage[]> {
      const columns = await readColumns(db);
      await copyCrawls(db, columns, runId);
      await copyPages(db, columns, runId, workerId, await unreadablesOf(db, runId, endpoint));
      return rowsOf<ArchivedPage>(
        db,
        `select p.category_no as "categoryNo", c.category_id as "categoryId", root.category_id as "rootId",
           p.page_no as "pageNo", p.reading, encode(p.payload_sha256, 'hex') as sha256, p.fetched_at as "receivedAt"
         from ops_replay.category_page p
         join ops_replay.category_crawl c using (run_id, category_no)
         join ops_replay.category_crawl root on root.run_id = c.run_id and root.category_no = c.root_no
         where p.run_id = $1 and p.worker_id = $2
         order by p.category_no, p.page_no, p.reading`,
        [runId, workerId],
      );
    },

    /** Copies the details that the run requested. Returns those to parse. */
    async planDetails(runId: number, endpoint: string): Promise<ArchivedDetail[]> {
      await copyDetails(db, await readColumns(db), runId, workerId, await unreadablesOf(db, runId, endpoint));
      return rowsOf<ArchivedDetail>(
        db,
        `select product_id as "productId", encode(payload_sha256, 'hex') as sha256, fetched_at as "receivedAt"
         from ops_replay.detail_fetch where run_id = $1 and worker_id = $2 order by product_id`,
        [runId, workerId],
      );
    },

    /** Marks a page as failed because its payload cannot be parsed. */
    async failPage(runId: number, { categoryNo, pageNo, reading }: ArchivedPage, why: string): Promise<void> {
      await db.query(
        `update ops_replay.category_page
         set status = 'failed', worker_id = null, payload_sha256 = null, fetched_at = null, error = $5,
             items_received = null, distinct_products = null, rejected = null, declared_total = null
         where run_id = $1 and category_no = $2 and page_no = $3 and reading = $4`,
        [runId, categoryNo, pageNo, reading, why],
      );
    },

    async failDetail(runId: number, { productId }: ArchivedDetail, why: string): Promise<void> {
      await db.query(
        `update ops_replay.detail_fetch
         set status = 'failed', worker_id = null, payload_sha256 = null, fetched_at = null, error = $3
         where run_id = $1 and product_id = $2`,
        [runId, productId, why],
      );
    },

    /** Updates declared totals of categories whose pages now declare something else. */
    async redeclare(runId: number): Promise<void> {
      await db.query(redeclareCategories, [runId]);
    },

    /** Records the payloads that were parsed again. */
    async noteRead(runId: number, sha256s: ReadonlySet<string>): Promise<void> {
      await db.query('insert into ops_replay.reread select $1, sha256 from unnest($2::bytea[]) as r (sha256)', [
        runId,
        [...sha256s].map((sha256) => Buffer.from(sha256, 'hex')),
      ]);
    },
  };
}

export type ShadowRuns = ReturnType<typeof createShadowRuns>;

async function copyRun(sql: Queryable, columns: Columns, runId: number): Promise<void> {
  const own = columns.get('ops.run')!;
  await sql.query(
    `insert into ops_replay.run (${own.join(', ')}) overriding system value
     select ${selected(own, 'x', replayedAnew)} from ops.run x where run_id = $1`,
    [runId],
  );
  const deferred = columns.get('ops.category_deferred')!.join(', ');
  await sql.query(
    `insert into ops_replay.category_deferred (${deferred})
     select ${deferred}
     from ops.category_deferred
     where run_id = $1`,
    [runId],
  );
}

/**
 * SQL: former and new numbers of the run's categories. Categories missing from the taxonomy keep their number, or move
 * behind all others.
 */
const ranks = `
  rank as (
    select c.category_no as then_no,
      coalesce(s.category_no,
        case when taken.category_no is null then c.category_no else 1000000 + c.category_no end) as now_no
    from ops.category_crawl c
    left join stage_replay.category s on s.run_id = c.run_id and s.category_id = c.category_id
    left join stage_replay.category taken on taken.run_id = c.run_id and taken.category_no = c.category_no
    where c.run_id = $1
  )`;

async function copyCrawls(sql: Queryable, columns: Columns, runId: number): Promise<void> {
  const own = columns.get('ops.category_crawl')!;
  const anew = { category_no: 'own.now_no', root_no: 'coalesce(root.now_no, own.now_no)', distinct_seen: 'null::int' };
  await sql.query(
    `with ${ranks}
     insert into ops_replay.category_crawl (${own.join(', ')})
     select ${selected(own, 'x', anew)}
     from ops.category_crawl x
     join rank own on own.then_no = x.category_no
     left join rank root on root.then_no = x.root_no
     where x.run_id = $1`,
    [runId],
  );
}

/**
 * Copies pages; those that were read, or failed although a payload exists, are claimed by the replay. Others stay
 * unchanged.
 */
async function copyPages(
  sql: Queryable,
  columns: Columns,
  runId: number,
  workerId: string,
  unread: readonly ArchivedPayload[],
): Promise<void> {
  const own = columns.get('ops.category_page')!;
  const pages = onePer(unread, ({ question }) => `${question['pageNo']} ${question['categoryId']}`);
  const anew = {
    ...heldAnew(`(x.status = 'done' and x.payload_sha256 is not null) or unread.sha256 is not null`, '$2'),
    category_no: 'rank.now_no',
    seen_keys: 'null::int[]',
    extra_keys: 'null::int[]',
  };
  await sql.query(
    `with ${ranks}, unread as (
       select *
       from unnest($3::text[], $4::int[], $5::bytea[], $6::timestamptz[]) as u (category_id, page_no, sha256,
         received_at)
     )
     insert into ops_replay.category_page (${own.join(', ')})
     select ${selected(own, 'x', anew)}
     from ops.category_page x
     join ops.category_crawl c using (run_id, category_no)
     join rank on rank.then_no = x.category_no
     left join unread on x.status = 'failed' and unread.category_id = c.category_id and unread.page_no = x.page_no
     where x.run_id = $1`,
    [
      runId,
      workerId,
      pages.map(({ question }) => question['categoryId'] ?? ''),
      pages.map(({ question }) => Number(question['pageNo'])),
      pages.map(({ sha256 }) => Buffer.from(sha256, 'hex')),
      pages.map(({ receivedAt }) => receivedAt),
    ],
  );
}

async function copyDetails(
  sql: Queryable,
  columns: Columns,
  runId: number,
  workerId: string,
  unread: readonly ArchivedPayload[],
): Promise<void> {
  const own = columns.get('ops.detail_fetch')!;
  const products = onePer(unread, ({ question }) => question['productId'] ?? '');
  const isHeld = `(x.status = 'done' and x.payload_sha256 is not null) or unread.sha256 is not null`;
  const anew = { ...heldAnew(isHeld, '$2'), outcome: `case when not (${isHeld}) then x.outcome end` };
  await sql.query(
    `with unread as (
       select * from unnest($3::text[], $4::bytea[], $5::timestamptz[]) as u (product_id, sha256, received_at)
     )
     insert into ops_replay.detail_fetch (${own.join(', ')})
     select ${selected(own, 'x', anew)}
     from ops.detail_fetch x
     left join unread on x.status = 'failed' and unread.product_id = x.product_id
     where x.run_id = $1`,
    [
      runId,
      workerId,
      products.map(({ question }) => question['productId'] ?? ''),
      products.map(({ sha256 }) => Buffer.from(sha256, 'hex')),
      products.map(({ receivedAt }) => receivedAt),
    ],
  );
}

/** Columns of a unit of work: planned and leased by the replay where `isHeld`, otherwise unchanged. */
function heldAnew(isHeld: string, worker: string): Record<string, string> {
  const held = (theirs: string, others: string) => `case when ${isHeld} then ${theirs} else ${others} end`;
  return {
    status: held(`'planned'::ops.page_status`, 'x.status'),
    worker_id: held(`${worker}::uuid`, 'null'),
    lease: held(`${replayLease}`, 'x.lease'),
    payload_sha256: 'coalesce(x.payload_sha256, unread.sha256)',
    fetched_at: 'coalesce(x.fetched_at, unread.received_at)',
  };
}

/** The first payload of each name. */
function onePer(payloads: readonly ArchivedPayload[], nameOf: (payload: ArchivedPayload) => string): ArchivedPayload[] {
  const first = new Map<string, ArchivedPayload>();
  for (const payload of payloads) if (!first.has(nameOf(payload))) first.set(nameOf(payload), payload);
  return [...first.values()];
}

const redeclareCategories = `
  with said as (
    select category_no,
      (array_agg(declared_total order by fetched_at, page_no) filter (where declared_total is not null))[1] as first,
      (array_agg(declared_total order by fetched_at desc, page_no desc)
        filter (where declared_total is not null))[1] as last
    from ops_replay.category_page where run_id = $1 group by category_no
  ), changed as (
    select category_id
    from (
      select c.category_id, p.page_no, p.reading, p.status, p.declared_total
      from ops_replay.category_page p join ops_replay.category_crawl c using (run_id, category_no) where run_id = $1
      except
      select c.category_id, p.page_no, p.reading, p.status, p.declared_total
      from ops.category_page p join ops.category_crawl c using (run_id, category_no) where run_id = $1
    ) as page
    group by category_id
  )
  update ops_replay.category_crawl c set declared_first = said.first, declared_last = said.last
  from said
  where c.run_id = $1 and c.category_no = said.category_no and c.category_id in (select category_id from changed)`;
