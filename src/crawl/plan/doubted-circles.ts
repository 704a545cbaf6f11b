import { halve, milesBetween, type Point } from './area.ts';
import { type Circle, circleAround, coverArea } from './store-cover.ts';

/** Why a circle's answer is not believed to be whole. */
type Doubt = 'count' | 'missing' | 'radius' | 'failed';

/** A circle and what came of it. */
export interface AskedCircle extends Circle {
  readonly circleNo: number;
  /** The circle it is a part of; null for a first one. */
  readonly parentNo: number | null;
  /** Why its parts were asked instead; null: it was not split. */
  readonly splitFor: Doubt | null;
  /** False: the upstream gave no answer. */
  readonly isAnswered: boolean;
  /** Elements of the answer. */
  readonly received: number;
  readonly storeIds: ReadonlySet<string>;
}

export interface Split {
  readonly circle: AskedCircle;
  readonly doubt: Doubt;
  readonly parts: readonly Circle[];
}

/** Fewer stores in an answer are no sign that it was cut. */
const fewestCut = 10;

/** So many answers of exactly the same greatest count are no chance: at least three, and this share of all. */
const [equalCounts, equalShare] = [3, 0.05];

/**
 * Circles are split no further, by what is the matter. Of one whose stores others name, the last miles are not worth
 * it.
 */
const smallestMiles: Readonly<Record<Doubt, number>> = { count: 0.5, missing: 10, radius: 0.5, failed: 25 };

/** The upstream's distances may be rounded, or measured on another globe. */
const tolerance = 0.98;

/**
 * Which circles to split, once all of them are answered; none: every answer is whole. An answer is taken for cut
 *
 * - by count, when no other answer ever had more stores than it has, or several have exactly as many as the largest;
 * - when another circle showed a store well within its radius that it did not show;
 * - by radius, when no answer anywhere reached as far as its cell needs. Where its parts then find nothing new, what lies so far was empty.
 *
 * The order matters: how far answers reach is known when none is cut by count.
 */
export function splitDoubted(
  circles: readonly AskedCircle[],
  places: ReadonlyMap<string, Point>,
  { mostBefore }: { /** Stores in the largest answer of earlier refreshes. */ readonly mostBefore: number },
): Split[] {
  const leaves = circles.filter(({ splitFor }) => splitFor === null);
  const answered = leaves.filter(({ isAnswered }) => isAnswered);
  const reached = reachOf(circles, places);
  const doubted: readonly (readonly [Doubt, () => readonly AskedCircle[]])[] = [
    ['failed', () => leaves.filter(({ isAnswered }) => !isAnswered)],
    ['count', () => cutByCount(circles, answered, mostBefore)],
    ['missing', () => answered.filter((circle) => lacksStores(circle, places))],
    ['radius', () => answered.filter((circle) => isUnproven(circle, circles, places, reached))],
  ];
  for (const [doubt, find] of doubted) {
    const splits = find()
      .filter(({ neededMiles }) => neededMiles > smallestMiles[doubt])
      .map((circle) => ({ circle, doubt, parts: partsOf(circle, doubt, places, reached) }));
    if (splits.length > 0) return splits;
  }
  return [];
}

/** Circles that cannot be split any further and are not whole for all that. */
export function incompleteCircles(circles: readonly AskedCircle[], mostBefore: number): AskedCircle[] {
  const leaves = circles.filter(({ splitFor }) => splitFor === null);
  const answered = leaves.filter(({ isAnswered }) => isAnswered);
  return [...leaves.filter(({ isAnswered }) => !isAnswered), ...cutByCount(circles, answered, mostBefore)];
}

function cutByCount(
  circles: readonly AskedCircle[],
  answered: readonly AskedCircle[],
  mostBefore: number,
): AskedCircle[] {
  const most = Math.max(0, ...circles.map(({ received }) => received));
  if (most < fewestCut) return [];
  const equal = circles.filter(({ received }) => received === most).length;
  const isLargest = most >= mostBefore || equal >= Math.max(equalCounts, circles.length * equalShare);
  return isLargest ? answered.filter(({ received }) => received === most) : [];
}

/** Of latitude; quicker to reckon with than the distance. */
const leastMilesPerDegree = 69;

const lacks = ({ centre, radiusMiles, storeIds }: AskedCircle, storeId: string, place: Point): boolean =>
  !storeIds.has(storeId) &&
  Math.abs(centre.latitude - place.latitude) * leastMilesPerDegree < radiusMiles &&
  milesBetween(centre, place) < radiusMiles * tolerance;

function lacksStores(circle: AskedCircle, places: ReadonlyMap<string, Point>): boolean {
  for (const [storeId, place] of places) if (lacks(circle, storeId, place)) return true;
  return false;
}

/**
 * The farthest that any answer reached. A store outside the radius that was asked says nothing: it stands in the wrong
 * place.
 */
function reachOf(circles: readonly AskedCircle[], places: ReadonlyMap<string, Point>): number {
  let reached = 0;
  for (const { centre, radiusMiles, storeIds } of circles) {
    for (const storeId of storeIds) {
      const place = places.get(storeId);
      const miles = place ? milesBetween(centre, place) : 0;
      if (miles <= radiusMiles) reached = Math.max(reached, miles);
    }
  }
  return reached;
}

function isUnproven(
  circle: AskedCircle,
  circles: readonly AskedCircle[],
  places: ReadonlyMap<string, Point>,
  reached: number,
): boolean {
  if (circle.neededMiles <= reached) return false;
  const parent = circles.find(({ circleNo }) => circleNo === circle.parentNo);
  if (parent?.splitFor !== 'radius') return true;
  const parts = circles.filter(({ parentNo }) => parentNo === parent.circleNo);
  const shown = new Map(parts.flatMap(({ storeIds }) => [...storeIds]).map((id) => [id, places.get(id)] as const));
  return [...shown].some(([storeId, place]) => place !== undefined && lacks(parent, storeId, place));
}

/**
 * Quarters where the answer ended long before the cell's corners, or where how far it reaches is in doubt; otherwise
 * halves.
 */
function partsOf(
  circle: AskedCircle,
  doubt: Doubt,
  places: ReadonlyMap<string, Point>,
  reached: number,
): readonly Circle[] {
  const { cell, neededMiles } = circle;
  const halves = halve(cell);
  if (doubt === 'radius' && reached > neededMiles / 8) return halves.flatMap((half) => coverArea(half, reached));
  const isFarShort = doubt !== 'missing' && reachOf([circle], places) < neededMiles / 2;
  return (isFarShort ? halves.flatMap(halve) : halves).map(circleAround);
}
