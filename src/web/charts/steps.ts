import { type Day, dayOf, type Span, spansOf } from './days.ts';

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

/** A value over consecutive days on which it is known. */
export interface Segment<Value> extends Span {
  readonly value: Value;
  /** Not comparable with the segment before: no line connects them. */
  readonly isAnew?: boolean;
  /** The value is known to within it. */
  readonly error?: number | undefined;
}

/** Days of a chart, split into known spans and gaps. */
export interface Axis extends Span {
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

/** Range of a chart of certified nights; null if there are none. */
export function chartNights(dates: readonly string[]): ChartNights | null {
  const [first, ...others] = [...dates].sort();
  return first === undefined ? null : { first, last: others.at(-1) ?? first, certified: new Set(dates) };
}

/** Parts of spells that fall on certified nights. A spell that continues after a gap becomes two segments. */
export function segmentsOf<Value>(spells: readonly Spell<Value>[], axis: Axis): Segment<Value>[] {
  const segments = spells.flatMap(({ from, to, value }) => {
    if (value === null) return [];
    const [first, end] = [dayOf(from), to === null ? axis.to : dayOf(to)];
    return axis.certified
      .map((span) => ({ from: Math.max(span.from, first), to: Math.min(span.to, end), value }))
      .filter((shared) => shared.from < shared.to);
  });
  return segments.sort((a, b) => a.from - b.from);
}

/** Segments of an amount of a history: rows with the nights `valid_from` and `valid_to`. */
export const historyOf = <Row extends { readonly valid_from: string; readonly valid_to: string | null }>(
  rows: readonly Row[],
  amount: (row: Row) => string | null,
  axis: Axis,
): Segment<number>[] =>
  segmentsOf(
    rows.map((row) => {
      const value = amount(row);
      return { from: row.valid_from, to: row.valid_to, value: value === null ? null : Number(value) };
    }),
    axis,
  );

export interface PeriodLine {
  /** Values by first day of the period; null or missing: unknown. */
  readonly values: ReadonlyMap<string, number | null>;
  /** What values are known to within. */
  readonly errors?: ReadonlyMap<string, number>;
  /** Periods that start a new series. */
  readonly anew?: ReadonlySet<string>;
}

/**
 * Axis and segments of values by period. `periods` has the first days of all periods, in order, including those without
 * a value; `end` is the day after the last one. Periods in which no line has a value are gaps.
 */
export function periodSegments(periods: readonly string[], end: string | undefined, lines: readonly PeriodLine[]) {
  const days = periods.map(dayOf);
  const to = end === undefined ? (days.at(-1) ?? 0) + 1 : dayOf(end);
  const endOf = (i: number) => days[i + 1] ?? to;
  const drawn = lines.map(({ values, errors, anew = new Set() }) =>
    periods.flatMap((period, i): Segment<number>[] => {
      const value = values.get(period) ?? null;
      const segment = { from: days[i]!, to: endOf(i), isAnew: anew.has(period), error: errors?.get(period) };
      return value === null ? [] : [{ ...segment, value }];
    }),
  );
  const known = drawn.flat();
  const from = days[0] ?? 0;
  const isKnown = (day: Day) => known.some((segment) => segment.from <= day && day < segment.to);
  const axis: Axis = { from, to, certified: [], gaps: spansOf(from, to, (day) => !isKnown(day)) };
  return { axis, series: drawn };
}

/** SVG path of steps. Segments that touch are connected, unless a series begins anew; others start anew. */
export function stepPath(segments: readonly Segment<number>[], x: (day: Day) => number, y: (value: number) => number) {
  let path = '';
  let end: Day | null = null;
  for (const { from, to, value, isAnew = false } of segments) {
    path += end === from && !isAnew ? `V${y(value)}H${x(to)}` : `M${x(from)} ${y(value)}H${x(to)}`;
    end = to;
  }
  return path;
}
