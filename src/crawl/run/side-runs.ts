import { and, desc, eq } from 'drizzle-orm';
import { RunRefused } from '../../base/errors.ts';
import { localDate } from '../../base/local-date.ts';
import type { Transaction } from '../../db/client.ts';
import type { Orm } from '../../db/orm.ts';
import { keywordSearch, run, stageStore, storeRefresh } from '../../db/tables/index.ts';
import { searchedRegions } from '../../source/endpoints/index.ts';
import type { CrawlContext } from '../context.ts';
import { planCircles } from '../kinds/stores.ts';
import { failUnread, unreadAsAbandoned } from './end.ts';
import { move } from './transitions.ts';

/** A run of stores or searches. It has no region, and one phase. */
export type SideRun = Omit<typeof run.$inferSelect, 'region'> & { readonly region: null };

/** Answers older than this do not describe the day on which they would be published. */
const staleAfterMs = 48 * 3_600_000;

const timeZone = 'Europe/London';

type Origin = 'command' | 'schedule';

/**
 * Returns the open run of the stores, or opens one with the grid over STORE_AREAS. A run of another upstream or other
 * areas, or one that is too old, is abandoned; it has changed nothing.
 */
export function openStores(
  { db, clock, log, storeLocator }: Pick<CrawlContext, 'db' | 'clock' | 'log' | 'storeLocator'>,
  origin: Origin,
): Promise<SideRun> {
  const { areas, areasText, upstream } = storeLocator;
  const now = clock.now();
  return db.tx(async (tx) => {
    const open = await lockOpen(tx, 'stores');
    const isFresh = open && now.getTime() - open.startedAt.getTime() < staleAfterMs;
    if (isFresh && (await isOfLocator(tx.orm, open, storeLocator))) return open;
    if (open) {
      await abandon(tx, open, now);
      log.warn({ run: open.runId, upstream: open.upstream }, 'an earlier refresh of the stores was abandoned');
    }
    const last = await lastStores(tx.orm);
    if (last && now <= last.observedAt) {
      throw new RunRefused(
        `The stores were last refreshed as of ${last.observedAt.toISOString()}, and earlier states cannot be added. ` +
          'Give a later time with --now, or omit it.',
      );
    }
    const opened = await insert(tx, { kind: 'stores', now, origin, upstream });
    await tx.orm.insert(storeRefresh).values({ runId: opened.runId, areas: areasText });
    await planCircles(tx, opened.runId, areas);
    return opened;
  });
}

/** The run of the stores, if it is open and about this process's upstream and areas. */
export async function findOpenStores(
  { db, storeLocator }: Pick<CrawlContext, 'db' | 'storeLocator'>,
  runId: number,
): Promise<SideRun | null> {
  const where = and(eq(run.runId, runId), eq(run.kind, 'stores'), eq(run.status, 'open'));
  const [open] = (await db.orm.select().from(run).where(where)) as SideRun[];
  return open && (await isOfLocator(db.orm, open, storeLocator)) ? open : null;
}

async function isOfLocator(
  orm: Orm,
  { runId, upstream }: SideRun,
  storeLocator: CrawlContext['storeLocator'],
): Promise<boolean> {
  const [refresh] = await orm.select().from(storeRefresh).where(eq(storeRefresh.runId, runId));
  return upstream === storeLocator.upstream && refresh?.areas === storeLocator.areasText;
}

/**
 * Returns the night's open run of searches, or opens one with those keywords that no run of the night has, for each
 * crawled region with a search. Null: there is nothing to search for. A run of an earlier night is abandoned; the pages
 * that it received are saved.
 */
export function openSearches(
  { db, clock, settings }: Pick<CrawlContext, 'db' | 'clock' | 'settings'>,
  keywords: readonly string[],
  origin: Origin,
): Promise<SideRun | null> {
  const now = clock.now();
  return db.tx(async (tx) => {
    const open = await lockOpen(tx, 'searches');
    if (open && open.snapshotDate === localDate(now, timeZone)) return open;
    if (open) await abandon(tx, open, now);
    const planned = await tx.orm
      .select({ region: keywordSearch.region, keyword: keywordSearch.keyword })
      .from(keywordSearch)
      .innerJoin(run, eq(run.runId, keywordSearch.runId))
      .where(and(eq(run.kind, 'searches'), eq(run.snapshotDate, localDate(now, timeZone))));
    const isPlanned = new Set(planned.map(({ region, keyword }) => `${region} ${keyword}`));
    const wanted = searchedRegions
      .filter((region) => settings.regions.includes(region))
      .flatMap((region) => [...new Set(keywords)].map((keyword) => ({ region, keyword })))
      .filter(({ region, keyword }) => !isPlanned.has(`${region} ${keyword}`));
    if (wanted.length === 0) return null;
    const opened = await insert(tx, { kind: 'searches', now, origin });
    await tx.orm.insert(keywordSearch).values(wanted.map((each) => ({ ...each, runId: opened.runId })));
    return opened;
  });
}

/** The last published run of the stores; null if there is none. */
export async function lastStores(orm: Orm): Promise<SideRun | null> {
  const [last] = await orm
    .select()
    .from(run)
    .where(and(eq(run.kind, 'stores'), eq(run.status, 'published')))
    .orderBy(desc(run.runId))
    .limit(1);
  return (last as SideRun | undefined) ?? null;
}

async function lockOpen(tx: Transaction, kind: SideRun['kind']): Promise<SideRun | null> {
  // Two processes must not open a run at the same time.
  await tx.query('lock table ops.store_refresh in share row exclusive mode');
  const [open] = await tx.orm
    .select()
    .from(run)
    .where(and(eq(run.kind, kind), eq(run.status, 'open')))
    .for('update');
  return (open as SideRun | undefined) ?? null;
}

async function abandon(tx: Transaction, { runId }: SideRun, now: Date): Promise<void> {
  await move(tx, 'abandon', { runId }, { finishedAt: now });
  await failUnread(tx, runId, unreadAsAbandoned);
  await tx.orm.delete(stageStore).where(eq(stageStore.runId, runId));
}

type Opened = Pick<typeof run.$inferInsert, 'kind' | 'origin' | 'upstream'> & { readonly now: Date };

async function insert(tx: Transaction, { now, ...opened }: Opened): Promise<SideRun> {
  const at = { snapshotDate: localDate(now, timeZone), observedAt: now, startedAt: now };
  const [row] = await tx.orm
    .insert(run)
    .values({ ...opened, ...at, phase: 'units', maxDetails: 0 })
    .returning();
  return row as SideRun;
}
