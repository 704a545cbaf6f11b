import { LeaseLost } from '../../base/errors.ts';
import { type Base, baseOf, lockForPublication, move } from '../../crawl/ledger/run-life.ts';
import type { Run } from '../../crawl/ledger/runs.ts';
import type { Database } from '../../db/client.ts';
import { replaceLedgerRows } from './apply-ledger.ts';
import { readColumns } from './columns.ts';
import { toShadow } from './shadow-names.ts';

const stageTables = ['stage.category', 'stage.product', 'stage.promotion', 'stage.detail'];

/** Parents before children. */
const ledgerTables = ['ops.category_crawl', 'ops.category_page', 'ops.detail_fetch'];

/**
 * Replaces a run's stage by that of the shadow, in one transaction and under a new epoch. Throws `LeaseLost` if the run
 * is over or another process staged it again. Does nothing if the base has moved once more.
 */
export async function adoptStage(db: Database, { runId, region, epoch }: Run, base: Base | null): Promise<void> {
  await db.tx(async (tx) => {
    const run = await lockForPublication(tx, runId);
    const now = await baseOf(tx, region);
    if (now?.runId !== base?.runId || now?.epoch !== base?.epoch) return;
    const name = run?.status === 'held' ? 'stageHeldAgain' : 'stageAgain';
    if (!(await move(tx, name, { runId, epoch }))) throw new LeaseLost(`Run ${runId}`);
    const columns = await readColumns(tx);
    await replaceLedgerRows(tx, columns, [runId], ledgerTables);
    for (const table of stageTables) {
      const own = columns.get(table)!.join(', ');
      await tx.query(`delete from ${table} where run_id = $1`, [runId]);
      await tx.query(`insert into ${table} (${own}) select ${own} from ${toShadow(table)} where run_id = $1`, [runId]);
    }
  });
}
