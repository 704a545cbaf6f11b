/** A straight line through points, by least squares. */
export interface Line {
  /** What a step of one adds. */
  readonly slope: number;
  /** Standard error of the slope, as the points scatter about the line. */
  readonly error: number;
}

/** Null of fewer than three points, or where all stand at one place: nothing is known of a slope then. */
export function lineThrough(points: readonly (readonly [x: number, y: number])[]): Line | null {
  const count = points.length;
  if (count < 3) return null;
  const meanX = points.reduce((sum, [x]) => sum + x, 0) / count;
  const meanY = points.reduce((sum, [, y]) => sum + y, 0) / count;
  let spread = 0;
  let together = 0;
  for (const [x, y] of points) {
    spread += (x - meanX) ** 2;
    together += (x - meanX) * (y - meanY);
  }
  if (spread === 0) return null;
  const slope = together / spread;
  const beside = points.reduce((sum, [x, y]) => sum + (y - meanY - slope * (x - meanX)) ** 2, 0);
  return { slope, error: Math.sqrt(beside / (count - 2) / spread) };
}

/** The means of the first and the last quarter of some values; null of fewer than four. */
export function quarters(values: readonly number[]): { readonly first: number; readonly last: number } | null {
  const size = Math.floor(values.length / 4);
  if (size === 0) return null;
  return { first: mean(values.slice(0, size)), last: mean(values.slice(-size)) };
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
