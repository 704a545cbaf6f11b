/** Length of an index period. */
export type Period = 'day' | 'week' | 'month';

export const periods: readonly Period[] = ['day', 'week', 'month'];

/** Window length of GEKS: 25 weeks or months, as used by the ONS and others; four weeks of days. */
export const windowOf: Readonly<Record<Period, number>> = { day: 29, week: 25, month: 25 };

/** First day of a date's period: itself, Monday of its week, first of its month. */
export function periodStart(period: Period, date: string): string {
  if (period === 'day') return date;
  if (period === 'month') return `${date.slice(0, 8)}01`;
  const day = Date.parse(`${date}T00:00:00Z`);
  const sinceMonday = (new Date(day).getUTCDay() + 6) % 7;
  return new Date(day - sinceMonday * 86_400_000).toISOString().slice(0, 10);
}
