import type { Forecast } from '../plan/forecast.ts';
import type { NightBudget } from '../plan/night-budget.ts';
import type { ListingTerms, MonthSoFar } from './quota-left.ts';

/** Note for a used-up quota: no request is sent before the month resets. */
export const usedUp = ({ endsAt }: MonthSoFar): string =>
  `the quota is used up until ${endsAt.toISOString()}: a crawl sends no requests and stops with exit code 75`;

/** Remarks about a plan for the user, one sentence each. */
export function notesOf(
  { requests, assumed }: Forecast,
  budget: NightBudget,
  { left, nightsLeft, perDay, usedToday }: MonthSoFar,
  { units, terms }: { readonly units: number; readonly terms: ListingTerms },
): string[] {
  const notes = [...assumed];
  if (requests.total === 0) return notes;
  if (budget.pages !== null) {
    const aNight = left === null ? Number.POSITIVE_INFINITY : left / Math.max(1, nightsLeft);
    const limits = [
      ...(left === null ? [] : [`the quota leaves ${left} requests for ${nightsLeft} nights`]),
      ...(perDay == null || perDay >= aNight ? [] : [`the limits allow ${perDay} a day`]),
    ];
    notes.push(
      `${limits.join(', ')}, fewer than the category pages need: categories rotate, and such a night is partial`,
    );
  } else if (left !== null && units > left) {
    notes.push(`the quota leaves ${left} requests: the run will wait for the next month`);
  }
  const day = terms.windows.find(({ windowMs }) => windowMs === dayMs);
  if (day && units > day.units - usedToday) {
    notes.push(`${usedToday} of the ${day.units} requests a day are used: the run will wait for the rest`);
  }
  return notes;
}

const dayMs = 86_400_000;
