import type { CategoryGroups } from './category-groups.ts';
import { costAt, type RegionNight, unknown } from './region-night.ts';

export interface Medians {
  /** Counts the products of these places as they are on a night, instead of as they were on another; null: not at all. */
  move(from: RegionNight | null, to: RegionNight, places: Int32Array): void;
  /** Twice the median price of each category, by dense number; -1 without a price. */
  doubled(): Int32Array;
}

/** Prices of a category between two multiples of this are counted in one piece; most pieces are never needed. */
const pieceBits = 8;
const pieceLength = 1 << pieceBits;

/** Of one category: how many products have each price, and where half of them were last. */
interface Counted {
  total: number;
  /** By price, in pieces. */
  readonly pieces: (Int32Array | undefined)[];
  at: number;
  /** Products with a price below `at`. */
  below: number;
}

/** Medians of prices that are brought forward by what changed: each stays near where it was. */
export function createMedians(groups: CategoryGroups): Medians {
  const categories = groups.categoryKeys.map((): Counted => ({ total: 0, pieces: [], at: 0, below: 0 }));
  return {
    move(from, to, places) {
      for (let n = 0; n < places.length; n++) {
        const i = places[n]!;
        const [cost, cost0] = [costAt(to, i), from ? costAt(from, i) : unknown];
        // Most changes are those of offers.
        if (cost === cost0 && to.group[i] === from?.group[i]) continue;
        if (cost0 !== unknown) countIn(groups.members(from!.group[i]!), cost0, -1);
        if (cost !== unknown) countIn(groups.members(to.group[i]!), cost, 1);
      }
    },
    doubled: () => Int32Array.from(categories, doubledMedian),
  };

  function countIn(members: Int32Array, cost: number, sign: 1 | -1): void {
    for (let m = 0; m < members.length; m++) count(categories[members[m]!]!, cost, sign);
  }
}

function count(counted: Counted, cost: number, sign: 1 | -1): void {
  const { pieces } = counted;
  const piece = pieces[cost >> pieceBits] ?? new Int32Array(pieceLength);
  pieces[cost >> pieceBits] = piece;
  piece[cost & (pieceLength - 1)]! += sign;
  counted.total += sign;
  if (cost < counted.at) counted.below += sign;
}

function doubledMedian(counted: Counted): number {
  const { total } = counted;
  if (total === 0) return unknown;
  const lower = priceOfRank(counted, (total + 1) >> 1);
  return lower + (total % 2 === 1 ? lower : priceOfRank(counted, total / 2 + 1));
}

/** Of the products in the order of their prices; the cheapest has rank 1. */
function priceOfRank(counted: Counted, rank: number): number {
  const { pieces } = counted;
  while (counted.below >= rank) {
    counted.at--;
    const piece = pieces[counted.at >> pieceBits];
    if (piece) counted.below -= piece[counted.at & (pieceLength - 1)]!;
    else counted.at &= -pieceLength;
  }
  for (;;) {
    const piece = pieces[counted.at >> pieceBits];
    const here = piece ? piece[counted.at & (pieceLength - 1)]! : 0;
    if (counted.below + here >= rank) return counted.at;
    counted.below += here;
    counted.at = piece ? counted.at + 1 : (counted.at | (pieceLength - 1)) + 1;
  }
}
