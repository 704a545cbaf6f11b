import { type Day, dayOf, overlap, type Span, spansOf } from './days.ts';

/** Nights of which a chart may be drawn: from the first to the last date, and which of them are certified. */
export interface ChartNights {
  readonly first: string;
  readonly last: string;
  readonly certified: ReadonlySet<string>;
}

/** What held from a night on, until the night `to` (exclusive; null: it still holds). Null value: nothing is known. */
export interface Spell<Value> {
  /** Snapshot dates. */
  readonly from: string;
  readonly to: string | null;
  readonly value: Value | null;
}

/** A value over days that are all certified. */
interface Segment<Value> extends Span {
  readonly value: Value;
}

/** The days of a chart, parted into those that are certified and those that are not. */
interface Axis extends Span {
  readonly certified: readonly Span[];
  readonly gaps: readonly Span[];
}

export function axisOf({ first, last, certified }: ChartNights): Axis {
  const [from, to] = [dayOf(first), dayOf(last) + 1];
  const days = new Set([...certified].map(dayOf));
  return {
    from,
    to,
    certified: spansOf(from, to, (day) => days.has(day)),
    gaps: spansOf(from, to, (day) => !days.has(day)),
  };
}

/**
 * What is drawn of spells: each held to the night it ended, on certified nights alone. No segment bridges a gap: a
 * spell that goes on after one is two segments.
 */
export function segmentsOf<Value>(spells: readonly Spell<Value>[], axis: Axis): Segment<Value>[] {
  const segments = spells.flatMap(({ from, to, value }) => {
    if (value === null) return [];
    const spell: Span = { from: dayOf(from), to: to === null ? axis.to : dayOf(to) };
    return axis.certified.flatMap((span) => {
      const shared = overlap(span, spell);
      return shared ? [{ ...shared, value }] : [];
    });
  });
  return segments.sort((a, b) => a.from - b.from);
}

/** Anything narrower is taken for dust. */
const leastWidth = 8;

/**
 * A point on each value that holds for so few nights, gaps on both sides, that its line would hardly be seen; ''
 * without any.
 */
export function loneSteps(
  segments: readonly Segment<number>[],
  x: (day: Day) => number,
  y: (value: number) => number,
): string {
  const isJoined = (a: Segment<number> | undefined, b: Segment<number> | undefined) =>
    a !== undefined && a.to === b?.from;
  const lone = segments.filter(
    (segment, i) =>
      x(segment.to) - x(segment.from) < leastWidth &&
      !isJoined(segments[i - 1], segment) &&
      !isJoined(segment, segments[i + 1]),
  );
  return lone.map(({ from, to, value }) => `M${(x(from) + x(to)) / 2} ${y(value)}h0.1`).join('');
}

/**
 * One path of steps: a riser where the next segment begins on the very day on which the one before ends, a new start
 * elsewhere.
 */
export function stepPath(
  segments: readonly Segment<number>[],
  x: (day: Day) => number,
  y: (value: number) => number,
): string {
  let path = '';
  let end: Day | null = null;
  for (const { from, to, value } of segments) {
    path += end === from ? `V${y(value)}H${x(to)}` : `M${x(from)} ${y(value)}H${x(to)}`;
    end = to;
  }
  return path;
}
