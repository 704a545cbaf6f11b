import { PayloadLost, RunRefused } from '../../base/errors.ts';
import { baseOf, isStagedOnBase } from '../../crawl/ledger/run-life.ts';
import type { Run, Runs } from '../../crawl/ledger/runs.ts';
import { adoptStage } from './adopt-stage.ts';
import { type ArchivedBook, createReplayContext } from './replay-context.ts';
import { readNightAgain } from './restage-night.ts';
import { countLostPayloads, type Part } from './scope.ts';
import { dropShadow, holdShadow, openStageShadow } from './shadow.ts';

interface StagingNeeds extends ArchivedBook {
  readonly runs: Pick<Runs, 'byId'>;
}

const parts: readonly Part[] = ['listing', 'detail'];

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

function unreadable({ runId, region, snapshotDate }: Run, why: string): RunRefused {
  return new RunRefused(
    `The catalogue has changed since run ${runId} (${region} ${snapshotDate}) was compared with it, and the run ` +
      `cannot be parsed again: ${why} Give it up with \`pricebook crawl --abandon ${runId}\`, ` +
      'then crawl the night again; nothing was changed.',
  );
}
