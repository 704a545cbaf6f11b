/** Prices by product; null: none. */
export type Prices = readonly (number | null)[];
/** Prices by period. */
export type Book = readonly Prices[];

// The formulas as textbooks have them, with plain numbers, to hold the program against.

/** Jevons: geometric mean of the price ratios of products with both prices, without ratios beyond a factor of ten. */
export function jevons(from: Prices, to: Prices): number | null {
  const relatives = from.flatMap((price, i) => (price !== null && to[i] != null ? [to[i]! / price] : []));
  const used = relatives.filter((relative) => relative <= 10 && relative >= 0.1);
  return used.length === 0 ? null : geomean(used);
}

function geomean(values: readonly number[]): number {
  return Math.exp(values.reduce((sum, value) => sum + Math.log(value), 0) / values.length);
}

/** GEKS from one period to another in a window: over all periods k that both can be compared with. */
function geks(periods: Book, from: number, to: number): number | null {
  const through = periods.flatMap((period) => {
    const [a, b] = [jevons(period, periods[from]!), jevons(period, periods[to]!)];
    return a !== null && b !== null ? [b / a] : [];
  });
  return through.length === 0 ? null : geomean(through);
}

/** GEKS of a whole book, 1 in its first period: the first window as it is, then mean splice on the published series. */
export function geksSeries(book: Book, window: number): (number | null)[] {
  const first = book.slice(0, window);
  const published = first.map((_, t) => (t === 0 ? 1 : geks(first, 0, t)));
  for (let t = window; t < book.length; t++) {
    const periods = book.slice(t - window + 1, t + 1);
    const said = periods.slice(0, -1).flatMap((_, s) => {
      const before = published[t - window + 1 + s];
      const moved = geks(periods, s, window - 1);
      return before != null && moved !== null ? [before * moved] : [];
    });
    published.push(said.length === 0 ? null : geomean(said));
  }
  return published;
}
