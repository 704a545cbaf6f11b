import { eq } from 'drizzle-orm';
import { RunRefused } from '../base/errors.ts';
import type { CrawlContext } from '../crawl/context.ts';
import type { Run } from '../crawl/run/runs.ts';
import { lockForPublication, move } from '../crawl/run/transitions.ts';
import { type Transaction, within } from '../db/client.ts';
import { certificate } from '../db/tables/index.ts';
import { noteNights } from './night-changes.ts';
import { certifyAndPublish } from './publish-night.ts';
import { tidyUp } from './tidy-up.ts';

export interface Released {
  readonly region: string;
  readonly snapshotDate: string;
  /** Former state: held and now published, or partial and now certified. */
  readonly from: 'held' | 'partial';
}

type Needs = Pick<CrawlContext, 'db' | 'runs' | 'settings' | 'clock'>;

export interface Release {
  readonly runId: number;
  /** The user's reason. */
  readonly why: string;
}

/**
 * Releases a run that a check holds, or that was published as partial, at a user's request. Throws `RunRefused` if
 * there is nothing to release, or the catalogue is no longer that which the run was compared with. The caller runs the
 * followers.
 */
export async function releaseRun(context: Needs, release: Release): Promise<Released> {
  const { db, runs, clock } = context;
  const released = await db.tx(async (tx): Promise<Released> => {
    // A replay that has begun comes first, and no night opens meanwhile.
    const locked = await lockForPublication(tx, release.runId);
    const run = await runs.byId(release.runId, tx);
    const { region, snapshotDate } = run;
    await refuseUnlessOnBase(context, run, locked!.isOnBase);
    if (run.status === 'held') {
      await certifyAndPublish({ ...context, db: within(db, tx) }, run, { releasedBecause: release.why });
      return { region, snapshotDate, from: 'held' };
    }
    await releasePartial(tx, release);
    await noteNights(tx, { region, from: snapshotDate, at: clock.now() });
    return { region, snapshotDate, from: 'partial' };
  });
  if (released.from === 'held') await tidyUp(db);
  return released;
}

/**
 * Certifies a published partial run. Its catalogue stays as it is: the next certified night, for which its number of
 * products is the usual one, reports what is gone.
 */
export async function releasePartial(tx: Transaction, { runId, why }: Release): Promise<void> {
  const [judged] = await tx.orm.select().from(certificate).where(eq(certificate.runId, runId));
  if (judged?.reasons.some(({ code }) => code === 'pages_unrequested'))
    throw new RunRefused(
      `Run ${runId} did not request all pages, because the limits did not suffice, so products that it did not see ` +
        'may still exist. Raise the limits and crawl a whole night.',
    );
  const verdict = 'complete_within_tolerance';
  if (!(await move(tx, 'certifyPartial', { runId }, { verdict })))
    throw new RunRefused(`Run ${runId} is not the last of its region, or not partial; there is nothing to release.`);
  const released = { verdict, releasedBecause: why, releasedFrom: 'published' } as const;
  await tx.orm.update(certificate).set(released).where(eq(certificate.runId, runId));
}

/** History is append-only: a night that was not compared with the last one comes in by a replay only. */
async function refuseUnlessOnBase({ runs }: Needs, run: Run, isOnBase: boolean): Promise<void> {
  const { runId, region, snapshotDate, status } = run;
  if (status !== 'held' && status !== 'published')
    throw new RunRefused(`Run ${runId} is ${status}: only a held or partial run can be released.`);
  const later = await runs.lastPublishedAfter(run);
  const isOpen = status === 'held' && (await runs.openOf(region)) !== null;
  if (later === null && !isOpen && (status === 'published' || isOnBase)) return;
  const [what, when] = isOpen ? ['is being crawled', ' when it is over'] : ['was published since', ''];
  const nights = `--region ${region} --from ${snapshotDate} --to ${later ?? snapshotDate}`;
  throw new RunRefused(
    `Another night of ${region} ${what}, and history is append-only. Bring run ${runId} in from the archive${when}: ` +
      `\`pricebook replay ${nights} --release ${runId} --why "…" --apply\``,
  );
}
