import { datesBetween } from '../run/night-time.ts';

/**
 * Nights before tonight that a region lacks: at most the last `most`, and only those after its last night, because
 * history is append-only. `missed` are the nights in between that are not played.
 */
export function nightsToPlay({ tonight, last, most }: { tonight: string; last: string | null; most: number }): {
  readonly played: readonly string[];
  readonly missed: readonly string[];
} {
  const dayMs = 86_400_000;
  const window = new Date(Date.parse(`${tonight}T00:00:00Z`) - (most + 1) * dayMs).toISOString().slice(0, 10);
  const [first = tonight, ...others] = datesBetween(last !== null && last > window ? last : window, tonight);
  if (first === tonight) return { played: [], missed: [] };
  return { played: [first, ...others], missed: last === null ? [] : datesBetween(last, first) };
}
