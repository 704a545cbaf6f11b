/** What the catalogue is made of. Fixed for a simulator's life. */
export interface CatalogueOptions {
  /** Products per region, about half a percent of them absent on any one day. */
  readonly items: number;
  readonly seed: number;
  /** How many superDepartments there are: the first so many of the whole tree. 0: all. */
  readonly superDepartments: number;
  /** Mean share of products whose price moves in a night. */
  readonly dailyChange: number;
  /** Mean share of products that appear, and as many that leave for good, in a night. */
  readonly dailyTurnover: number;
  /** Share of products missing for a day or two before they come back. */
  readonly flicker: number;
  /** Mean share of products whose pack, or what is said of it, changes in a night. */
  readonly packChanges: number;
  readonly promoted: number;
  readonly unavailable: number;
  /** Share of promotions listed before they start. */
  readonly earlyPromotions: number;
  /** Share of products listed in a second category. */
  readonly secondListing: number;
  /** false: every date shows the same catalogue. */
  readonly evolve: boolean;
}

/** How the upstream behaves. All of it can be changed while it runs. */
export interface Behaviour {
  /** The accepted key; null: any but `unsubscribed`. */
  key: string | null;
  /** Per listing; 0: unlimited. */
  requestsPerSecond: number;
  /** Requests let through on top of `requestsPerSecond` in any one second: clocks and networks jitter. */
  burst: number;
  /** Per listing, in any minute, hour or day; 0: unlimited. */
  requestsPerMinute: number;
  requestsPerHour: number;
  requestsPerDay: number;
  /** Per listing and period; 0: unlimited. */
  monthlyQuota: number;
  /** Until the quota starts again, counted from the start of the period. */
  quotaPeriodSeconds: number;
  /**
   * ISO date: the quota's periods are the months of a subscription that began on it; null: periods of
   * `quotaPeriodSeconds`.
   */
  subscribedOn: string | null;
  /** What a request counts, by the endpoint's path without its slash; 1 where it is not named. */
  weights: Readonly<Record<string, number>>;
  /** Which answers count: all of them, those below 500 that the gateway did not make itself, or only successes. */
  count: 'all' | 'lt500' | '2xx';
  /** How many requests the remaining-header lags behind. */
  quotaHeaderLag: number;
  pageSize: number;
  /** Products a category shows at most, whatever it holds; 0: all. */
  listingCap: number;
  /** Share of the products that the supermarket has taken out of its range: listed nowhere, gone by their own pages. */
  withdrawn: number;
  /**
   * Stores in an answer of the locator at most, and miles beyond which it looks nowhere, whatever radius is asked; 0:
   * no limit.
   */
  storeCap: number;
  storeRadiusCap: number;
  /** Share of the stores that have closed, and of those whose hours are others now. */
  storesClosed: number;
  storesChanged: number;
  ukTaxonomyPath: 'singular' | 'plural';
  taxonomyIds: 'all' | 'leaves';
  ieShape: 'node' | 'bare' | 'wrapped' | 'product' | 'mixed';
  /** `unsized`: the total without the size of a page. */
  iePageInformation: 'totalCount' | 'total' | 'unsized' | 'null';
  /** Whether a search goes on behind its first page, and from which number it counts. */
  searchPages: 'none' | 'from0' | 'from1';
  /** The two property listings have moved: their old hosts are gone. */
  migrated: boolean;
  /** Hosts the gateway does not know, not yet or no longer. */
  goneHosts: readonly string[];
  /** Hosts to which no key is subscribed. */
  unsubscribedHosts: readonly string[];
  /** Compress answers for clients that accept it. */
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

/**
 * Takes from `change` what `defaultBehaviour` knows, or throws a `RangeError` that names the first thing that does not
 * fit.
 */
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
