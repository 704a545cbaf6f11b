/**
 * All faults by the place where they occur. `answer`: another response. `transport`: failed transmission. `listing`:
 * other contents of a category. `page`: other contents of a page. `element`: products in another form. `tree`: the
 * taxonomy.
 */
const kinds = {
  answer: [
    ...(['rate429', 'quota429', 'auth401', 'forbidden403', 'gateway404', 'host404'] as const),
    ...(['gateway502', 'gateway504', 'vendor400', 'vendor500', 'vendor502', 'html502', 'html503', 'html200'] as const),
    ...(['emptyBody', 'quotaText200', 'successFalse200', 'redirect', 'notFound', 'graphqlErrors'] as const),
  ],
  transport: [
    ...(['truncated', 'truncatedClose', 'reset', 'resetMidBody', 'hang', 'drip', 'slow', 'huge'] as const),
    ...(['gzipBomb', 'chainedEncodings', 'deepJson'] as const),
  ],
  listing: ['shift', 'cap', 'tenth', 'unlisted', 'swappedRegion'],
  page: ['emptyPage', 'duplicates', 'missingItems', 'nullNodes', 'sponsored', 'wrongTotal'],
  element: [
    ...(['renamedField', 'movedField', 'stringPrice', 'nullTitle', 'missingId', 'numericIds', 'extraField'] as const),
    ...(['badText', 'pencePrices', 'negativePrice', 'conflictingPrice'] as const),
  ],
  tree: ['emptyTaxonomy', 'missingCategory'],
} as const;

export type FaultPlace = keyof typeof kinds;
export type FaultKind = (typeof kinds)[FaultPlace][number];

export const faultKinds = Object.fromEntries(
  Object.entries(kinds).flatMap(([place, named]) => named.map((kind) => [kind, place])),
) as Readonly<Record<FaultKind, FaultPlace>>;
