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
