/** Changes a day before anything is known. */
export const assumedRate = 1 / 120;

/** How much a category's rate weighs against a product's own visits: as if that share of a change had been seen. Rates differ by a factor of e^1.5 or so between products; a Gamma distribution of this shape spreads as wide. */
export const priorChanges = 0.75;

/** A refresh that finds nothing in 99 of 100 cases is not worth a request. */
export const leastChance = 0.01;
/** Share of a night's details that goes to products of which little is known. */
export const explorationShare = 0.05;
/** Share that is asked by chance alone, to learn what the plan misses. */
export const auditShare = 0.02;
/** A product with fewer visits is worth exploring: its own rate is hardly known. */
export const fewVisits = 5;
/** Share of a night's refreshes that keeping the maximum age may take, as long as that is enough. */
export const urgentShare = 0.5;

/** How often a hint was followed by a change, from what visits for it found; `assumed` before there are any. */
export function hintChance({ visits, changes }: { visits: number; changes: number }, assumed: number): number {
  return Math.max(leastChance, (changes + assumed * hintPriorVisits) / (visits + hintPriorVisits));
}

/** Visits that what is assumed of a hint weighs. */
const hintPriorVisits = 20;

/** Of a change of title, brand, code or picture, and of any other one of what a listing shows: how often details change with it. */
export const assumedHint = { tile: 0.5, changed: 0.05 } as const;
