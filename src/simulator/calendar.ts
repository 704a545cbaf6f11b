const dayMs = 86_400_000;
const hourMs = 3_600_000;

/** Days since 1970-01-01 of an ISO date. Throws a `RangeError` if it is not a date. */
export function dayOf(isoDate: string): number {
  const time = /^\d{4}-\d{2}-\d{2}$/.test(isoDate) ? Date.parse(`${isoDate}T00:00:00Z`) : Number.NaN;
  if (Number.isNaN(time) || dateOf(time / dayMs) !== isoDate) throw new RangeError(`"${isoDate}" is not a date`);
  return time / dayMs;
}

/** ISO date of a day number. */
export function dateOf(day: number): string {
  return new Date(day * dayMs).toISOString().slice(0, 10);
}

/** Calendar day in London and Dublin, which share their clock, at an instant. */
export function localDayAt(instant: Date): number {
  const time = instant.getTime();
  const { begins, ends } = summerOf(instant.getUTCFullYear());
  const isSummer = time >= begins * dayMs + hourMs && time < ends * dayMs + hourMs;
  return Math.floor((time + (isSummer ? hourMs : 0)) / dayMs);
}

/** Remembers results by day, but only so many: simulators may cover centuries. */
export function byDay<T>(compute: (day: number) => T): (day: number) => T {
  const known = new Map<number, T>();
  return (day) => {
    const found = known.get(day);
    if (found !== undefined) return found;
    if (known.size > 20_000) known.clear();
    known.set(day, compute(day));
    return known.get(day)!;
  };
}

/** Local midnight of a day in UTC, as the upstream prints promotion dates: the evening before in summer. */
export const midnightOf = byDay((day) => {
  const { begins, ends } = summerOf(yearOf(day));
  return day > begins && day <= ends ? `${dateOf(day - 1)}T23:00:00Z` : `${dateOf(day)}T00:00:00Z`;
});

export function yearOf(day: number): number {
  return new Date(day * dayMs).getUTCFullYear();
}

/** 1 to 12. */
export function monthOf(day: number): number {
  return new Date(day * dayMs).getUTCMonth() + 1;
}

/** Easter Sunday by Gauss's formula: right from 1900 to 2099, but a week late in four of these years. */
export function easterOf(year: number): number {
  const toFullMoon = (19 * (year % 19) + 24) % 30;
  const toSunday = (2 * (year % 4) + 4 * (year % 7) + 6 * toFullMoon + 5) % 7;
  return Date.UTC(year, 2, 22 + toFullMoon + toSunday) / dayMs;
}

/**
 * Summer time begins and ends at 01:00 UTC on the last Sundays of March and October (EU directive 2000/84, kept by the
 * UK).
 */
function summerOf(year: number): { begins: number; ends: number } {
  return { begins: lastSunday(year, 2), ends: lastSunday(year, 9) };
}

function lastSunday(year: number, month: number): number {
  const last = Date.UTC(year, month + 1, 0) / dayMs;
  return last - ((last + 4) % 7);
}
