import { type FaultKind, faultKinds } from '../../src/simulator/fault-kinds.ts';
import type { FaultRule } from '../../src/simulator/fault-rules.ts';
import type { Chance } from '../support/chance.ts';

/** Temporary faults that retries overcome without a trace. One to three kinds at once. */
export function passingFaults(chance: Chance): FaultRule[] {
  return Array.from({ length: chance.whole(1, 3) }, () => passingFault(chance));
}

function passingFault(chance: Chance): FaultRule {
  const kind = chance.pick(passing);
  const burst: FaultRule = chance.happens(0.5)
    ? { kind, after: chance.whole(0, 25), times: chance.whole(1, most[kind] ?? 6) }
    : { kind, probability: 0.1 + chance.number() * 0.3, times: chance.whole(1, most[kind] ?? 8) };
  return { ...burst, ...details[kind]?.(chance) };
}

/** Answers and transmissions that a retry may overcome. */
const passing = (Object.keys(faultKinds) as FaultKind[])
  .filter((kind) => ['answer', 'transport'].includes(faultKinds[kind]))
  .filter((kind) => !['vendor400', 'notFound', 'graphqlErrors'].includes(kind));

/**
 * Of faults that stop the whole run, or take a time limit each, a few are enough. Of some answers the same twice is
 * believed: that a page is HTML, too deep or cut off at this byte, or that a category without a body is empty.
 */
const most: Partial<Record<FaultKind, number>> = {
  truncatedClose: 1,
  emptyBody: 1,
  html200: 1,
  deepJson: 1,
  rate429: 3,
  quota429: 2,
  auth401: 2,
  forbidden403: 2,
  gateway404: 2,
  host404: 2,
  quotaText200: 2,
  redirect: 2,
  hang: 3,
  drip: 3,
  huge: 2,
  gzipBomb: 2,
};

const details: Partial<Record<FaultKind, (chance: Chance) => Partial<FaultRule>>> = {
  rate429: (chance) => withRetryAfter(chance, ['0', '-5', '0.2', 'soon', '']),
  vendor502: (chance) => withRetryAfter(chance, ['0', '-1', 'NaN']),
  redirect: (chance) => ({ status: chance.pick([301, 302, 307, 308]) }),
  slow: (chance) => ({ ms: chance.whole(50, 600) }),
  drip: (chance) => ({ ms: chance.whole(20, 200) }),
  truncated: (chance) => ({ bytes: chance.whole(0, 4_000) }),
  truncatedClose: (chance) => ({ bytes: chance.whole(1, 4_000) }),
  resetMidBody: (chance) => ({ bytes: chance.whole(0, 4_000) }),
};

/** Half of the time without the header. */
function withRetryAfter(chance: Chance, texts: readonly string[]): Partial<FaultRule> {
  return chance.happens(0.5) ? { retryAfter: chance.pick(texts) } : {};
}

/** Faults of category listings for a whole night: the truth is unknown and must not be claimed. */
export function contentFault(chance: Chance, { isFirstNight = false } = {}): FaultRule {
  const kinds = isFirstNight ? moving : [...moving, ...missing];
  return content[chance.pick(kinds)]!(chance);
}

const moving = [
  'shift',
  'duplicates',
  'missingItems',
  'emptyPage',
  'nullNodes',
  'sponsored',
  'wrongTotal',
  'emptyTaxonomy',
  'renamedField',
  'nullTitle',
  'missingId',
  'numericIds',
  'stringPrice',
  'extraField',
] as const;
/** Consistent in themselves: only the nights before betray them. */
const missing = ['cap', 'tenth', 'missingCategory', 'swappedRegion'] as const;

const often = (chance: Chance) => ({ probability: 0.15 + chance.number() * 0.6 });

const content: Readonly<Record<(typeof moving)[number] | (typeof missing)[number], (chance: Chance) => FaultRule>> = {
  shift: (chance) => ({
    kind: 'shift',
    count: chance.whole(1, 6) * (chance.happens(0.5) ? 1 : -1),
    after: chance.whole(1, 3),
  }),
  duplicates: (chance) => ({ kind: 'duplicates', count: chance.whole(1, 6), ...often(chance) }),
  missingItems: (chance) => ({ kind: 'missingItems', count: chance.whole(1, 6), ...often(chance) }),
  emptyPage: (chance) => ({ kind: 'emptyPage', ...often(chance) }),
  nullNodes: (chance) => ({
    kind: 'nullNodes',
    count: chance.whole(1, 3),
    ...often(chance),
    ...(chance.happens(0.5) ? { total: 0 } : {}),
  }),
  sponsored: (chance) => ({ kind: 'sponsored', count: chance.whole(1, 4), ...often(chance) }),
  wrongTotal: (chance) => ({
    kind: 'wrongTotal',
    delta: chance.whole(1, 20),
    ...(chance.happens(0.5) ? often(chance) : {}),
  }),
  emptyTaxonomy: () => ({ kind: 'emptyTaxonomy' }),
  renamedField: (chance) => ({
    kind: 'renamedField',
    field: chance.pick(['title', 'id']),
    to: 'other',
    count: chance.whole(1, 24),
  }),
  nullTitle: (chance) => ({ kind: 'nullTitle', count: chance.whole(1, 24) }),
  missingId: (chance) => ({ kind: 'missingId', count: chance.whole(1, 24) }),
  numericIds: (chance) => ({ kind: 'numericIds', count: chance.whole(1, 24) }),
  stringPrice: (chance) => ({ kind: 'stringPrice', count: chance.whole(1, 24) }),
  extraField: () => ({ kind: 'extraField' }),
  cap: (chance) => ({ kind: 'cap', count: chance.whole(1, 3) * 24 }),
  tenth: () => ({ kind: 'tenth' }),
  missingCategory: (chance) => ({ kind: 'missingCategory', count: chance.whole(1, 2) }),
  swappedRegion: () => ({ kind: 'swappedRegion' }),
};

/** Faults of single products: the program cannot detect them but must stay consistent. */
export function untrueFault(chance: Chance): FaultRule {
  const kind = chance.pick(['badText', 'negativePrice', 'conflictingPrice', 'pencePrices', 'renamedField'] as const);
  return {
    kind,
    count: chance.whole(1, 24),
    ...(kind === 'renamedField' ? { field: chance.pick(['price', 'unitPrice', 'isForSale']), to: 'other' } : {}),
  };
}
