/** A month as a subscription counts it: `endsAt` is the first instant after it. */
export interface BillingMonth {
  readonly startsAt: Date;
  readonly endsAt: Date;
}

/**
 * The month of a subscription that holds an instant. It begins on the day of the month on which the subscription began,
 * at midnight UTC; in a month without that day, on its last. Without that day it is the calendar month.
 */
export function billingMonth(subscribedOn: string | null, instant: Date): BillingMonth {
  const day = subscribedOn === null ? 1 : Number(subscribedOn.slice(8, 10));
  const year = instant.getUTCFullYear();
  const month = instant.getUTCMonth();
  const turn = turnOf(year, month, day);
  return instant < turn
    ? { startsAt: turnOf(year, month - 1, day), endsAt: turn }
    : { startsAt: turn, endsAt: turnOf(year, month + 1, day) };
}

function turnOf(year: number, month: number, day: number): Date {
  const lastDay = new Date(Date.UTC(year, month + 1, 0)).getUTCDate();
  return new Date(Date.UTC(year, month, Math.min(day, lastDay)));
}
