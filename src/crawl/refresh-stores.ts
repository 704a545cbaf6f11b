import { setMaxListeners } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { LeaseLost, QuestionRefused } from '../base/errors.ts';
import { storeList } from '../source/endpoints/index.ts';
import type { CrawlContext } from './context.ts';
import { ingestOne } from './ingest.ts';
import { type ClaimedCircle, maxCircleAttempts, mostCircles } from './ledger/store-circles.ts';
import type { StoreRefresh } from './ledger/store-refreshes.ts';
import { isOurs } from './open-store-refresh.ts';
import { incompleteCircles, splitDoubted } from './plan/doubted-circles.ts';
import { publishStores } from './publish-stores.ts';
import { consequenceOf } from './queue/consequence.ts';
import { pausedUntil } from './queue/paused-until.ts';
import { readStagedPlaces, stageStores } from './stage/store.ts';

/** Circles claimed at once; a killed process leaves at most this many unfinished. */
const circlesAtOnce = 16;

/**
 * Requests the circles of a refresh, splits those whose answer was cut off, and publishes when all answers are
 * complete. Several processes may work on one refresh. Returns when the refresh is over or must wait; `onPause`
 * receives the reason if this process paused it.
 */
export async function refreshStores(
  context: CrawlContext,
  refreshId: number,
  signal: AbortSignal,
  { onPause, onProgress }: RefreshWatcher = {},
): Promise<void> {
  const { db, clock, log, stores, storeCircles, storeLocator, workerId } = context;
  // Every request in progress adds a listener to the signal.
  setMaxListeners(0, signal);
  while (!signal.aborted) {
    const refresh = await stores.byId(refreshId);
    if (refresh?.status !== 'open' || !isOurs(refresh, context) || isWaiting(refresh, clock.now())) return;
    const claimed = await storeCircles.claim(refreshId, workerId, circlesAtOnce);
    if (claimed.length > 0) {
      // Wait for every circle, even when one fails, so that the group stays claimed until all have finished.
      const outcomes = await Promise.allSettled(claimed.map((circle) => askCircle(context, refreshId, circle, signal)));
      onProgress?.();
      const failed = outcomes.find((outcome) => outcome.status === 'rejected');
      if (failed) throw failed.reason;
      const why = outcomes.flatMap((outcome) =>
        outcome.status === 'fulfilled' && outcome.value ? [outcome.value] : [],
      )[0];
      if (!why) continue;
      log.info({ refresh: refreshId, reason: why.message }, 'the refresh of the stores is paused');
      await stores.pause(refreshId, why.message, pausedUntil(why, clock.now()));
      onPause?.(why);
      return;
    }
    if (await storeCircles.anyOutstanding(refreshId)) {
      await sleep(context.settings.firstRestMs / 4, undefined, { signal }).catch(() => undefined);
      continue;
    }

    const circles = await storeCircles.asked(refreshId);
    const mostBefore = await storeCircles.mostReceivedBefore(refreshId);
    const places = await readStagedPlaces(db, refreshId);
    const splits = circles.length < mostCircles ? splitDoubted(circles, places, { mostBefore }) : [];
    try {
      if (splits.length > 0) await storeCircles.split(refreshId, splits);
      else {
        const incomplete = incompleteCircles(circles, mostBefore);
        const reasons = await reasonsOf(context, refreshId, incomplete.length, circles.length);
        const { areas } = storeLocator;
        const now = clock.now();
        const published = await publishStores(db, { refreshId, areas, reasons, circles: circles.length, now });
        log.info({ refresh: refreshId, ...published }, 'stores refreshed');
      }
    } catch (error) {
      // Another process published or split first.
      if (!(error instanceof LeaseLost)) throw error;
    }
  }
}

interface RefreshWatcher {
  onPause?(why: Error): unknown;
  onProgress?(): void;
}

/** Whether a refresh is paused. */
export const isWaiting = ({ pausedUntil: until }: StoreRefresh, now: Date): boolean => until !== null && until > now;

/**
 * Requests a circle and stages its answer. Returns the error for which the whole refresh must pause; otherwise null.
 */
async function askCircle(
  { db, workerId, ask, ingest, storeCircles, settings }: CrawlContext,
  refreshId: number,
  circle: ClaimedCircle,
  signal: AbortSignal,
): Promise<Error | null> {
  const { centre, radiusMiles, circleNo, lease, attempts } = circle;
  const question = { ...centre, radiusMiles };
  try {
    if (attempts > 1) await sleep(settings.firstRestMs * 2 ** (attempts - 2), undefined, { signal });
    const answer = await ask(storeList, question, null, signal);
    const { sha256: payloadSha256, receivedAt } = answer.payload;
    const mine = { refreshId, circleNo, lease, workerId, centre, endpoint: storeList.name };
    const { records, rejected } = await ingestOne(ingest, storeList, { params: question, answer }, null);
    const { received, stores } = records;
    await stageStores(db, { ...mine, received, stores, rejected, payloadSha256, receivedAt });
    return null;
  } catch (error) {
    const why = error instanceof Error ? error : new Error(String(error));
    const consequence = signal.aborted ? 'wait' : consequenceOf(error);
    switch (consequence) {
      case 'drop':
        return null;
      case 'wait':
        await storeCircles.release(refreshId, circle, false, why.message);
        await sleep(settings.firstRestMs, undefined, { signal }).catch(() => undefined);
        return null;
      case 'pause':
        await storeCircles.release(refreshId, circle, false, why.message);
        return why;
      case 'retry':
      case 'doubt':
      case 'give_up': {
        // The radius may exceed the upstream's maximum; a failed circle is split later.
        const isOver = error instanceof QuestionRefused || attempts >= maxCircleAttempts;
        if (isOver) await storeCircles.fail(refreshId, circle, why.message);
        else await storeCircles.release(refreshId, circle, true, why.message);
        return null;
      }
      case 'bug':
        await storeCircles.release(refreshId, circle, true, why.message).catch(() => undefined);
        throw error;
    }
  }
}

async function reasonsOf(
  { db }: CrawlContext,
  refreshId: number,
  incomplete: number,
  circles: number,
): Promise<string[]> {
  const { rows } = await db.query(
    `select coalesce(sum(rejected), 0)::int as rejected from ops.store_circle where refresh_id = $1`,
    [refreshId],
  );
  const rejected = (rows[0] as { rejected: number }).rejected;
  return [
    ...(incomplete > 0 ? [`${incomplete} of ${circles} circles have no complete answer`] : []),
    ...(rejected > 0 ? [`${rejected} store records could not be read`] : []),
  ];
}
