import type { Clock } from '../base/clock.ts';
import type { Log } from '../base/log.ts';
import type { Measure } from '../base/metrics/measure.ts';
import type { ClockKind, ListingName, RegionCode } from '../base/model/index.ts';
import type { Database } from '../db/client.ts';
import type { Answer } from '../gateway/gateway.ts';
import type { Endpoint, RegionEndpoints } from '../source/endpoints/index.ts';
import type { Pruned } from './archive/prune.ts';
import type { Ingest } from './ingest.ts';
import type { Details } from './ledger/details.ts';
import type { KeywordSearches } from './ledger/keyword-searches.ts';
import type { Ownership } from './ledger/ownership.ts';
import type { Pages } from './ledger/pages.ts';
import type { Run, Runs } from './ledger/runs.ts';
import type { StoreCircles } from './ledger/store-circles.ts';
import type { StoreRefreshes } from './ledger/store-refreshes.ts';
import type { Area } from './plan/area.ts';
import type { Queues } from './queue/open-queues.ts';
import type { ListingTerms } from './status/quota-left.ts';

/** What crawling works with: every job receives it, and what jobs share takes what it needs of it. */
export interface CrawlContext {
  readonly db: Database;
  readonly clock: Clock;
  readonly log: Log;
  readonly measure: Measure;
  readonly workerId: string;
  readonly runs: Runs;
  /** Which runs this process works on. */
  readonly ownership: Ownership;
  readonly pages: Pages;
  readonly details: Details;
  readonly stores: StoreRefreshes;
  readonly storeCircles: StoreCircles;
  readonly storeLocator: StoreLocator;
  readonly searches: KeywordSearches;
  readonly queues: Queues<CrawlContext>;
  readonly settings: CrawlSettings;
  /** What each region is asked, and what its answers mean. */
  readonly endpointsOf: Readonly<Record<RegionCode, RegionEndpoints>>;
  /** Requests that may be in flight at once, answers that are not stored included. */
  readonly concurrency: number;
  /** Runs for which this process is asking whether the upstream is there. */
  readonly healthProbes: Map<number, Promise<boolean>>;
  /** Asks an endpoint on behalf of a run; as a `health-probe`, something it has answered before. */
  ask<Params>(
    endpoint: Endpoint<Params, unknown>,
    params: Params,
    runId: number | null,
    signal: AbortSignal,
    as?: 'health-probe',
  ): Promise<Answer>;
  /** Writes the counts of requests that this process has gathered so far. */
  writeSpend(): Promise<void>;
  /** The host a listing is asked at now. */
  hostOf(listing: ListingName): Promise<string>;
  /** Asks old hosts of listings that moved whether they are still subscribed, and so billed. */
  askReplacedHosts(signal: AbortSignal): Promise<void>;
  /** Listings that are probed: those that are configured. */
  readonly probedListings: readonly ListingName[];
  readonly ingest: Ingest;
  /** The run, while it is open and ours and this process may ask something for it. */
  takeToAsk(runId: number): Promise<Run | null>;
  /** Forgets archived payloads that are too old. */
  prune(): Promise<Pruned>;
  /** What of the first pages of a run is read no more, or wrongly. */
  findBreakingDrift(
    run: Pick<Run, 'runId' | 'region' | 'snapshotDate'>,
  ): Promise<readonly { readonly path: string; readonly said: string }[]>;
  /** What follows nights. */
  readonly followers: { isAnythingOwed(): Promise<boolean>; follow(signal: AbortSignal): Promise<void> };
  /** Tells a webhook what a person should know of; null where none is configured. */
  readonly alerts: { look(signal: AbortSignal): Promise<void> } | null;
  /** Puts the run's next step into the queues. */
  dispatch(runId: number): Promise<void>;
  /** Stops a run that is asking, or finishing, for a reason a person should know, for as long as that asks for. */
  pause(runId: number, why: Error, during?: 'asking' | 'finishing'): Promise<void>;
  /** Tells whoever waits for a run why it ended otherwise than it should. */
  tell(runId: number, why: Error): void;
  /** Lets a run rest after a failure nobody expected, longer each time. */
  rest(run: Pick<Run, 'runId' | 'epoch' | 'region' | 'snapshotDate'>, why: Error): Promise<void>;
  /** The run as it is staged against what is published now: if that has changed, staged again from the archive. */
  stagedOnBase(run: Run, signal: AbortSignal): Promise<Run>;
}

/** The store locator as this process asks it. */
interface StoreLocator {
  /** False: STORES_BASE_URL is not set, so stores are not crawled. */
  readonly isConfigured: boolean;
  readonly areas: readonly Area[];
  /** STORE_AREAS in one way of writing it. */
  readonly areasText: string;
  /** In words: a simulator, or the listing at its address. */
  readonly upstream: string;
  readonly clockKind: ClockKind;
}

export interface CrawlSettings {
  /** Requests a second the grocery listing allows; 0 is unlimited. */
  readonly requestsPerSecond: number;
  /** What the listing allows and costs. */
  readonly terms: ListingTerms;
  /** Products that a region is taken to list before its first night. */
  readonly assumedProducts: number;
  /** Details a region's scheduled run may ask for. */
  readonly maxDetails: number;
  /** Details become no older than so many days, as long as the limits allow. */
  readonly maxAgeDays: number;
  /** A night is crawled although its first pages cannot be read as before. */
  readonly despiteDrift: boolean;
  /** Searched every night. */
  readonly searchKeywords: readonly string[];
  /** How much a certified night may fall short of what is declared, and lose of what is listed; shares of 1. */
  readonly certify: { readonly tolerance: number; readonly maxDrop: number };
  /**
   * Certified nights in a row without a product after which it is delisted, and whether its own page is asked first.
   */
  readonly delist: { readonly after: number; readonly isConfirmed: boolean };
  /** How often a command puts what a run needs into the queues again, in case they lost it. */
  readonly requeueAfterMs: number;
  /**
   * Before a unit's second attempt; longer before each further one, so that they outlast a passing trouble of the
   * upstream.
   */
  readonly firstRestMs: number;
  /** Longest category id an endpoint accepts (payloads.md, sections 2.5 and 2.6). */
  readonly categoryIdMaxLength: Readonly<Record<RegionCode, number>>;
}
