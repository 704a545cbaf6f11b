/** Calendar date (`2025-09-22`) of an instant in an IANA time zone. */
export function localDate(instant: Date, timeZone: string): string {
  const parts: Record<string, string> = {};
  for (const { type, value } of calendarOf(timeZone).formatToParts(instant)) parts[type] = value;
  return `${parts['year']?.padStart(4, '0')}-${parts['month']}-${parts['day']}`;
}

const calendars = new Map<string, Intl.DateTimeFormat>();

function calendarOf(timeZone: string): Intl.DateTimeFormat {
  const known = calendars.get(timeZone);
  if (known !== undefined) return known;
  const calendar = new Intl.DateTimeFormat('en-GB', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' });
  calendars.set(timeZone, calendar);
  return calendar;
}
