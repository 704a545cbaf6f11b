import { eq } from 'drizzle-orm';
import { plural } from '../base/format.ts';
import type { CrawlContext } from '../crawl/context.ts';
import { splitFull, storesOf } from '../crawl/kinds/stores.ts';
import type { SideRun } from '../crawl/run/side-runs.ts';
import { move } from '../crawl/run/transitions.ts';
import { work } from '../crawl/work.ts';
import { camelRows } from '../db/rows.ts';
import { run as runTable, stageStore } from '../db/tables/index.ts';
import { sqlFile } from './night.ts';

interface PublishedStores {
  readonly verdict: 'complete' | 'partial';
  /** Why it is partial. */
  readonly reasons: readonly string[];
  readonly circles: number;
  readonly storesSeen: number;
  readonly storesNew: number;
  readonly storesChanged: number;
  readonly storesGone: number;
}

/** Requests circles until their answers are complete, and publishes them. Null: another process has, or the end. */
export async function refreshStores(
  context: CrawlContext,
  run: SideRun,
  signal: AbortSignal,
): Promise<PublishedStores | null> {
  while ((await work(context, run, storesOf(run), signal)) === 'done') {
    await context.writeSpend();
    const published = await publishStores(context, run);
    if (!published) continue;
    context.log.info({ run: run.runId, ...published }, 'stores refreshed');
    return published;
  }
  return null;
}

/**
 * Merges the staged stores into the catalogue, in one transaction. A store that was not found is gone
 * only if the answers are complete. Returns null if circles are left to request, or the run is over.
 */
async function publishStores({ db, clock, storeLocator }: CrawlContext, run: SideRun): Promise<PublishedStores | null> {
  const { runId, observedAt } = run;
  return db.tx(async (tx) => {
    const circles = await splitFull(tx, runId);
    if (circles.outstanding > 0 || !(await move(tx, 'publishUnits', run, { finishedAt: clock.now() }))) return null;
    const { all, failed, full, rejected } = circles;
    const incomplete = [
      ...(failed + full > 0 ? [`without a complete answer: ${failed + full} of ${plural(all, 'circle')}`] : []),
      ...(rejected > 0 ? [`${plural(rejected, 'store record')} could not be read`] : []),
    ];
    await tx.query(`create temporary table refresh (
      run_id int, observed_at timestamptz, boxes jsonb, is_complete bool, missed int, is_believed bool
    ) on commit drop`);
    const refresh = [runId, observedAt, JSON.stringify(storeLocator.areas), incomplete.length === 0];
    await tx.query('insert into refresh values ($1, $2, $3, $4)', refresh);
    await tx.query(sqlFile('publish-stores'));
    const [counted] = await camelRows<Counted>(tx, countPublished);
    const { missed, isBelieved, ...counts } = counted!;
    const notFound = `${plural(missed, 'known store was', 'known stores were')} not found; missed again, they are gone`;
    const reasons = isBelieved ? incomplete : [notFound];
    const verdict = reasons.length === 0 ? 'complete' : 'partial';
    await tx.orm.update(runTable).set({ verdict }).where(eq(runTable.runId, runId));
    await tx.orm.delete(stageStore).where(eq(stageStore.runId, runId));
    return { verdict, reasons, circles: all, ...counts };
  });
}

type Counted = Omit<PublishedStores, 'verdict' | 'reasons' | 'circles'> & {
  readonly missed: number;
  readonly isBelieved: boolean;
};

const countPublished = `
  select missed, is_believed,
    (select count(*)::int from gone_store) as stores_gone, count(store_id)::int as stores_seen,
    (count(*) filter (where is_new))::int as stores_new,
    (count(*) filter (where is_other and not is_new))::int as stores_changed
  from refresh left join found_store on true
  group by missed, is_believed`;
