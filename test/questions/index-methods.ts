/** Prices of one category in one period: ascending product keys, and the logarithms of their prices. */
export interface PeriodPrices {
  readonly keys: Int32Array;
  readonly logs: Float64Array;
}

/** Price relatives outside 0.1 to 10 are left out, as in `marts.price_index`. */
const widest = Math.log(10) + 1e-12;

/** Logarithms of index values of consecutive periods, relative to the first; NaN where nothing can be compared. */
export type IndexLogs = readonly number[];

/** Computes the index of consecutive periods from the prices of these periods alone. */
type WindowIndex = (first: number, last: number) => IndexLogs;

/** Visits the logarithms of the products that two periods share. */
function forEachMatch(a: PeriodPrices, b: PeriodPrices, visit: (inA: number, inB: number) => void): void {
  let i = 0;
  for (let j = 0; j < b.keys.length; j++) {
    while (a.keys[i]! < b.keys[j]!) i++;
    if (a.keys[i] === b.keys[j]) visit(i, j);
  }
}

/** Logarithm of the Jevons index from one period to another. */
function jevons(from: PeriodPrices, to: PeriodPrices): number {
  let [matched, sum] = [0, 0];
  forEachMatch(from, to, (i, j) => {
    const relative = to.logs[j]! - from.logs[i]!;
    if (!(Math.abs(relative) <= widest)) return;
    matched++;
    sum += relative;
  });
  return matched === 0 ? Number.NaN : sum / matched;
}

/** The products of Jevons indices from each period to the next. */
export function chainedJevons(periods: readonly PeriodPrices[]): IndexLogs {
  const logs = periods.length === 0 ? [] : [0];
  for (let t = 1; t < periods.length; t++) logs.push(logs[t - 1]! + jevons(periods[t - 1]!, periods[t]!));
  return logs;
}

/** GEKS of Jevons indices: each movement is the mean over all routes through a third period of the window. */
export function geksIndex(periods: readonly PeriodPrices[]): WindowIndex {
  const known = new Map<number, number>();
  const log = (from: number, to: number): number => {
    if (from === to) return 0;
    if (from > to) return -log(to, from);
    const place = from * periods.length + to;
    let value = known.get(place);
    if (value === undefined) {
      value = jevons(periods[from]!, periods[to]!);
      known.set(place, value);
    }
    return value;
  };
  return (first, last) => {
    const window = Array.from({ length: last - first + 1 }, (_, place) => first + place);
    return window.map((t) => mean(window.map((k) => log(first, k) + log(k, t))));
  };
}

/**
 * A series of which nothing is revised once the first window is full: each new period is spliced on by the mean of all
 * links to published values.
 */
export function rolling(count: number, length: number, windowIndex: WindowIndex): IndexLogs {
  const series = [...windowIndex(0, Math.min(count, length) - 1)];
  for (let t = length; t < count; t++) {
    const window = windowIndex(t - length + 1, t);
    const last = length - 1;
    const links = Array.from({ length: last }, (_, s) => series[t - last + s]! + window[last]! - window[s]!);
    series.push(mean(links));
  }
  return series;
}

/** Mean of the values that are known; NaN if none is. */
function mean(values: readonly number[]): number {
  const known = values.filter((value) => !Number.isNaN(value));
  return known.reduce((sum, value) => sum + value, 0) / known.length;
}
