import type { Clock } from '../../base/clock.ts';
import type { RegionCode } from '../../base/model/index.ts';
import type { Archive } from '../../crawl/archive/archive.ts';
import { createRuns, type Runs } from '../../crawl/ledger/runs.ts';
import type { Database } from '../../db/client.ts';
import type { RegionEndpoints } from '../../source/endpoints/index.ts';
import { emptyStage } from '../empty-stage.ts';
import { forgetSeenKeys } from '../forget-seen-keys.ts';
import type { CertifyNeeds } from '../quality/certify-and-publish.ts';
import { applyReplay, type ForgetFollowing, refuseUnlessLast } from './apply.ts';
import { type Difference, findDifferences } from './differences.ts';
import { countDifferingRows, type DifferingRows, restoreHashes } from './differing-rows.ts';
import { countHealing, type Healing } from './healing.ts';
import { publishReplayed } from './publish-replayed.ts';
import { restageInShadow } from './restage-night.ts';
import { type Part, type ReplayRange, type ReplayScope, readScope } from './scope.ts';
import { dropShadow, holdShadow, openShadow } from './shadow.ts';

export interface ReplayNeeds {
  readonly db: Database;
  readonly clock: Clock;
  readonly archive: Pick<Archive, 'get' | 'getAll'>;
  readonly endpointsOf: Readonly<Record<RegionCode, RegionEndpoints>>;
  readonly settings: CertifyNeeds['settings'];
  readonly forgetFollowing: ForgetFollowing;
}

export interface ReplayRequest extends ReplayRange {
  /** Replace the live history by the result. */
  readonly apply: boolean;
  readonly signal: AbortSignal;
  /** Called after each replayed night; the replay waits for it. */
  onNight?(night: ReplayedNight): void | Promise<void>;
}

/** Figures of a run before and after the replay. */
export interface ReplayedNight {
  readonly runId: number;
  readonly region: RegionCode;
  readonly snapshotDate: string;
  readonly live: Figures;
  readonly replayed: Figures;
}

export interface Figures {
  readonly status: string;
  readonly verdict: string | null;
  readonly productsListed: number | null;
  readonly productsAvailable: number | null;
}

export interface ReplayReport {
  /** Parts that were parsed again; with a held night, both. */
  readonly parts: readonly Part[];
  readonly nights: readonly ReplayedNight[];
  readonly rows: readonly DifferingRows[];
  readonly differences: readonly Difference[];
  readonly healing: Healing;
  readonly isApplied: boolean;
  /** Schema with the replaced rows; null if nothing was replaced. */
  readonly oldCopy: string | null;
}

/**
 * Parses the payloads of a range of nights again, publishes them into a shadow catalogue and reports how it differs
 * from the live one; with `apply`, replaces the live history. Sends no requests. The caller runs the followers. Throws
 * `RunRefused` if the replay is not possible. Steps:
 *
 * 1. readScope (scope.ts): chooses the runs to replay, and refuses those without payloads.
 * 2. openShadow (shadow.ts, rewind.ts): makes a second set of schemas with the catalogue before the first run.
 * 3. restageInShadow (restage-night.ts): parses the payloads of a night and stages them in the shadow.
 * 4. publishReplayed (publish-replayed.ts): certifies and publishes that night there. Steps 3 and 4 repeat by night.
 * 5. countDifferingRows, findDifferences, countHealing: compare the shadow with the live catalogue.
 * 6. applyReplay (apply.ts), with `apply` only: writes the rows that differ, and keeps a copy of the old ones.
 */
export async function replayArchive(needs: ReplayNeeds, request: ReplayRequest): Promise<ReplayReport> {
  const { db, clock, forgetFollowing } = needs;
  return holdShadow(db, async () => {
    const scope = await readScope(db, request);
    if (request.apply) await refuseUnlessLast(db, scope);
    const endpoints = endpointNames(needs, scope);
    try {
      const shadow = await openShadow(db, scope);
      const nights = await replayNights(needs, scope, shadow, request);
      await restoreHashes(db, scope);
      const rows = await countDifferingRows(db, scope);
      const differences = rows.length === 0 ? [] : await findDifferences(db, scope);
      const healing = await countHealing(db, endpoints);
      request.signal.throwIfAborted();
      const oldCopy = request.apply
        ? await applyReplay(db, scope, { endpoints, now: clock.now(), forgetFollowing })
        : null;
      if (request.apply) await tidyUp(needs, scope);
      return { parts: scope.parts, nights, rows, differences, healing, isApplied: request.apply, oldCopy };
    } finally {
      await dropShadow(db);
    }
  });
}

/** Cleans up as after a publication: stage rows of released runs, and seen keys of earlier runs. */
async function tidyUp({ db }: ReplayNeeds, { windows, runs }: ReplayScope): Promise<void> {
  await emptyStage(db);
  for (const { region } of windows) {
    await forgetSeenKeys(db, runs.find((run) => run.region === region)!.runId);
  }
}

/** Stages every night from the archive and publishes it into the shadow, in order. */
async function replayNights(
  { db, clock, archive, endpointsOf, settings }: ReplayNeeds,
  scope: ReplayScope,
  shadow: Database,
  { signal, onNight }: ReplayRequest,
): Promise<ReplayedNight[]> {
  const { parts, runs } = scope;
  const book = { db, archive, endpointsOf };
  const shadowLedger = createRuns(shadow);
  const liveLedger = createRuns(db);
  const nights: ReplayedNight[] = [];
  for (const run of runs) {
    signal.throwIfAborted();
    await restageInShadow(book, shadow, run, parts, signal);
    await publishReplayed({ db, shadow, settings, clock: { now: () => run.finishedAt ?? clock.now() } }, run, scope);
    const { runId, region, snapshotDate } = run;
    const live = await figuresOf(liveLedger, runId);
    // If only details are replayed, certificate and listing stay unchanged.
    const replayed = parts.includes('listing') ? await figuresOf(shadowLedger, runId) : live;
    const night = { runId, region, snapshotDate, live, replayed };
    nights.push(night);
    await onNight?.(night);
  }
  return nights;
}

async function figuresOf(ledger: Pick<Runs, 'byId'>, runId: number): Promise<Figures> {
  const { status, verdict, productsListed, productsAvailable } = await ledger.byId(runId);
  return { status, verdict, productsListed, productsAvailable };
}

function endpointNames({ endpointsOf }: ReplayNeeds, { windows, parts }: ReplayScope): string[] {
  return windows.flatMap(({ region }) => {
    const { taxonomy, categoryPage, productDetails } = endpointsOf[region];
    return [
      ...(parts.includes('listing') ? [taxonomy.name, categoryPage.name] : []),
      ...(parts.includes('detail') ? [productDetails.name] : []),
    ];
  });
}
