/** Settings of the catalogue; fixed after start. */
export interface CatalogueOptions {
  /** Products per region; about 0.5% are absent on any day. */
  readonly items: number;
  readonly seed: number;
  /** Number of superDepartments, taken from the start of the tree; 0: all. */
  readonly superDepartments: number;
  /** Mean share of products whose price changes per night. */
  readonly dailyChange: number;
  /** Mean share of products that arrive per night, and that leave for good. */
  readonly dailyTurnover: number;
  /** Share of products missing for a day or two. */
  readonly flicker: number;
  /** Mean share of products per night with a change of their pack or its description. */
  readonly packChanges: number;
  readonly promoted: number;
  readonly unavailable: number;
  /** Share of promotions listed before their start. */
  readonly earlyPromotions: number;
  /** Share of products listed in a second category. */
  readonly secondListing: number;
  /** False: every date shows the same catalogue. */
  readonly evolve: boolean;
}

/** Behaviour of the upstream; changeable at any time. */
export interface Behaviour {
  /** The accepted key; null: any but `unsubscribed`. */
  key: string | null;
  /** Per listing; 0: unlimited. */
  requestsPerSecond: number;
  /** Requests per second tolerated beyond `requestsPerSecond`, because clocks and networks jitter. */
  burst: number;
  /** Per listing in any minute, hour or day; 0: unlimited. */
  requestsPerMinute: number;
  requestsPerHour: number;
  requestsPerDay: number;
  /** Per listing and period; 0: unlimited. */
  monthlyQuota: number;
  /** Length of a quota period. */
  quotaPeriodSeconds: number;
  /** ISO date: quota periods are months of a subscription that began on it; null: periods of `quotaPeriodSeconds`. */
  subscribedOn: string | null;
  /** Units per request by path without slash; 1 by default. */
  weights: Readonly<Record<string, number>>;
  /** Responses that count: all, those below 500 not made by the gateway, or only successes. */
  count: 'all' | 'lt500' | '2xx';
  /** Number of requests by which the remaining header lags. */
  quotaHeaderLag: number;
  pageSize: number;
  /** Maximum number of products shown in a category; 0: all. */
  listingCap: number;
  /** Share of products removed from the range: not listed, and not found by their details. */
  withdrawn: number;
  /** Maximum number of stores in a response, and maximum radius in miles; 0: unlimited. */
  storeCap: number;
  storeRadiusCap: number;
  /** Share of closed stores, and of stores with changed hours. */
  storesClosed: number;
  storesChanged: number;
  ukTaxonomyPath: 'singular' | 'plural';
  taxonomyIds: 'all' | 'leaves';
  ieShape: 'node' | 'bare' | 'wrapped' | 'product' | 'mixed';
  /** `unsized`: total without page size. */
  iePageInformation: 'totalCount' | 'total' | 'unsized' | 'null';
  /** Whether a search has further pages, and the number of the first one. */
  searchPages: 'none' | 'from0' | 'from1';
  /** Whether the property listings have moved: their old hosts are gone. */
  migrated: boolean;
  /** Hosts unknown to the gateway. */
  goneHosts: readonly string[];
  /** Hosts without a subscription. */
  unsubscribedHosts: readonly string[];
  /** Compress responses for clients that accept it. */
  gzip: boolean;
}

export const defaultCatalogue: CatalogueOptions = {
  items: 2000,
  seed: 1,
  superDepartments: 0,
  dailyChange: 0.015,
  dailyTurnover: 0.001,
  flicker: 0.0005,
  packChanges: 0.0005,
  promoted: 0.25,
  unavailable: 0.03,
  earlyPromotions: 0.01,
  secondListing: 0.17,
  evolve: true,
};

export const defaultBehaviour: Behaviour = {
  key: null,
  requestsPerSecond: 0,
  burst: 1,
  requestsPerMinute: 0,
  requestsPerHour: 0,
  requestsPerDay: 0,
  monthlyQuota: 0,
  quotaPeriodSeconds: 2_592_000,
  subscribedOn: null,
  weights: {},
  count: 'lt500',
  quotaHeaderLag: 0,
  pageSize: 24,
  listingCap: 0,
  withdrawn: 0,
  storeCap: 0,
  storeRadiusCap: 0,
  storesClosed: 0,
  storesChanged: 0,
  ukTaxonomyPath: 'singular',
  taxonomyIds: 'all',
  ieShape: 'node',
  iePageInformation: 'totalCount',
  searchPages: 'none',
  migrated: false,
  goneHosts: [],
  unsubscribedHosts: [],
  gzip: false,
};

/** Applies `change` to the behaviour. Throws a `RangeError` that names the first invalid setting. */
export function changeBehaviour(behaviour: Behaviour, change: Readonly<Record<string, unknown>>): void {
  for (const [name, value] of Object.entries(change)) {
    if (!Object.hasOwn(defaultBehaviour, name)) throw new RangeError(`there is no setting "${name}"`);
    const setting = name as keyof Behaviour;
    if (!fits(setting, value)) throw new RangeError(`${name} cannot be ${JSON.stringify(value)}`);
  }
  Object.assign(behaviour, change);
}

const choices: Partial<Record<keyof Behaviour, readonly string[]>> = {
  count: ['all', 'lt500', '2xx'],
  ukTaxonomyPath: ['singular', 'plural'],
  taxonomyIds: ['all', 'leaves'],
  ieShape: ['node', 'bare', 'wrapped', 'product', 'mixed'],
  iePageInformation: ['totalCount', 'total', 'unsized', 'null'],
  searchPages: ['none', 'from0', 'from1'],
};

const shares: ReadonlySet<keyof Behaviour> = new Set(['withdrawn', 'storesClosed', 'storesChanged']);

function fits(setting: keyof Behaviour, value: unknown): boolean {
  if (setting === 'key') return value === null || (typeof value === 'string' && value !== '');
  if (Array.isArray(defaultBehaviour[setting]))
    return Array.isArray(value) && value.every((each) => typeof each === 'string');
  if (setting === 'subscribedOn')
    return value === null || (typeof value === 'string' && /^\d{4}-\d{2}-\d{2}$/.test(value));
  if (setting === 'weights') return isWeights(value);
  if (choices[setting]) return choices[setting].includes(value as string);
  if (typeof defaultBehaviour[setting] === 'boolean') return typeof value === 'boolean';
  if (typeof value !== 'number' || !Number.isFinite(value)) return false;
  if (shares.has(setting)) return value >= 0 && value <= 1;
  return value >= (setting === 'pageSize' ? 1 : 0);
}

function isWeights(value: unknown): boolean {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  return Object.values(value).every((weight) => Number.isInteger(weight) && weight > 0);
}
