/** Billing month of a subscription; `endsAt` is exclusive. */
export interface BillingMonth {
  readonly startsAt: Date;
  readonly endsAt: Date;
}

/**
 * Billing month that contains an instant. It starts at midnight UTC on the subscription's day of the month, or on the
 * last day of shorter months. Without a subscription date it is the calendar month.
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
