import { setMaxListeners } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { LeaseLost, QuestionRefused } from '../base/errors.ts';
import { storeList } from '../source/endpoints/index.ts';
import { consequenceOf } from './consequence.ts';
import type { CrawlContext } from './context.ts';
import { ingestOne } from './ingest.ts';
import {
  askedCircle,
  plannedCircle,
  type SearchedCircle,
  type StoreRefresh,
  type TakenRefresh,
} from './ledger/store-refreshes.ts';
import { isOurs } from './open-store-refresh.ts';
import { incompleteCircles, type Split, splitDoubted } from './plan/doubted-circles.ts';
import { circleAround } from './plan/store-cover.ts';
import { publishStores } from './publish-stores.ts';
import { pausedUntil } from './queue/paused-until.ts';
import { perMile, type ReadCircle, readStagedPlaces, stageStores } from './stage/store.ts';

/** Circles requested at once; a killed process repeats at most this many. */
const circlesAtOnce = 16;

/** Maximum attempts per circle before the refresh continues without its answer. */
const maxCircleAttempts = 3;

/** Maximum circles per refresh, in case the upstream's answers never agree. */
const mostCircles = 4_000;

/**
 * Requests the circles of a refresh, splits those whose answer was cut off, and publishes when all answers are
 * complete. One process at a time works on a refresh; others wait, and continue if it dies. Returns when the refresh is
 * over or must wait; `onPause` receives the reason if this process paused it.
 */
export async function refreshStores(
  context: CrawlContext,
  refreshId: number,
  signal: AbortSignal,
  { onPause, onProgress }: RefreshWatcher = {},
): Promise<void> {
  const { clock, log, stores, settings, workerId } = context;
  // Every request in progress adds a listener to the signal.
  setMaxListeners(0, signal);
  try {
    while (!signal.aborted) {
      const refresh = await stores.byId(refreshId);
      if (refresh?.status !== 'open' || !isOurs(refresh, context) || isRefreshPaused(refresh, clock.now())) return;
      const taken = await stores.take(refreshId, workerId);
      if (!taken) {
        await sleep(settings.firstRestMs, undefined, { signal }).catch(() => undefined);
        continue;
      }
      const why = await advance(context, taken, signal).catch((error: unknown) => {
        // Another process has taken the refresh meanwhile.
        if (error instanceof LeaseLost) return null;
        throw error;
      });
      onProgress?.();
      if (!why) continue;
      log.info({ refresh: refreshId, reason: why.message }, 'the refresh of the stores is paused');
      await stores.pause(refreshId, why.message, pausedUntil(why, clock.now()));
      onPause?.(why);
      return;
    }
  } finally {
    // If the database is away, the refresh becomes free when this worker's heartbeat ends.
    await stores.leave(refreshId, workerId).catch(() => undefined);
  }
}

interface RefreshWatcher {
  onPause?(why: Error): unknown;
  onProgress?(): void;
}

/** Whether a refresh is paused. */
export const isRefreshPaused = ({ pausedUntil: until }: StoreRefresh, now: Date): boolean =>
  until !== null && until > now;

/** Takes the next step of a refresh. Returns the error for which it must pause; otherwise null. */
async function advance(context: CrawlContext, taken: TakenRefresh, signal: AbortSignal): Promise<Error | null> {
  const { db, clock, log, stores, storeLocator } = context;
  const { refreshId, circles } = taken;
  const planned = circles.filter(({ state }) => state === 'planned').slice(0, circlesAtOnce);
  if (planned.length > 0) return askCircles(context, taken, planned, signal);

  const asked = circles.map(askedCircle);
  const mostBefore = await stores.mostReceivedBefore(refreshId);
  const places = await readStagedPlaces(db, refreshId);
  const splits = circles.length < mostCircles ? splitDoubted(asked, places, { mostBefore }) : [];
  if (splits.length > 0) {
    await stageStores(db, taken, { circles: withParts(circles, splits), reads: [] });
    return null;
  }
  const reasons = reasonsOf(circles, incompleteCircles(asked, mostBefore).length);
  const published = await publishStores(db, { refresh: taken, areas: storeLocator.areas, reasons, now: clock.now() });
  log.info({ refresh: refreshId, ...published }, 'stores refreshed');
  return null;
}

