import type { CategoryGroups } from './category-groups.ts';
import { rollUp } from './daily-figures.ts';
import type { Panel, PriceBasis } from './panel.ts';

/** Price relatives outside 0.1 to 10 are left out: fixed fences, as the ONS sets them for web-scraped prices. */
const widest = Math.log(10);

/** Two periods compared, by dense category number. */
export interface Comparison {
  /** Of one price basis: relatives that were used, those that were left out, and the mean of the logarithms of those used. */
  readonly of: Readonly<Record<PriceBasis, Relatives>>;
  /** Products with a price in both periods, outliers included. */
  readonly both: Int32Array;
}

export interface Relatives {
  readonly matched: Int32Array;
  readonly outliers: Int32Array;
  /** The logarithm of the Jevons index from the earlier to the later period; NaN where nothing matched. */
  readonly logJevons: Float64Array;
}

/** Compares the products that have a price in both periods; a product counts in the categories it was in in both. */
export function compare(earlier: Panel, later: Panel, groups: CategoryGroups): Comparison {
  const places = matchedPlaces(earlier, later);
  const common = new Int32Array(places.length);
  for (let n = 0; n < places.length; n++) {
    const i = places[n]!;
    const [before, now] = [earlier.group[i]!, later.group[i]!];
    common[n] = before === now ? now : groups.intersection(before, now);
  }
  const categories = groups.categoryKeys.length;
  const both = new Int32Array(groups.size());
  for (let n = 0; n < places.length; n++) both[common[n]!]!++;
  const relatives = (basis: PriceBasis): Relatives => {
    const sum = new Float64Array(groups.size());
    const matched = new Int32Array(groups.size());
    const [before, now] = [earlier.log[basis], later.log[basis]];
    for (let n = 0; n < places.length; n++) {
      const i = places[n]!;
      const relative = now[i]! - before[i]!;
      // Also what costs nothing in both: there is no relative.
      if (!(relative <= widest && relative >= -widest)) continue;
      const group = common[n]!;
      sum[group]! += relative;
      matched[group]!++;
    }
    const outliers = both.map((count, group) => count - matched[group]!);
    const logSum = rollUp(sum, groups, categories);
    const used = rollUp(matched, groups, categories);
    return {
      matched: used,
      outliers: rollUp(outliers, groups, categories),
      logJevons: logSum.map((total, c) => (used[c] === 0 ? Number.NaN : total / used[c]!)),
    };
  };
  return { of: { shelf: relatives('shelf'), member: relatives('member') }, both: rollUp(both, groups, categories) };
}

function matchedPlaces(earlier: Panel, later: Panel): Int32Array {
  const places = new Int32Array(later.group.length);
  const [before, now] = [earlier.log.shelf, later.log.shelf];
  let n = 0;
  for (let i = 0; i < places.length; i++) if (!Number.isNaN(before[i]!) && !Number.isNaN(now[i]!)) places[n++] = i;
  return places.subarray(0, n);
}
