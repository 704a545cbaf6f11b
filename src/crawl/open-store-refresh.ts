import { RunRefused } from '../base/errors.ts';
import type { CrawlContext } from './context.ts';
import { plannedCircle, type StoreRefresh } from './ledger/store-refreshes.ts';
import { circleAround, coverAreas } from './plan/store-cover.ts';

/** Answers older than this do not describe the day on which a refresh would be published. */
const staleAfterMs = 48 * 3_600_000;

/**
 * Returns the open refresh of the stores, or opens one. Its first circles are those that sufficed last time, or the
 * fewest that cover the areas. A refresh of another upstream or clock, or one that is too old, is abandoned; it has
 * changed nothing. Returns null if the schedule finds that another process is working on it.
 */
export async function openStoreRefresh(
  context: Pick<CrawlContext, 'clock' | 'log' | 'stores' | 'storeLocator'>,
  origin: 'command' | 'schedule',
): Promise<StoreRefresh | null> {
  const { clock, log, stores, storeLocator } = context;
  const now = clock.now();
  const open = await stores.openOne();
  if (open && isOurs(open, context) && now.getTime() - open.startedAt.getTime() < staleAfterMs) return open;
  if (open && !(await stores.abandon(open.refreshId, now))) {
    if (origin === 'schedule') return null;
    throw new RunRefused(
      `A refresh of the stores from ${open.upstream} is in progress, with another upstream or clock than this ` +
        `command. Wait until it has finished, or stop it.`,
    );
  }
  if (open)
    log.warn({ refresh: open.refreshId, upstream: open.upstream }, 'an earlier refresh of the stores was abandoned');
  await refuseMixing(context, now);
  const { areas, areasText, upstream, clockKind } = storeLocator;
  const before = await stores.cellsBefore({ areas: areasText, upstream });
  const plan = before.length > 0 ? before.map(circleAround) : coverAreas(areas);
  const circles = plan.map((circle, i) => plannedCircle(circle, i + 1));
  const refreshId = await stores.open({ areas: areasText, now, origin, upstream, clock: clockKind, circles });
  return refreshId === null ? stores.openOne() : stores.byId(refreshId);
}

/** Whether this process may continue a refresh. */
export function isOurs(
  { upstream, clock, areas }: StoreRefresh,
  { storeLocator }: Pick<CrawlContext, 'storeLocator'>,
): boolean {
  return upstream === storeLocator.upstream && clock === storeLocator.clockKind && areas === storeLocator.areasText;
}

/** Refuses to mix simulated and real stores in one database, and to refresh with an earlier instant than the last. */
async function refuseMixing({ stores, storeLocator }: Pick<CrawlContext, 'stores' | 'storeLocator'>, now: Date) {
  const last = await stores.lastPublished();
  if (!last) return;
  if (isSimulated(last.upstream) !== isSimulated(storeLocator.upstream)) {
    throw new RunRefused(
      `The stores of this database come from ${last.upstream}, but this command is configured for ` +
        `${storeLocator.upstream}. Set PRICEBOOK_HOME or DATABASE_URL to use another database for it.`,
    );
  }
  if (now <= last.observedAt) {
    throw new RunRefused(
      `The stores were last refreshed as of ${last.observedAt.toISOString()}, and earlier states cannot be added. ` +
        `Give a later time with --now, or omit it.`,
    );
  }
}

const isSimulated = (upstream: string): boolean => upstream.startsWith('simulator ');
