import { type RegionCode, regionCodes, type World } from '../../base/model/index.ts';
import type { CrawlContext, CrawlSettings } from '../../crawl/context.ts';
import type { AnyJob } from '../../crawl/queue/define-job.ts';
import type { SimulatorOptions } from '../../simulator/index.ts';
import type { RegionEndpoints } from '../../source/endpoints/index.ts';
import { listings } from '../../source/listings/index.ts';
import type { Config } from '../config.ts';
import { groceryTerms } from './terms.ts';

/** What one command decides about its crawling; the configuration says the rest. */
export interface CrawlerOptions {
  /** Details a scheduled region-night may ask for. */
  readonly maxDetails?: number;
  /** How the simulator is set up where it plays the upstream. */
  readonly simulator?: SimulatorOptions;
  /** The live listing may have moved to another host since it was crawled last. */
  readonly acceptNewHost?: boolean;
  /** How often a command puts what a run needs into the queues again, in case they lost it (15 s). */
  readonly requeueAfterMs?: number;
  /** Rest before a unit's second attempt (1 s). */
  readonly firstRestMs?: number;
  /** What is asked and how answers are read; by default what the program knows. */
  readonly endpointsOf?: Readonly<Record<RegionCode, RegionEndpoints>>;
  /** Whether a night is crawled although its first pages cannot be read as before. */
  readonly despiteDrift?: boolean;
  /** What its workers do; by default everything. */
  readonly jobs?: readonly AnyJob<CrawlContext>[];
}

/** What jobs need to know of the configuration. */
export function settingsOf(
  config: Config,
  { maxDetails = 200, requeueAfterMs = 15_000, firstRestMs = 1_000, despiteDrift = false }: CrawlerOptions = {},
  world: World | null = null,
): CrawlSettings {
  return {
    requestsPerSecond: config.listings.grocery.requestsPerSecond,
    terms: groceryTerms(config),
    assumedProducts: world?.kind === 'simulated' ? world.items : cataloguedProducts / regionCodes.length,
    maxDetails,
    maxAgeDays: config.detailsMaxAgeDays,
    despiteDrift,
    searchKeywords: config.searchKeywords,
    certify: config.certify,
    delist: config.delist,
    requeueAfterMs,
    firstRestMs,
    categoryIdMaxLength: listings.grocery.categoryIdMaxLength!,
  };
}

/** Of both regions: "more than 300,000 items", section 8 of the specification. */
export const cataloguedProducts = 300_000;
