import type { Queryable } from '../../db/client.ts';
import type { Columns } from './columns.ts';
import type { Part, ReplayScope } from './scope.ts';
import { toShadow } from './shadow-names.ts';

/** Tables of a run that its replay writes anew, by part. `ops.run` is written by src/crawl/ledger/run-life.ts. */
const written: Readonly<Record<Part, readonly string[]>> = {
  listing: ['ops.category_crawl', 'ops.category_page', 'ops.certificate', 'ops.finding'],
  detail: ['ops.detail_fetch'],
};

/** Replaces certificates, findings and pages of the replayed runs by those of the shadow. */
export async function applyLedger(sql: Queryable, { parts, runs }: ReplayScope, columns: Columns): Promise<void> {
  const runIds = runs.map(({ runId }) => runId);
  for (const table of parts.flatMap((part) => written[part])) {
    const own = columns.get(table)!.join(', ');
    await sql.query(`delete from ${table} where run_id = any($1)`, [runIds]);
    await sql.query(`insert into ${table} (${own}) select ${own} from ${toShadow(table)} where run_id = any($1)`, [
      runIds,
    ]);
  }
}
