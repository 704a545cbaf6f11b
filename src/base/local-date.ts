/** Calendar date (`2025-09-22`) of an instant in an IANA time zone. */
export function localDate(instant: Date, timeZone: string): string {
  // Sweden writes dates as ISO 8601 does.
  const calendar = calendars.get(timeZone) ?? new Intl.DateTimeFormat('sv-SE', { timeZone });
  calendars.set(timeZone, calendar);
  return calendar.format(instant).padStart('YYYY-MM-DD'.length, '0');
}

const calendars = new Map<string, Intl.DateTimeFormat>();
