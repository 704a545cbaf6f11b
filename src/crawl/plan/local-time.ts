/** Local hour and minute in `timeZone` at an instant. */
export function localTime(instant: Date, timeZone: string): { readonly hour: number; readonly minute: number } {
  const parts = formatOf(timeZone).formatToParts(instant);
  const read = (type: string): number => Number(parts.find((part) => part.type === type)?.value);
  return { hour: read('hour'), minute: read('minute') };
}

/** Calendar dates after `from` and before `to` (both `YYYY-MM-DD`, exclusive). */
export function datesBetween(from: string, to: string): string[] {
  const dates: string[] = [];
  for (let day = Date.parse(`${from}T00:00:00Z`) + dayMs; day < Date.parse(`${to}T00:00:00Z`); day += dayMs) {
    dates.push(new Date(day).toISOString().slice(0, 10));
  }
  return dates;
}

const dayMs = 86_400_000;
const formats = new Map<string, Intl.DateTimeFormat>();

function formatOf(timeZone: string): Intl.DateTimeFormat {
  let format = formats.get(timeZone);
  if (!format) {
    format = new Intl.DateTimeFormat('en-GB', { timeZone, hour: '2-digit', minute: '2-digit', hourCycle: 'h23' });
    formats.set(timeZone, format);
  }
  return format;
}
