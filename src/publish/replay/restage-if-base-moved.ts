import { LeaseLost, PayloadLost, RunRefused } from '../../base/errors.ts';
import { isStagedOnBase, lockForPublication, move } from '../../crawl/ledger/run-life.ts';
import type { Run, Runs } from '../../crawl/ledger/runs.ts';
import type { Database, Transaction } from '../../db/client.ts';
import { type ArchivedBook, restageNight } from './restage-night.ts';
import { countLostPayloads, type Part } from './scope.ts';

interface StagingNeeds extends ArchivedBook {
  readonly runs: Pick<Runs, 'byId'>;
}

const parts: readonly Part[] = ['listing', 'detail'];

/**
 * Makes sure that a finishing or held run is staged against the current catalogue, and returns it. If a publication,
 * release or replay has changed the catalogue since, all payloads are parsed again from the archive: without requests,
 * under a new epoch and in one transaction. Throws `RunRefused` if the archive lacks payloads.
 */
export async function restageIfBaseMoved(needs: StagingNeeds, run: Run, signal: AbortSignal): Promise<Run> {
  const { db, runs } = needs;
  if (await isStagedOnBase(db, run.runId)) return run;
  const lost = (await countLostPayloads(db, [run.runId], parts))[0]?.missing ?? 0;
  if (lost > 0) {
    throw unreadable(
      run,
      `the archive lacks ${lost} of its payloads: they were pruned (ARCHIVE_DAYS) or never kept (ARCHIVE=off).`,
    );
  }
  try {
    await db.tx((tx) => restageRun(needs, tx, run, signal));
  } catch (error) {
    if (error instanceof PayloadLost) throw unreadable(run, error.message);
    throw error;
  }
  return runs.byId(run.runId);
}

/** The region's base cannot move meanwhile. Throws `LeaseLost` if the run is over or was staged again. */
async function restageRun(needs: StagingNeeds, tx: Transaction, run: Run, signal: AbortSignal): Promise<void> {
  const { runId, epoch } = run;
  const locked = await lockForPublication(tx, runId);
  const name = locked?.status === 'held' ? 'restageHeld' : 'restage';
  if (!(await move(tx, name, { runId, epoch }))) throw new LeaseLost(`Run ${runId}`);
  await restageNight(needs, within(needs.db, tx), run, parts, signal);
  signal.throwIfAborted();
}

/** A database whose transactions are parts of an open one. */
function within(db: Database, tx: Transaction): Database {
  return {
    ...db,
    query: (text, values) => tx.query(text, values),
    tx: (run) => run(tx),
    withClient: (use) => use(tx.client),
  };
}

function unreadable({ runId, region, snapshotDate }: Run, why: string): RunRefused {
  return new RunRefused(
    `The catalogue has changed since run ${runId} (${region} ${snapshotDate}) was compared with it, and the run ` +
      `cannot be parsed again: ${why} Give it up with \`pricebook crawl --abandon ${runId}\`, ` +
      'then crawl the night again; nothing was changed.',
  );
}
