import type { CategoryGroups } from './category-groups.ts';
import { rollUp } from './daily-figures.ts';
import { bases, type Panel, type PriceBasis } from './panel.ts';

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

/**
 * A comparison that can be brought forward: when a later period takes the place of the later one, only products whose price or
 * categories differ between the two are looked at. Costs the changes, not the catalogue.
 */
export interface Comparing {
  /** As it stands now. */
  comparison(): Comparison;
  /** Compares with `to` in place of `from`; `changed` are the places at which those differ. */
  moveTo(from: Panel, to: Panel, changed: Int32Array): void;
}

/** Compares the products that have a price in both periods; a product counts in the categories it was in in both. */
export function compare(earlier: Panel, later: Panel, groups: CategoryGroups): Comparing {
  let sums = createSums(groups.size());
  const all = new Int32Array(later.group.length);
  for (let i = 0; i < all.length; i++) all[i] = i;
  add(later, all, 1);

  function add(panel: Panel, places: Int32Array, sign: 1 | -1): void {
    const { shelf: before, member: memberBefore } = earlier.log;
    const { shelf: now, member: memberNow } = panel.log;
    for (let n = 0; n < places.length; n++) {
      const i = places[n]!;
      const relative = now[i]! - before[i]!;
      if (Number.isNaN(relative) && (Number.isNaN(now[i]!) || Number.isNaN(before[i]!))) continue;
      const [then, there] = [earlier.group[i]!, panel.group[i]!];
      const group = then === there ? there : groups.intersection(then, there);
      if (group >= sums.both.length) sums = grown(sums, groups.size());
      sums.both[group]! += sign;
      // Also what costs nothing in both: there is no relative.
      if (relative <= widest && relative >= -widest) addTo(sums.shelf, group, relative, sign);
      const ofMembers = memberNow[i]! - memberBefore[i]!;
      if (ofMembers <= widest && ofMembers >= -widest) addTo(sums.member, group, ofMembers, sign);
    }
  }

  return {
    moveTo(from, to, changed) {
      add(from, changed, -1);
      add(to, changed, 1);
    },
    comparison() {
      const categories = groups.categoryKeys.length;
      const both = rollUp(sums.both, groups, categories);
      const relatives = ({ matched, coarse, fine }: Sums): Relatives => {
        const used = rollUp(matched, groups, categories);
        const [large, small] = [rollUp(coarse, groups, categories), rollUp(fine, groups, categories)];
        return {
          matched: used,
          outliers: both.map((count, c) => count - used[c]!),
          logJevons: large.map((total, c) => (used[c] === 0 ? Number.NaN : (total + small[c]!) / used[c]!)),
        };
      };
      return { of: { shelf: relatives(sums.shelf), member: relatives(sums.member) }, both };
    },
  };
}

/** Places at which two periods differ. */
export function changedPlaces(from: Panel, to: Panel): Int32Array {
  const places = new Int32Array(to.group.length);
  const [shelf, shelfThen, member, memberThen] = [to.log.shelf, from.log.shelf, to.log.member, from.log.member];
  const isOther = (now: number, then: number) => now !== then && !(Number.isNaN(now) && Number.isNaN(then));
  let n = 0;
  for (let i = 0; i < places.length; i++) {
    const differs =
      isOther(shelf[i]!, shelfThen[i]!) || isOther(member[i]!, memberThen[i]!) || to.group[i] !== from.group[i];
    if (differs) places[n++] = i;
  }
  return places.slice(0, n);
}

/**
 * By group. Logarithms are whole multiples of 2^-50 (panel.ts); each is added in two parts, of which sums of any length are exact: so a
 * sum is the same in whatever order, and however often, something was added and taken away again.
 */
interface Sums {
  readonly matched: Int32Array;
  readonly coarse: Float64Array;
  readonly fine: Float64Array;
}

const coarseSteps = 2 ** 20;

function addTo({ matched, coarse, fine }: Sums, group: number, relative: number, sign: 1 | -1): void {
  const large = Math.round(relative * coarseSteps) / coarseSteps;
  matched[group]! += sign;
  // Most prices stay.
  if (relative === 0) return;
  coarse[group]! += sign * large;
  fine[group]! += sign * (relative - large);
}

interface SumsOfBoth extends Readonly<Record<PriceBasis, Sums>> {
  readonly both: Int32Array;
}

function createSums(size: number): SumsOfBoth {
  const ofBasis = () => ({
    matched: new Int32Array(size),
    coarse: new Float64Array(size),
    fine: new Float64Array(size),
  });
  return { both: new Int32Array(size), shelf: ofBasis(), member: ofBasis() };
}

/** With room for groups that have come since. */
function grown(sums: SumsOfBoth, size: number): SumsOfBoth {
  const larger = createSums(size);
  larger.both.set(sums.both);
  for (const basis of bases) {
    larger[basis].matched.set(sums[basis].matched);
    larger[basis].coarse.set(sums[basis].coarse);
    larger[basis].fine.set(sums[basis].fine);
  }
  return larger;
}
