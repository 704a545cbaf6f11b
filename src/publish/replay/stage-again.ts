import { LeaseLost, PayloadLost, RunRefused } from '../../base/errors.ts';
import { type Base, baseOf, isStagedOnBase, lockForPublication, move } from '../../crawl/ledger/run-life.ts';
import type { Run, Runs } from '../../crawl/ledger/runs.ts';
import type { Database } from '../../db/client.ts';
import { replaceLedgerRows } from './apply-ledger.ts';
import { readColumns } from './columns.ts';
import { type ArchivedBook, createReplayContext, readNightAgain } from './restage-night.ts';
import { countLostPayloads, type Part } from './scope.ts';
import { dropShadow, holdShadow, openStageShadow } from './shadow.ts';
import { toShadow } from './shadow-names.ts';

interface StagingNeeds extends ArchivedBook {
  readonly runs: Pick<Runs, 'byId'>;
}

const parts: readonly Part[] = ['listing', 'detail'];

const stageTables = ['stage.category', 'stage.product', 'stage.promotion', 'stage.detail'];

/** Parents before children. */
const ledgerTables = ['ops.category_crawl', 'ops.category_page', 'ops.detail_fetch'];

/**
 * Returns a finishing or held run, staged against the current catalogue. If a publication, release or replay has
 * changed the catalogue since, all payloads are parsed again from the archive, without requests, under a new epoch.
 * Throws `RunRefused` if the archive lacks payloads.
 */
export async function stagedOnBase(needs: StagingNeeds, run: Run, signal: AbortSignal): Promise<Run> {
  const { db, runs } = needs;
  if (await isStagedOnBase(db, run.runId)) return run;
  try {
    await holdShadow(db, () => stageAgain(needs, run, signal));
  } catch (error) {
    if (error instanceof PayloadLost) throw unreadable(run, error.message);
    throw error;
  }
  return runs.byId(run.runId);
}

async function stageAgain(book: StagingNeeds, run: Run, signal: AbortSignal): Promise<void> {
  const { db } = book;
  // Read the base first: if it moves meanwhile, the mismatch is detected.
  const base = await baseOf(db, run.region);
  const lost = (await countLostPayloads(db, [run.runId], parts))[0]?.missing ?? 0;
  if (lost > 0) {
    throw unreadable(
      run,
      `the archive lacks ${lost} of its payloads: they were pruned (ARCHIVE_DAYS) or never kept (ARCHIVE=off).`,
    );
  }
  try {
    const context = createReplayContext(book, await openStageShadow(db));
    await readNightAgain(context, run, parts, signal);
    signal.throwIfAborted();
    await adoptStage(db, run, base);
  } finally {
    await dropShadow(db);
  }
}

/**
 * Replaces a run's stage by that of the shadow, in one transaction and under a new epoch. Throws `LeaseLost` if the run
 * is over or another process staged it again. Does nothing if the base has moved once more.
 */
async function adoptStage(db: Database, { runId, region, epoch }: Run, base: Base | null): Promise<void> {
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

function unreadable({ runId, region, snapshotDate }: Run, why: string): RunRefused {
  return new RunRefused(
    `The catalogue has changed since run ${runId} (${region} ${snapshotDate}) was compared with it, and the run ` +
      `cannot be parsed again: ${why} Give it up with \`pricebook crawl --abandon ${runId}\`, ` +
      'then crawl the night again; nothing was changed.',
  );
}