/** Marks split circles and plans their parts behind all others. */
function withParts(circles: readonly SearchedCircle[], splits: readonly Split[]): SearchedCircle[] {
  const doubtOf = new Map(splits.map(({ circle, doubt }) => [circle.circleNo, doubt]));
  const marked = circles.map((circle) => ({ ...circle, splitFor: doubtOf.get(circle.circleNo) ?? circle.splitFor }));
  const parts = splits.flatMap(({ circle, parts }) => parts.map((part) => ({ part, parentNo: circle.circleNo })));
  return [...marked, ...parts.map(({ part, parentNo }, i) => plannedCircle(part, circles.length + i + 1, parentNo))];
}

/** Requests circles and stages their answers. Returns the error for which the refresh must pause; otherwise null. */
async function askCircles(
  context: CrawlContext,
  taken: TakenRefresh,
  planned: readonly SearchedCircle[],
  signal: AbortSignal,
): Promise<Error | null> {
  // Wait for every circle, even when one fails, so that no answer is lost.
  const outcomes = await Promise.allSettled(planned.map((circle) => askCircle(context, circle, signal)));
  const results = outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value] : []));
  const settled = new Map(results.flatMap(({ circle }) => (circle ? [[circle.circleNo, circle] as const] : [])));
  const circles = taken.circles.map((circle) => settled.get(circle.circleNo) ?? circle);
  await stageStores(context.db, taken, { circles, reads: results.flatMap(({ read }) => read ?? []) });
  const failed = outcomes.find((outcome) => outcome.status === 'rejected');
  if (failed) throw failed.reason;
  return results.find(({ pause }) => pause)?.pause ?? null;
}

interface CircleOutcome {
  /** The circle, answered or failed; missing: it stays planned. */
  readonly circle?: SearchedCircle;
  readonly read?: ReadCircle;
  /** The error for which the whole refresh must pause. */
  readonly pause?: Error;
}

/** Requests a circle, several times if that may help. */
async function askCircle(
  { ask, ingest, settings }: CrawlContext,
  circle: SearchedCircle,
  signal: AbortSignal,
): Promise<CircleOutcome> {
  const { centre, radiusMiles } = circleAround(circle.cell);
  const question = { ...centre, radiusMiles };
  for (let attempt = 1; ; attempt += 1) {
    try {
      if (attempt > 1) await sleep(settings.firstRestMs * 2 ** (attempt - 2), undefined, { signal });
      const answer = await ask(storeList, question, null, signal);
      const { records, rejected } = await ingestOne(ingest, storeList, { params: question, answer }, null);
      const { received, stores } = records;
      const { sha256: payloadSha256, receivedAt } = answer.payload;
      const storeIds = stores.map(({ store }) => store.storeId).sort();
      const found = { received, rejected: rejected.length, storeIds, distancePerMile: perMile(centre, stores) };
      return {
        circle: { ...circle, ...found, state: 'done' },
        read: { circleNo: circle.circleNo, stores, rejected, payloadSha256, receivedAt },
      };
    } catch (error) {
      const consequence = signal.aborted ? 'wait' : consequenceOf(error);
      if (consequence === 'pause') return { pause: error instanceof Error ? error : new Error(String(error)) };
      if (consequence === 'bug') throw error;
      if (consequence === 'wait' || consequence === 'drop') {
        await sleep(settings.firstRestMs, undefined, { signal }).catch(() => undefined);
        return {};
      }
      // The radius may exceed the upstream's maximum; a failed circle is split later.
      if (error instanceof QuestionRefused || attempt >= maxCircleAttempts)
        return { circle: { ...circle, state: 'failed' } };
    }
  }
}

function reasonsOf(circles: readonly SearchedCircle[], incomplete: number): string[] {
  const rejected = circles.reduce((sum, circle) => sum + circle.rejected, 0);
  return [
    ...(incomplete > 0 ? [`${incomplete} of ${circles.length} circles have no complete answer`] : []),
    ...(rejected > 0 ? [`${rejected} store records could not be read`] : []),
  ];
}
