import { RunRefused } from '../base/errors.ts';
import type { CrawlContext } from './context.ts';
import type { StoreRefresh } from './ledger/store-refreshes.ts';
import { circleAround, coverAreas } from './plan/store-cover.ts';

/** What a refresh read so long ago says little of the day it would be published. */
const staleAfterMs = 48 * 3_600_000;

/**
 * The open refresh of the stores, or a new one with its instant and first circles: those that were enough the last
 * time, otherwise as few as cover the areas. One of another upstream or clock, and one that waited too long, is given
 * up: it has changed nothing. Null: the schedule finds that another process works on it.
 */
export async function openStoreRefresh(
  context: Pick<CrawlContext, 'db' | 'clock' | 'log' | 'stores' | 'storeCircles' | 'storeLocator'>,
  origin: 'command' | 'schedule',
): Promise<StoreRefresh | null> {
  const { db, clock, log, stores, storeCircles, storeLocator } = context;
  const now = clock.now();
  const open = await stores.openOne();
  if (open && isOurs(open, context) && now.getTime() - open.startedAt.getTime() < staleAfterMs) return open;
  if (open && !(await stores.abandon(open.refreshId, now))) {
    if (origin === 'schedule') return null;
    throw new RunRefused(
      `The stores are being refreshed from ${open.upstream}, on another clock or upstream than this command's. Wait until it is over, or stop it.`,
    );
  }
  if (open) log.warn({ refresh: open.refreshId, upstream: open.upstream }, 'a refresh of the stores is given up');
  await refuseMixing(context, now);
  const { areas, areasText, upstream, clockKind } = storeLocator;
  const before = await storeCircles.cellsBefore({ areas: areasText, upstream });
  const plan = before.length > 0 ? before.map(circleAround) : coverAreas(areas);
  const refreshId = await db.tx(async (tx) => {
    const opened = await stores.open(tx, { areas: areasText, now, origin, upstream, clock: clockKind });
    if (opened !== null) await storeCircles.plan(tx, opened, plan);
    return opened;
  });
  return refreshId === null ? stores.openOne() : stores.byId(refreshId);
}

/** Whether this process may go on with a refresh. */
export function isOurs(
  { upstream, clock, areas }: StoreRefresh,
  { storeLocator }: Pick<CrawlContext, 'storeLocator'>,
): boolean {
  return upstream === storeLocator.upstream && clock === storeLocator.clockKind && areas === storeLocator.areasText;
}

/** Invented stores and real ones are not kept in one book, and time goes forward. */
async function refuseMixing({ stores, storeLocator }: Pick<CrawlContext, 'stores' | 'storeLocator'>, now: Date) {
  const last = await stores.lastPublished();
  if (!last) return;
  if (isSimulated(last.upstream) !== isSimulated(storeLocator.upstream)) {
    throw new RunRefused(
      `The stores of this book are those of ${last.upstream}, and ${storeLocator.upstream} would be asked. PRICEBOOK_HOME or DATABASE_URL of another book keeps both.`,
    );
  }
  if (now <= last.observedAt) {
    throw new RunRefused(
      `The stores were refreshed as of ${last.observedAt.toISOString()} already, and their history does not go back in time: name a later moment with --now, or none.`,
    );
  }
}

const isSimulated = (upstream: string): boolean => upstream.startsWith('simulator ');
