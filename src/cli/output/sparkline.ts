const bars = '▁▂▃▄▅▆▇█';

/**
 * Values as a line of bars from lowest to highest; unknown values are gaps. With more values than `width`, each bar
 * shows the last known value of its part.
 */
export function sparkline(values: readonly (number | null)[], width = 60): string {
  const drawn = values.length <= width ? values : stretched(values, width);
  const known = drawn.filter((value) => value !== null);
  const least = Math.min(...known);
  const span = Math.max(...known) - least;
  return drawn
    .map((value) => {
      if (value === null) return ' ';
      return bars[span === 0 ? 3 : Math.round(((value - least) / span) * (bars.length - 1))];
    })
    .join('');
}

function stretched(values: readonly (number | null)[], width: number): (number | null)[] {
  return Array.from({ length: width }, (_, i) => {
    const from = Math.floor((i * values.length) / width);
    const to = Math.floor(((i + 1) * values.length) / width);
    return values.slice(from, to).findLast((value) => value !== null) ?? null;
  });
}

/** One line of bars per series with at least three values. Values with different base periods are on separate lines. */
export function* seriesLines(
  rows: readonly Readonly<Record<string, unknown>>[],
  { of, since, value }: { readonly of: readonly string[]; readonly since: string; readonly value: string },
): Generator<string> {
  const series = new Map<string, Map<unknown, (number | null)[]>>();
  for (const row of rows) {
    const name = of.flatMap((column) => row[column] ?? []).join(' ');
    const byBase = series.get(name) ?? new Map<unknown, (number | null)[]>();
    const values = [...(byBase.get(row[since]) ?? []), row[value] === null ? null : Number(row[value])];
    series.set(name, byBase.set(row[since], values));
  }
  for (const [name, byBase] of series)
    for (const [base, values] of byBase)
      if (values.length > 2) yield `${name}${byBase.size > 1 ? ` since ${base}` : ''} ${sparkline(values)}`;
}
