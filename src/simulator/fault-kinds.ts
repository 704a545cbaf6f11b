/**
 * All faults by the place where they occur. `answer`: another response. `transport`: failed transmission. `listing`:
 * other contents of a category. `page`: other contents of a page. `element`: products in another form. `tree`: the
 * taxonomy.
 */
export const faultKinds = {
  rate429: 'answer',
  quota429: 'answer',
  auth401: 'answer',
  endpoint401: 'answer',
  forbidden403: 'answer',
  gateway404: 'answer',
  host404: 'answer',
  gateway502: 'answer',
  gateway504: 'answer',
  vendor400: 'answer',
  vendor500: 'answer',
  vendor502: 'answer',
  html502: 'answer',
  html503: 'answer',
  html200: 'answer',
  emptyBody: 'answer',
  quotaText200: 'answer',
  successFalse200: 'answer',
  redirect: 'answer',
  notFound: 'answer',
  graphqlErrors: 'answer',

  truncated: 'transport',
  truncatedClose: 'transport',
  reset: 'transport',
  resetMidBody: 'transport',
  hang: 'transport',
  drip: 'transport',
  slow: 'transport',
  huge: 'transport',
  gzipBomb: 'transport',
  chainedEncodings: 'transport',
  deepJson: 'transport',

  shift: 'listing',
  cap: 'listing',
  tenth: 'listing',
  unlisted: 'listing',
  swappedRegion: 'listing',

  emptyPage: 'page',
  duplicates: 'page',
  missingItems: 'page',
  nullNodes: 'page',
  sponsored: 'page',
  wrongTotal: 'page',

  renamedField: 'element',
  movedField: 'element',
  stringPrice: 'element',
  nullTitle: 'element',
  missingId: 'element',
  numericIds: 'element',
  extraField: 'element',
  badText: 'element',
  pencePrices: 'element',
  negativePrice: 'element',
  conflictingPrice: 'element',

  emptyTaxonomy: 'tree',
  missingCategory: 'tree',
} as const satisfies Record<string, FaultPlace>;

export type FaultPlace = 'answer' | 'transport' | 'listing' | 'page' | 'element' | 'tree';
export type FaultKind = keyof typeof faultKinds;
