/** What visits to a product's own page have told. A visit finds a change or none; how many there were in between it does not see. */
export interface VisitHistory {
  /** Visits that found a change. */
  readonly changes: number;
  /** Days between visits of which the later found nothing new, and of which it found a change. */
  readonly quietDays: number;
  readonly changedDays: number;
}

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

/**
 * Changes a day of a product, by its visits and the rate of its category: a Gamma prior around that rate, updated. Where changes
 * were found, an interval of many days that found one may hide more (Cho and Garcia-Molina, TOIT 2003), which the logarithm allows for.
 */
export function changeRate({ changes, quietDays, changedDays }: VisitHistory, categoryRate: number): number {
  const priorDays = priorChanges / categoryRate;
  const perQuietDay = (changes + priorChanges) / (quietDays + priorDays);
  if (changes === 0 || changedDays === 0) return perQuietDay;
  const interval = changedDays / changes;
  return Math.log(1 + perQuietDay * interval) / interval;
}

/** The same of all products of a category together, around the rate of the region. */
export function pooledRate({ changes, quietDays, changedDays }: VisitHistory, around: number): number {
  return (changes + 1) / (quietDays + changedDays + 1 / around);
}

/** How likely a product's details have changed since they were read: by its age, and by what its listing gave away (`hint`: how often such a hint is followed by a change). */
export function chanceOfChange(rate: number, ageDays: number, hint: number): number {
  return 1 - (1 - hint) * Math.exp(-rate * ageDays);
}

/**
 * What a refresh is worth: how much weighted freshness it brings per request (Azar et al., PNAS 2018: at the optimum all are
 * equal). `chance` stands for the age: 1 - e^-x. Fast changers that are stale again at once are worth little.
 */
export function refreshValue(weight: number, rate: number, chance: number): number {
  const stale = Math.min(chance, almostSure);
  const x = -Math.log(1 - stale);
  return (weight / rate) * (stale - x * (1 - stale));
}

const almostSure = 1 - 1e-9;

/** How often a hint was followed by a change, from what visits for it found; `assumed` before there are any. */
export function hintChance({ visits, changes }: { visits: number; changes: number }, assumed: number): number {
  return Math.max(leastChance, (changes + assumed * hintPriorVisits) / (visits + hintPriorVisits));
}

/** Visits that what is assumed of a hint weighs. */
const hintPriorVisits = 20;

/** Of a change of title, brand, code or picture, and of any other one of what a listing shows: how often details change with it. */
export const assumedHint = { tile: 0.5, changed: 0.05 } as const;

/**
 * How many of the oldest have to be refreshed tonight so that, at `perNight` a night, none ever becomes older than `maxAge`: the k
 * oldest need k places among tonight's and those of the nights that the youngest of them still has. No more than `perNight`.
 */
export function urgentCount(agesOldestFirst: readonly number[], perNight: number, maxAge: number): number {
  let due = 0;
  for (const [i, age] of agesOldestFirst.entries()) {
    due = Math.max(due, i + 1 - perNight * Math.max(0, Math.floor(maxAge - age)));
  }
  return Math.max(0, Math.floor(Math.min(due, Math.ceil(perNight))));
}
