import { type ClockKind, describeWorld, type RegionCode, regionCodes, type World } from '../../base/model/index.ts';
import type { CrawlContext, CrawlSettings } from '../../crawl/context.ts';
import type { AnyJob } from '../../crawl/queue/define-job.ts';
import type { ListingTerms } from '../../crawl/run/quota-left.ts';
import type { SimulatorOptions } from '../../simulator/index.ts';
import type { RegionEndpoints } from '../../source/endpoints/index.ts';
import { listings } from '../../source/listings/index.ts';
import type { Config } from '../config.ts';

/** Settings of one command; everything else comes from the configuration. */
export interface CrawlerOptions {
  /** Maximum number of details per scheduled night and region. */
  readonly maxDetails?: number;
  /** Options of the simulator. */
  readonly simulator?: SimulatorOptions;
  /** Kind of clock of the database, if it is not that of the process: past nights are played into a book of `start`. */
  readonly clock?: ClockKind;
  /** Accepts that the live listing has moved to another host since the last crawl. */
  readonly acceptNewHost?: boolean;
  /** Interval at which a command enqueues lost jobs of a run again (15 s). */
  readonly requeueAfterMs?: number;
  /** Backoff before a unit's second attempt (1 s). */
  readonly firstRestMs?: number;
  /** Endpoints by region; by default the registered ones. */
  readonly endpointsOf?: Readonly<Record<RegionCode, RegionEndpoints>>;
  /** Whether to crawl although the first pages cannot be parsed as before. */
  readonly despiteDrift?: boolean;
  /** Jobs run by the workers; by default all. */
  readonly jobs?: readonly AnyJob<CrawlContext>[];
}

/** Settings of jobs, from the configuration and the command's options. */
export function settingsOf(
  config: Config,
  { maxDetails = 200, requeueAfterMs = 15_000, firstRestMs = 1_000, despiteDrift = false }: CrawlerOptions = {},
  world: World | null = null,
): CrawlSettings {
  return {
    regions: config.regions,
    nightAt: config.nightAt,
    requestsPerSecond: config.listings.grocery.requestsPerSecond,
    terms: groceryTerms(config),
    assumedProducts: world?.kind === 'simulated' ? world.items : cataloguedProducts / regionCodes.length,
    maxDetails,
    maxAgeDays: 90,
    despiteDrift,
    searchKeywords: config.searchKeywords,
    certify: config.certify,
    delistAfter: config.delistAfter,
    requeueAfterMs,
    firstRestMs,
    categoryIdMaxLength: listings.grocery.categoryIdMaxLength!,
  };
}

export function storeLocatorOf(
  { storeAreas, listings: { stores } }: Config,
  world: World,
): CrawlContext['storeLocator'] {
  return {
    isConfigured: stores.baseUrl !== null,
    areas: storeAreas.areas,
    areasText: storeAreas.text,
    upstream: world.kind === 'simulated' ? describeWorld(world) : `stores at ${stores.baseUrl}, host ${stores.host}`,
  };
}

/** Both regions together: "more than 300,000 items", section 8 of the specification. */
const cataloguedProducts = 300_000;

/** Limits and price of the grocery listing. */
export function groceryTerms({ listings: configured, upstream }: Pick<Config, 'listings' | 'upstream'>): ListingTerms {
  const { requestsPerSecond, monthlyQuota, windows, subscription, local, key } = configured.grocery;
  return {
    listing: 'grocery',
    key,
    requestsPerSecond,
    monthlyQuota,
    windows,
    subscription,
    isFree: (upstream === 'simulator' || local) && subscription.plan === null,
  };
}
