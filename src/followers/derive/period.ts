/** What an index has one value for. */
export type Period = 'day' | 'week' | 'month';

export const periods: readonly Period[] = ['day', 'week', 'month'];

/**
 * Periods that are compared with one another at once (GEKS): weeks and months as the ONS and others do, days as in four
 * weeks.
 */
export const windowOf: Readonly<Record<Period, number>> = { day: 29, week: 25, month: 25 };

/** The first day of the period of a date: itself, the Monday of its week, the first of its month. */
export function periodStart(period: Period, date: string): string {
  if (period === 'day') return date;
  if (period === 'month') return `${date.slice(0, 8)}01`;
  const day = Date.parse(`${date}T00:00:00Z`);
  const sinceMonday = (new Date(day).getUTCDay() + 6) % 7;
  return new Date(day - sinceMonday * 86_400_000).toISOString().slice(0, 10);
}
