import type { Database, Transaction } from '../db/client.ts';
import { countOf, rowsOf } from '../db/rows.ts';
import { detailFolding, type Folding, holdFolds, pageFolding, payloadFolding } from './folded.ts';

export interface Folded {
  readonly runs: number;
  /** Rows of pages, details and payloads that became a few rows of their folds. */
  readonly rows: number;
}

/**
 * Folds the pages, details and payloads of runs observed before an instant: one row per category and endpoint is left of
 * each. A run at a time, each in a transaction of its own; what a kill leaves undone, the next time does.
 */
export async function foldLedger(
  db: Database,
  { before, signal }: { readonly before: Date; readonly signal?: AbortSignal },
): Promise<Folded> {
  const due = await rowsOf<{ runId: number }>(db, selectDue, [before]);
  let rows = 0;
  for (const { runId } of due) {
    signal?.throwIfAborted();
    rows += await db.tx((tx) => foldRun(tx, runId));
  }
  return { runs: due.length, rows };
}

/**
 * A region's last published runs keep their pages, however old they are: the products seen on them are what a person's
 * release and the next night's certificate go by.
 */
const runsWithPages = 4;

const isFoldable = `r.status not in ('open', 'held') and r.run_id not in (
  select run_id from (
    select run_id, row_number() over (partition by region order by observed_at desc) as age from ops.run where status = 'published'
  ) as published
  where age <= ${runsWithPages})`;

const selectDue = `
  select r.run_id as "runId"
  from ops.run r
  where r.observed_at < $1 and ${isFoldable}
    and (exists (select from ops.category_page p where p.run_id = r.run_id)
      or exists (select from ops.detail_fetch d where d.run_id = r.run_id))
  order by r.run_id`;

async function foldRun(tx: Transaction, runId: number): Promise<number> {
  await holdFolds(tx);
  const [run] = await rowsOf<{ isReplayable: boolean }>(tx, selectRun, [runId]);
  // Somebody else was faster, or the run is wanted again.
  if (!run) return 0;
  const { isReplayable } = run;
  await tx.query(foldPages(isReplayable), [runId]);
  await tx.query(foldDetails(isReplayable), [runId]);
  let rows = await removeRows(tx, pageFolding, runId);
  rows += await removeRows(tx, detailFolding, runId);
  // The others wait for the archive to forget them.
  if (!isReplayable) return rows;
  await tx.query(foldPayloads, [runId]);
  return rows + (await removeRows(tx, payloadFolding, runId));
}

const removeRows = (tx: Transaction, { table }: Folding, runId: number): Promise<number> =>
  countOf(tx, `delete from ${table} where run_id = $1`, [runId]);

/** Replayable: all that was read is still in the archive. */
const selectRun = `
  select exists (select from ops.payload p where p.run_id = $1)
    and not exists (
      select from (
        select payload_sha256 from ops.category_page where run_id = $1 and status = 'done'
        union all
        select payload_sha256 from ops.detail_fetch where run_id = $1 and outcome = 'found'
      ) as read
      where not exists (select from ops.payload_body b where b.sha256 = read.payload_sha256)) as "isReplayable"
  from ops.run r
  where r.run_id = $1 and ${isFoldable}
  for update of r`;

/** SQL: an array of each column's values; nothing when nobody can replay the run. */
const arraysOf = ({ folded, order }: Folding, isReplayable: boolean): string =>
  folded.map((name) => (isReplayable ? `array_agg(${name} order by ${order})` : 'null')).join(', ');

const foldPages = (isReplayable: boolean): string => `
  insert into ops.page_fold (run_id, category_no, pages, last_page, pages_read, readings_done, items, quarantined,
    ${pageFolding.folded.join(', ')})
  select run_id, category_no, count(distinct page_no), max(page_no), count(distinct page_no) filter (where status = 'done'),
    count(*) filter (where status = 'done'), coalesce(sum(items_received), 0), coalesce(sum(rejected), 0),
    ${arraysOf(pageFolding, isReplayable)}
  from ops.category_page where run_id = $1
  group by run_id, category_no
  order by category_no`;

const foldDetails = (isReplayable: boolean): string => `
  insert into ops.detail_fold (run_id, products, found, not_there, ${detailFolding.folded.join(', ')})
  select run_id, count(*), count(*) filter (where outcome = 'found'), count(*) filter (where outcome = 'not_there'),
    ${arraysOf(detailFolding, isReplayable)}
  from ops.detail_fetch where run_id = $1
  group by run_id`;

const foldPayloads = `
  insert into ops.payload_fold (run_id, listing, endpoint, host, status, region, payloads, last_received_at,
    ${payloadFolding.folded.join(', ')})
  select run_id, listing, endpoint, host, status, min(region), count(*), max(received_at),
    ${arraysOf(payloadFolding, true)}
  from ops.payload where run_id = $1
  group by run_id, listing, endpoint, host, status`;
