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

const splices = ['movement', 'window', 'half', 'mean'] as const;

/**
 * How a rolling window continues a series: through the period before (`movement`), the first one of the window
 * (`window`), the middle one (`half`) or the mean of all (`mean`). On published values, or on those of the window
 * before.
 */
export interface Splice {
  readonly at: (typeof splices)[number];
  readonly isOnPublished: boolean;
}

export const allSplices: readonly Splice[] = splices.flatMap((at) => [
  { at, isOnPublished: true },
  // The movement splice has one link, so both kinds are the same.
  ...(at === 'movement' ? [] : [{ at, isOnPublished: false }]),
]);

/** Visits the logarithms of the products that two periods share. */
function forEachMatch(a: PeriodPrices, b: PeriodPrices, visit: (inA: number, inB: number) => void): void {
  let i = 0;
  for (let j = 0; j < b.keys.length; j++) {
    while (a.keys[i]! < b.keys[j]!) i++;
    if (a.keys[i] === b.keys[j]) visit(i, j);
  }
}

/** Jevons index from one period to another, with the standard error of its logarithm (null below two products). */
export function jevons(
  from: PeriodPrices,
  to: PeriodPrices,
): { readonly log: number; readonly matched: number; readonly standardError: number | null } {
  let [matched, sum, squares] = [0, 0, 0];
  forEachMatch(from, to, (i, j) => {
    const relative = to.logs[j]! - from.logs[i]!;
    if (!(Math.abs(relative) <= widest)) return;
    matched++;
    sum += relative;
    squares += relative * relative;
  });
  const log = matched === 0 ? Number.NaN : sum / matched;
  const variance = matched < 2 ? null : Math.max(0, squares - matched * log * log) / (matched - 1);
  return { log, matched, standardError: variance === null ? null : Math.sqrt(variance / matched) };
}

