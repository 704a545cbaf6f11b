/**
 * Parses an ISO 8601 instant with offset (`2025-09-21T23:00:00Z`); null for other text, dates without time and invalid
 * dates.
 */
export function readPromotionInstant(value: unknown): Date | null {
  if (typeof value !== 'string' || value.length > 35) return null;
  const match = /^(\d{4})-(\d\d)-(\d\d)T\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:Z|[+-]\d\d:?\d\d)$/.exec(value.trim());
  if (match === null) return null;
  if (!isCalendarDay(Number(match[1]), Number(match[2]), Number(match[3]))) return null;
  const instant = new Date(value.trim());
  return Number.isNaN(instant.getTime()) ? null : instant;
}

function isCalendarDay(year: number, month: number, day: number): boolean {
  if (year < 1970 || month < 1 || month > 12 || day < 1) return false;
  return day <= new Date(Date.UTC(year, month, 0)).getUTCDate();
}
