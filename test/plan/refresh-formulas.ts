import { priorChanges } from '../../src/plan/refresh-value.ts';

// The formulas by which src/ledger/detail-ranking.ts ranks in SQL, for tests to hold it against and to play with.

/** What visits to a product's own page have told. A visit finds a change or none; how many there were in between it does not see. */
export interface VisitHistory {
  /** Visits that found a change. */
  readonly changes: number;
  /** Days between visits of which the later found nothing new, and of which it found a change. */
  readonly quietDays: number;
  readonly changedDays: number;
}

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
