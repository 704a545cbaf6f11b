const bars = '▁▂▃▄▅▆▇█';

/**
 * Numbers in a line of small bars, lowest to highest; one that is unknown is a gap. More than `width` of them are drawn as the last
 * known of each stretch.
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

type Rows = readonly Readonly<Record<string, unknown>>[];

/** Passes rows on and keeps the values of each series by their base, for `seriesLines`. */
export async function* keepSeries(
  batches: AsyncIterable<Rows>,
  { of, since, value }: { readonly of: readonly string[]; readonly since: string; readonly value: string },
  kept: Map<string, Map<unknown, (number | null)[]>>,
): AsyncIterable<Rows> {
  for await (const batch of batches) {
    for (const row of batch) {
      const name = of.flatMap((column) => row[column] ?? []).join(' ');
      const byBase = kept.get(name) ?? new Map<unknown, (number | null)[]>();
      const values = byBase.get(row[since]) ?? [];
      values.push(row[value] === null ? null : Number(row[value]));
      kept.set(name, byBase.set(row[since], values));
    }
    yield batch;
  }
}

/** A line of bars for each series of three values or more. Values that refer to different bases never share a line. */
export function* seriesLines(kept: ReadonlyMap<string, ReadonlyMap<unknown, (number | null)[]>>): Generator<string> {
  for (const [name, byBase] of kept)
    for (const [since, values] of byBase)
      if (values.length > 2) yield `${name}${byBase.size > 1 ? ` since ${since}` : ''} ${sparkline(values)}`;
}
