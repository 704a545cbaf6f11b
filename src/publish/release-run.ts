import { BaseMoved, LeaseLost, RunRefused } from '../base/errors.ts';
import type { CrawlContext } from '../crawl/context.ts';
import type { Run } from '../crawl/ledger/runs.ts';
import { certifyAndPublish } from './quality/certify-and-publish.ts';
import { gatherEvidence } from './quality/evidence/evidence.ts';
import { releasePartial } from './release-partial.ts';

export interface Released {
  readonly region: string;
  readonly snapshotDate: string;
  /** Former state: held and now published, or partial and now certified. */
  readonly from: 'held' | 'partial';
  /** Products that became absent or delisted by a partial run's release; null for a held run. */
  readonly gone: number | null;
}

type Needs = Pick<CrawlContext, 'db' | 'runs' | 'settings' | 'clock' | 'restageIfBaseMoved'>;

export interface Release {
  readonly runId: number;
  /** Reason given by the user. */
  readonly why: string;
  readonly signal: AbortSignal;
}

/**
 * Releases a run that a check holds, or that was published as partial, at a user's request. A held run whose base has
 * moved is first staged again from the archive. Throws `RunRefused` if there is nothing to release, or a later night is
 * published. The caller runs the followers.
 */
export async function releaseRun(context: Needs, release: Release): Promise<Released> {
  const { db, runs, settings, clock } = context;
  const { runId, why } = release;
  const run = await runs.byId(runId);
  const { region, snapshotDate, status } = run;
  if (status === 'open') {
    throw new RunRefused(`Run ${runId} is still being crawled. Let it finish, then release it if need be.`);
  }
  refuseUnlessKept(run);
  await refuseUnlessLast(context, run);
  if (status === 'held') await publishAsSeen(context, run, release);
  const partial = { runId, delistAfter: settings.delistAfter, why, now: clock.now() };
  const gone = status === 'held' ? null : await releasePartial(db, partial);
  return { region, snapshotDate, from: status === 'held' ? 'held' : 'partial', gone };
}

/**
 * Publishes a held run. If it was staged again meanwhile, its findings may differ, and the user must review them first.
 */
async function publishAsSeen(context: Needs, held: Run, release: Release): Promise<void> {
  try {
    await publishHeld(context, held, release);
  } catch (error) {
    if (!(error instanceof LeaseLost)) throw error;
    const now = await context.runs.byId(held.runId);
    refuseUnlessKept(now);
    const { runId, region, snapshotDate, status } = now;
    const [what, next] =
      status === 'published'
        ? ['published', `\`pricebook certify --run ${runId}\` says why`]
        : ['read again', `See what holds it now, \`pricebook certify --run ${runId}\`, and release it again`];
    throw new RunRefused(
      `Run ${runId} (${region} ${snapshotDate}) was ${what} while it was being released, by a replay or another ` +
        `release. ${next}; nothing was changed.`,
    );
  }
}

async function publishHeld(context: Needs, held: Run, release: Release): Promise<void> {
  const run = await context.restageIfBaseMoved(held, release.signal);
  try {
    await certifyAndPublish({ ...context, measure: null }, run, await gatherEvidence(context.db, run.runId), {
      releasedBecause: release.why,
    });
  } catch (error) {
    if (!(error instanceof BaseMoved)) throw error;
    await refuseUnlessLast(context, run);
    await publishHeld(context, run, release);
  }
}

/** History is append-only: an older night can be added only by replaying it and all later nights. */
async function refuseUnlessLast({ runs }: Needs, run: Run): Promise<void> {
  const { runId, region, snapshotDate } = run;
  const later = await runs.lastPublishedAfter(run);
  if (later === null) return;
  const nights = `--region ${region} --from ${snapshotDate} --to ${later}`;
  throw new RunRefused(
    `A later night of ${region} (${later}) is published, and history is append-only. ` +
      `Bring run ${runId} in from the archive: \`pricebook replay ${nights} --release ${runId} --why "…" --apply\``,
  );
}

function refuseUnlessKept(run: Run): void {
  if (run.status !== 'abandoned' && run.status !== 'expired') return;
  throw new RunRefused(`Run ${run.runId} is ${run.status}: nothing of it is kept, so there is nothing to release.`);
}
