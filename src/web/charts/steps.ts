import { type Day, dayOf, overlap, type Span, spansOf } from './days.ts';

/** Date range of a chart, and which nights in it are certified. */
export interface ChartNights {
  readonly first: string;
  readonly last: string;
  readonly certified: ReadonlySet<string>;
}

/** A value from one night to another (exclusive; null: still valid). Value null: unknown. */
export interface Spell<Value> {
  /** Snapshot dates. */
  readonly from: string;
  readonly to: string | null;
  readonly value: Value | null;
}

/** A value over consecutive certified days. */
interface Segment<Value> extends Span {
  readonly value: Value;
}

/** Days of a chart, split into certified spans and gaps. */
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

/** Parts of spells that fall on certified nights. A spell that continues after a gap becomes two segments. */
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

/** Minimum width in pixels at which a line is visible. */
const leastWidth = 8;

/**
 * SVG path of dots for segments that are too short to be visible as lines and have no neighbours; '' if there are none.
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

/** SVG path of steps. Segments that touch are connected; others start anew. */
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
