import { z } from 'zod';

const share = z.number().min(0).max(1);
const amount = z.number().min(0);
const names = z.array(z.string()).readonly();

/** Settings of the catalogue; fixed after start. */
export const CatalogueOptions = z.object({
  /** Products per region; about 0.5% are absent on any day. */
  items: amount.default(2000),
  seed: amount.default(1),
  /** Number of superDepartments, taken from the start of the tree; 0: all. */
  superDepartments: amount.default(0),
  /** Mean share of products whose regular price changes per night, staples, offers, seasons and clearances apart. */
  dailyChange: share.default(0.0045),
  /** Mean share of products that arrive per night, and that leave for good. */
  dailyTurnover: share.default(0.001),
  /** Share of products missing for a day or two. */
  flicker: share.default(0.0005),
  /** Mean share of products per night with a change of their pack or its description. */
  packChanges: share.default(0.0001),
  /** Mean share of products on offer; more are before Christmas and Easter. */
  promoted: share.default(0.1),
  unavailable: share.default(0.03),
  /** Share of promotions listed before their start. */
  earlyPromotions: share.default(0.01),
  /** Share of titles with accents that are read in the wrong character set. */
  garbled: share.default(0),
  /** Share of the suitable products that are listed in a second category. */
  secondListing: share.default(0.3),
  /** False: every date shows the same catalogue. */
  evolve: z.boolean().default(true),
});
export type CatalogueOptions = Readonly<z.infer<typeof CatalogueOptions>>;

/** Behaviour of the upstream; changeable at any time. */
export const Behaviour = z.object({
  /** The accepted key; null: any but `unsubscribed`. */
  key: z.string().min(1).nullable().default(null),
  /** Per listing; 0: unlimited. */
  requestsPerSecond: amount.default(0),
  /** Requests per second tolerated beyond `requestsPerSecond`, because clocks and networks jitter. */
  burst: amount.default(1),
  /** Per listing in any minute, hour or day; 0: unlimited. */
  requestsPerMinute: amount.default(0),
  requestsPerHour: amount.default(0),
  requestsPerDay: amount.default(0),
  /** Per listing and period; 0: unlimited. */
  monthlyQuota: amount.default(0),
  /** ISO date: quota periods are months of a subscription that began on it; null: periods of 30 days. */
  subscribedOn: z.iso.date().nullable().default(null),
  /** Responses that count: all, those below 500 not made by the gateway, or only successes. */
  count: z.enum(['all', 'lt500', '2xx']).default('lt500'),
  /** Number of requests by which the remaining header lags. */
  quotaHeaderLag: amount.default(0),
  pageSize: z.number().min(1).default(24),
  /** Maximum number of products shown in a category; 0: all. */
  listingCap: amount.default(0),
  /** Share of products removed from the range: not listed, and not found by their details. */
  withdrawn: share.default(0),
  /** Maximum number of stores in a response, and maximum radius in miles; 0: unlimited. */
  storeCap: amount.default(0),
  storeRadiusCap: amount.default(0),
  /** Share of closed stores, and of stores with changed hours. */
  storesClosed: share.default(0),
  storesChanged: share.default(0),
  ukTaxonomyPath: z.enum(['singular', 'plural']).default('singular'),
  taxonomyIds: z.enum(['all', 'leaves']).default('all'),
  ieShape: z.enum(['node', 'bare', 'wrapped', 'product', 'mixed']).default('node'),
  /** `unsized`: total without page size. */
  iePageInformation: z.enum(['totalCount', 'total', 'unsized', 'null']).default('totalCount'),
  /** Whether a search has further pages, and the number of the first one. */
  searchPages: z.enum(['none', 'from0', 'from1']).default('none'),
  /** Whether the property listings have moved: their old hosts are gone. */
  migrated: z.boolean().default(false),
  /** Hosts unknown to the gateway. */
  goneHosts: names.default([]),
  /** Hosts without a subscription. */
  unsubscribedHosts: names.default([]),
  /** Compress responses for clients that accept it. */
  gzip: z.boolean().default(false),
});
export type Behaviour = z.infer<typeof Behaviour>;

export const defaultCatalogue: CatalogueOptions = CatalogueOptions.parse({});
export const defaultBehaviour: Readonly<Behaviour> = Behaviour.parse({});

/** Settings with their defaults. Throws a `RangeError` that names the first invalid one. */
export function readSettings<Shape extends z.ZodRawShape>(settings: z.ZodObject<Shape>, given: object) {
  const { data, error } = settings.safeParse(given);
  if (!error) return data;
  const [issue] = error.issues;
  if (issue?.code === 'unrecognized_keys') throw new RangeError(`there is no setting "${issue.keys[0]}"`);
  const name = String(issue?.path[0]);
  throw new RangeError(`${name} cannot be ${JSON.stringify((given as Record<string, unknown>)[name])}`);
}

/** Applies `change` to the behaviour. Throws a `RangeError` that names the first invalid setting. */
export function changeBehaviour(behaviour: Behaviour, change: object): void {
  Object.assign(behaviour, readSettings(Behaviour.strict(), { ...behaviour, ...change }));
}