/** The products of Jevons indices from each period to the next. */
export function chainedJevons(periods: readonly PeriodPrices[]): IndexLogs {
  const logs = periods.length === 0 ? [] : [0];
  for (let t = 1; t < periods.length; t++) logs.push(logs[t - 1]! + jevons(periods[t - 1]!, periods[t]!).log);
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
      value = jevons(periods[from]!, periods[to]!).log;
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
 * Time product dummy: least squares on log price = product + period, all observations with the same weight. Products
 * whose prices differ more than tenfold within the window are left out.
 */
export function timeProductDummy(periods: readonly PeriodPrices[]): WindowIndex {
  return (first, last) => {
    const size = last - first + 1;
    const product = { places: [] as number[], logs: [] as number[] };
    const matrix = Array.from({ length: size }, () => new Float64Array(size));
    const sums = new Float64Array(size);
    eachProduct(periods, first, last, product, ({ places, logs }) => {
      if (logs.length < 2 || Math.max(...logs) - Math.min(...logs) > widest) return;
      const average = mean(logs);
      for (const [n, t] of places.entries()) {
        matrix[t]![t]! += 1;
        sums[t]! += logs[n]! - average;
        for (const s of places) matrix[t]![s]! -= 1 / places.length;
      }
    });
    return solvePeriods(matrix, sums);
  };
}

interface Observations {
  places: number[];
  logs: number[];
}

/** Visits each product with its observations in a window; `product` is filled anew for each. */
function eachProduct(
  periods: readonly PeriodPrices[],
  first: number,
  last: number,
  product: Observations,
  visit: (product: Observations) => void,
): void {
  const window = periods.slice(first, last + 1);
  const at = new Int32Array(window.length);
  for (;;) {
    let key = Number.POSITIVE_INFINITY;
    for (let t = 0; t < window.length; t++) key = Math.min(key, window[t]!.keys[at[t]!] ?? Number.POSITIVE_INFINITY);
    if (key === Number.POSITIVE_INFINITY) return;
    product.places = [];
    product.logs = [];
    for (let t = 0; t < window.length; t++) {
      if (window[t]!.keys[at[t]!] !== key) continue;
      product.places.push(t);
      product.logs.push(window[t]!.logs[at[t]!]!);
      at[t]!++;
    }
    visit(product);
  }
}

/** Solves the normal equations by elimination; the first period is 0, and periods without a link to it are NaN. */
function solvePeriods(matrix: Float64Array[], sums: Float64Array): IndexLogs {
  const size = sums.length;
  const linked = linkedTo(0, matrix);
  const places = Array.from({ length: size }, (_, t) => t).filter((t) => t > 0 && linked.has(t));
  const rows = places.map((t) => [...places.map((s) => matrix[t]![s]!), sums[t]!]);
  for (let column = 0; column < rows.length; column++) {
    let pivot = column;
    for (let r = column + 1; r < rows.length; r++)
      if (Math.abs(rows[r]![column]!) > Math.abs(rows[pivot]![column]!)) pivot = r;
    [rows[column], rows[pivot]] = [rows[pivot]!, rows[column]!];
    for (let r = 0; r < rows.length; r++) {
      if (r === column) continue;
      const factor = rows[r]![column]! / rows[column]![column]!;
      for (let c = column; c <= rows.length; c++) rows[r]![c]! -= factor * rows[column]![c]!;
    }
  }
  const values = new Map(places.map((t, place) => [t, rows[place]![rows.length]! / rows[place]![place]!]));
  return Array.from({ length: size }, (_, t) => (t === 0 ? 0 : (values.get(t) ?? Number.NaN)));
}

/** Periods that share a product with a period, directly or through others. */
function linkedTo(period: number, matrix: readonly Float64Array[]): Set<number> {
  const linked = new Set([period]);
  for (const t of linked) for (let s = 0; s < matrix.length; s++) if (matrix[t]![s]! < 0) linked.add(s);
  return linked;
}

/** A series of which nothing is revised once the first window is full: each new period is spliced on. */
export function rolling(
  count: number,
  length: number,
  windowIndex: WindowIndex,
  { at, isOnPublished }: Splice,
): IndexLogs {
  const series = [...windowIndex(0, Math.min(count, length) - 1)];
  let before = series;
  for (let t = length; t < count; t++) {
    const window = windowIndex(t - length + 1, t);
    const last = length - 1;
    const links = { movement: [last - 1], window: [0], half: [last - Math.floor(last / 2)] }[at as 'half'] ?? [
      ...Array(last).keys(),
    ];
    series.push(
      mean(
        links.map((s) => {
          const movement = window[last]! - window[s]!;
          if (isOnPublished) return series[t - last + s]! + movement;
          return series[t - 1]! + movement - (before[last]! - before[s + 1]!);
        }),
      ),
    );
    before = [...window];
  }
  return series;
}

/**
 * Fixed base, expanding window: each period is compared within the window from the base to it, and never revised. The
 * base moves on after `length` periods (12 months: each December if the series begins in one).
 */
export function expanding(count: number, length: number, windowIndex: WindowIndex): IndexLogs {
  const series = count === 0 ? [] : [0];
  for (let t = 1; t < count; t++) {
    const base = Math.floor((t - 1) / length) * length;
    series.push(series[base]! + windowIndex(base, t).at(-1)!);
  }
  return series;
}

/** A last cut of at least this much before a product leaves is taken for a clearance. */
const clearance = Math.log(0.5);

/** Leaves out a product's last period before it leaves for good if its price had halved since the period before. */
export function withoutClearances(periods: readonly PeriodPrices[]): PeriodPrices[] {
  const lastOf = new Map<number, number>();
  for (const [t, { keys }] of periods.entries()) for (const key of keys) lastOf.set(key, t);
  return periods.map((period, t) => {
    const before = periods[t - 1];
    if (!before || t === periods.length - 1) return period;
    const cut = new Set<number>();
    forEachMatch(before, period, (i, j) => {
      const isLast = lastOf.get(period.keys[j]!) === t;
      if (isLast && period.logs[j]! - before.logs[i]! <= clearance) cut.add(j);
    });
    return cut.size === 0 ? period : keep(period, (place) => !cut.has(place));
  });
}

/** Prices of some products, by their place. */
export function keep({ keys, logs }: PeriodPrices, isKept: (place: number) => boolean): PeriodPrices {
  return { keys: keys.filter((_, place) => isKept(place)), logs: logs.filter((_, place) => isKept(place)) };
}

/** Fills gaps between two prices of a product with its last price, moved as the products of both periods moved. */
export function withImputedGaps(periods: readonly PeriodPrices[]): PeriodPrices[] {
  const chain = chainedJevons(periods);
  const filled: [key: number, log: number][][] = periods.map(() => []);
  const lastSeen = new Map<number, { readonly t: number; readonly log: number }>();
  for (const [t, { keys, logs }] of periods.entries()) {
    for (const [place, key] of keys.entries()) {
      const seen = lastSeen.get(key);
      for (let gap = (seen?.t ?? t) + 1; gap < t; gap++)
        filled[gap]!.push([key, seen!.log + chain[gap]! - chain[seen!.t]!]);
      lastSeen.set(key, { t, log: logs[place]! });
    }
  }
  return periods.map(({ keys, logs }, t) => {
    const imputed = filled[t]!.filter(([, log]) => !Number.isNaN(log));
    if (imputed.length === 0) return { keys, logs };
    const all = [...Array.from(keys, (key, place): [number, number] => [key, logs[place]!]), ...imputed];
    all.sort(([a], [b]) => a - b);
    return { keys: Int32Array.from(all, ([key]) => key), logs: Float64Array.from(all, ([, log]) => log) };
  });
}

/** Mean of the values that are known; NaN if none is. */
function mean(values: readonly number[]): number {
  const known = values.filter((value) => !Number.isNaN(value));
  return known.reduce((sum, value) => sum + value, 0) / known.length;
}
