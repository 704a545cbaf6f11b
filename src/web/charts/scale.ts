import { shortDate } from '../../base/format.ts';
import { type Day, dateOf } from './days.ts';

/** Maps a value to a position, rounded to 0.01. */
export function linear([from, to]: readonly [number, number], [start, end]: readonly [number, number]) {
  const factor = to === from ? 0 : (end - start) / (to - from);
  return (value: number): number => Math.round((start + (value - from) * factor) * 100) / 100;
}

/** Part of a price that a chart covers at least, so that a penny does not look like a crash. */
export const leastSpan = 0.1;

/** Least and most of the values; a range below `span` of their middle is widened to it. */
export function rangeOf(values: readonly number[], span: number): readonly [number, number] {
  const [least, most] = [Math.min(...values), Math.max(...values)];
  const middle = (least + most) / 2;
  const half = (Math.abs(middle) * span) / 2;
  return most - least < 2 * half ? [middle - half, middle + half] : [least, most];
}

/** At most seven round values, whole pence apart at least, that cover the range; none if there are no values. */
export function ticksOf(values: readonly number[], span: number): number[] {
  if (values.length === 0) return [];
  const [least, most] = rangeOf(values, span);
  const reach = most - least || Math.abs(most) * 0.2 || 1;
  const power = 10 ** Math.floor(Math.log10(reach / 4));
  const step = Math.max(0.01, [1, 2, 5, 10].map((factor) => factor * power).find((size) => reach / size <= 4)!);
  const first = Math.floor(least / step - 1e-9);
  const last = Math.ceil(most / step + 1e-9);
  const start = least >= 0 ? Math.max(0, first) : first;
  return Array.from({ length: last - start + 1 }, (_, i) => Number(((start + i) * step).toPrecision(12)));
}

/** Decimals that tell neighbouring ticks apart. */
export function decimalsOf(ticks: readonly number[]): number {
  return Math.max(0, ...ticks.map((tick) => String(tick).split('.')[1]?.length ?? 0));
}

/**
 * Days to label on a time axis: every day, second or seventh up to 49 days, the 1st and 15th of each month up to 92
 * days, first days of months or years beyond.
 */
export function dayTicks(from: Day, to: Day): { readonly day: Day; readonly label: string }[] {
  const days = Array.from({ length: to - from }, (_, i) => from + i);
  if (days.length <= 49) {
    const every = [1, 2, 7].find((step) => days.length / step <= 7)!;
    return days.filter((_, i) => i % every === 0).map(labelled('day'));
  }
  if (days.length <= 92) {
    return days.filter((day) => /-(?:01|15)$/.test(dateOf(day))).map(labelled('day'));
  }
  const months = days.filter((day) => dateOf(day).endsWith('-01'));
  const every = [1, 2, 3, 6, 12].find((step) => months.length / step <= 8) ?? 24;
  return months.filter((day) => (Number(dateOf(day).slice(5, 7)) - 1) % every === 0).map(labelled('month'));
}

/** `25 Nov` or `Nov 2026`. */
const labelled = (precision: 'day' | 'month') => (day: Day) => ({
  day,
  label: shortDate(dateOf(day)).replace(precision === 'day' ? / \d+$/ : /^\d+ /, ''),
});
