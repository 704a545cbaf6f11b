import type { Clock } from '../base/clock.ts';
import type { Log } from '../base/log.ts';
import type { Measure } from '../base/metrics/measure.ts';
import type { ListingName, RegionCode } from '../base/model/index.ts';
import type { Database } from '../db/client.ts';
import type { Answer } from '../gateway/gateway.ts';
import type { Endpoint, RegionEndpoints } from '../source/endpoints/index.ts';
import type { Pruned } from './archive/prune.ts';
import type { Ingest } from './ingest.ts';
import type { createLeaving, LeaveListener } from './leave-run.ts';
import type { Area } from './plan/area.ts';
import type { Queues } from './queue/open-queues.ts';
import type { NightTimes } from './run/night-time.ts';
import type { ListingTerms } from './run/quota-left.ts';
import type { Run, Runs } from './run/runs.ts';
import type { WorkerLife } from './workers.ts';

/** Dependencies of crawling. Every job receives all of them; shared functions take a subset. */
export interface CrawlContext {
  readonly db: Database;
  readonly clock: Clock;
  readonly log: Log;
  readonly measure: Measure;
  /** This process as a worker. */
  readonly worker: WorkerLife;
  readonly runs: Runs;
  /** The run, if it is open. Every job begins with it; the simulator then serves the run's date. */
  openRun(runId: number): Promise<Run | null>;
  readonly storeLocator: StoreLocator;
  readonly queues: Queues<CrawlContext>;
  readonly settings: CrawlSettings;
  /** Endpoints of each region. */
  readonly endpointsOf: Readonly<Record<RegionCode, RegionEndpoints>>;
  /** Maximum number of concurrent requests, including answers that are not staged yet. */
  readonly concurrency: number;
  /** Sends one request on behalf of a run. */
  ask<Params>(
    endpoint: Endpoint<Params, unknown>,
    params: Params,
    runId: number | null,
    signal: AbortSignal,
    /** Ends only the wait for permission. */
    waiting?: AbortSignal,
  ): Promise<Answer>;
  /** Writes the request counts that this process has collected, and gives back permissions that nothing waits for. */
  writeSpend(): Promise<void>;
  /** Fingerprint of the key that is configured for a listing. */
  keyOf(listing: ListingName): string;
  /** Current host of a listing. */
  hostOf(listing: ListingName): Promise<string>;
  /** Listings to probe: all configured ones. */
  readonly probedListings: readonly ListingName[];
  readonly ingest: Ingest;
  /** Deletes archived payloads that are past their retention. */
  prune(): Promise<Pruned>;
  /** Fields that the run's first pages no longer contain, or contain in another form. */
  findBreakingDrift(
    run: Pick<Run, 'runId' | 'region' | 'snapshotDate'>,
  ): Promise<readonly { readonly path: string; readonly said: string }[]>;
  /** Followers of published nights. */
  readonly followers: { isAnythingOwed(): Promise<boolean>; follow(signal: AbortSignal): Promise<void> };
  /** Sends alerts; null if no receiver is configured. */
  readonly alerts: ((signal: AbortSignal) => Promise<void>) | null;
  /** Enqueues the run's next step. */
  dispatch(runId: number): Promise<void>;
  /** Notifies listeners why a run ended abnormally, or this process has left it. */
  tell: LeaveListener;
  /** Ends this process's work on a run after an error of one of its steps. */
  leave: ReturnType<typeof createLeaving>['leave'];
}

/** The store locator as configured for this process. */
interface StoreLocator {
  /** False if STORES_BASE_URL is not set; then stores are not crawled. */
  readonly isConfigured: boolean;
  readonly areas: readonly Area[];
  /** STORE_AREAS in canonical form. */
  readonly areasText: string;
  /** Description of the upstream: a simulator, or the listing with its address. */
  readonly upstream: string;
}

export interface CrawlSettings {
  /** Regions that are crawled. */
  readonly regions: readonly RegionCode[];
  /** Local time at which a region's night begins. */
  readonly nightAt: NightTimes;
  /** Requests per second that the grocery listing allows; 0 is unlimited. */
  readonly requestsPerSecond: number;
  /** Limits and prices of the listing. */
  readonly terms: ListingTerms;
  /** Assumed number of products of a region before its first night. */
  readonly assumedProducts: number;
  /** Maximum number of product details that a scheduled run requests for a region. */
  readonly maxDetails: number;
  /** Maximum age of product details in days, as far as the limits allow. */
  readonly maxAgeDays: number;
  /** Crawl the night even if its first pages have drifted from the contract. */
  readonly despiteDrift: boolean;
  /** Keywords to search every night. */
  readonly searchKeywords: readonly string[];
  /** Tolerated shortfall against declared totals, and tolerated loss against the night before; shares of 1. */
  readonly certify: { readonly tolerance: number; readonly maxDrop: number };
  /** Number of consecutive certified nights without a product after which it is delisted. */
  readonly delistAfter: number;
  /** Interval at which a command enqueues a run's work again, in case the queue lost it. */
  readonly requeueAfterMs: number;
  /** Delay before a unit's second attempt. It grows with each further attempt to outlast an outage. */
  readonly firstRestMs: number;
  /** Longest category id that the region's category page accepts (src/source/listings/index.ts). */
  readonly categoryIdMaxLength: Readonly<Record<RegionCode, number>>;
}
