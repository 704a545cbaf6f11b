import type { RegionCode } from '../../base/model/index.ts';
import type { Database, Transaction } from '../../db/client.ts';
import { countOf, rowsOf } from '../../db/rows.ts';
import type { ClaimedPage } from './pages.ts';

/** Days after which a page window is tried again, because the listing may have extended it. */
const knownForDays = 30;

/** The last page that a region's listing answers for a category; infinite if no limit is known. */
export async function readPageWindow(db: Database, region: RegionCode, now: Date): Promise<number> {
  const [row] = await rowsOf<{ lastPage: number }>(
    db,
    `select last_page as "lastPage" from ops.page_window
     where region = $1 and learned_at > $2::timestamptz - interval '${knownForDays} days'`,
    [region, now],
  );
  return row?.lastPage ?? Number.POSITIVE_INFINITY;
}

interface Refused {
  readonly runId: number;
  readonly region: RegionCode;
  readonly page: ClaimedPage;
  readonly why: string;
  readonly now: Date;
}

/**
 * Records a page that the listing refuses, although it answers the category's first page, as a page without products.
 * If two pages of a category are refused and no category was answered that far, the page before is the listing's
 * window. It is stored, and pages beyond are not requested. Returns the last page answered; infinite if no window was
 * found.
 */
export async function noteRefusedPage(db: Database, refused: Refused): Promise<number> {
  return db.tx(async (tx) => {
    const noted = await countOf(tx, noteRefused, paramsOf(refused));
    return noted === 0 ? Number.POSITIVE_INFINITY : learnWindow(tx, refused);
  });
}

const paramsOf = ({ runId, page: { categoryNo, pageNo, reading, lease }, why, now }: Refused): unknown[] => [
  runId,
  categoryNo,
  pageNo,
  reading,
  lease,
  why,
  now,
];

async function learnWindow(tx: Transaction, { runId, region, page, why, now }: Refused): Promise<number> {
  const [row] = await rowsOf<{ lastPage: number | null }>(tx, selectWindow, [runId, page.categoryNo]);
  if (row?.lastPage == null) return Number.POSITIVE_INFINITY;
  await tx.query(
    `insert into ops.page_window (region, last_page, learned_at) values ($1, $2, $3)
     on conflict (region) do update set last_page = excluded.last_page, learned_at = excluded.learned_at`,
    [region, row.lastPage, now],
  );
  await tx.query(
    `update ops.category_page
     set status = 'done', error = $3, items_received = 0, distinct_products = 0, rejected = 0, fetched_at = $4
     where run_id = $1 and page_no > $2 and status = 'planned' and worker_id is null`,
    [runId, row.lastPage, why, now],
  );
  return row.lastPage;
}

const noteRefused = `
  update ops.category_page
  set status = 'done', worker_id = null, not_before = null, error = $6,
    items_received = 0, distinct_products = 0, rejected = 0,
    fetched_at = $7
  where run_id = $1 and category_no = $2 and page_no = $3 and reading = $4 and lease = $5 and status = 'planned'`;

/** SQL: a refused page is done, has no payload, and has an error. */
const isRefused = `status = 'done' and payload_sha256 is null and error is not null`;

const selectWindow = `
  select min(page_no) - 1 as "lastPage"
  from ops.category_page
  where run_id = $1 and category_no = $2 and ${isRefused}
  having count(distinct page_no) > 1
    and not exists (
      select from ops.category_page answered
      where answered.run_id = $1 and answered.page_no >= min(category_page.page_no) and answered.status = 'done'
        and answered.items_received > 0)`;
