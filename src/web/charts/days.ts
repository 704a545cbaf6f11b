/** A calendar date as days since 1970-01-01. */
export type Day = number;

export function dayOf(date: string): Day {
  return Date.parse(`${date}T00:00:00Z`) / 86_400_000;
}

export function dateOf(day: Day): string {
  return new Date(day * 86_400_000).toISOString().slice(0, 10);
}

/** Days from `from` to `to`, `to` exclusive. */
export interface Span {
  readonly from: Day;
  readonly to: Day;
}

/** Maximal spans of consecutive days for which `holds` is true. */
export function spansOf(from: Day, to: Day, holds: (day: Day) => boolean): Span[] {
  const spans: Span[] = [];
  for (let day = from; day < to; day += 1) {
    if (!holds(day)) continue;
    const last = spans.at(-1);
    if (last?.to === day) spans[spans.length - 1] = { from: last.from, to: day + 1 };
    else spans.push({ from: day, to: day + 1 });
  }
  return spans;
}

/** All dates from the first to the last. */
export function datesBetween(first: string, last: string): string[] {
  const from = dayOf(first);
  return Array.from({ length: dayOf(last) - from + 1 }, (_, i) => dateOf(from + i));
}
