import { halve, milesBetween, type Point } from './area.ts';
import { type Circle, circleAround, coverArea } from './store-cover.ts';

/** Why a circle's answer is suspected to be incomplete. */
type Doubt = 'count' | 'missing' | 'radius' | 'failed';

/** A circle and its answer. */
export interface AskedCircle extends Circle {
  readonly circleNo: number;
  /** The circle it is a part of; null for an initial circle. */
  readonly parentNo: number | null;
  /** Why its parts were requested instead; null if it was not split. */
  readonly splitFor: Doubt | null;
  /** False if the upstream gave no answer. */
  readonly isAnswered: boolean;
  /** Number of elements in the answer. */
  readonly received: number;
  readonly storeIds: ReadonlySet<string>;
}

export interface Split {
  readonly circle: AskedCircle;
  readonly doubt: Doubt;
  readonly parts: readonly Circle[];
}

/** Answers with fewer stores are not suspected to be truncated. */
const fewestCut = 10;

/**
 * The largest count is suspected as a limit if at least this number of answers, and this share of all, have exactly it.
 */
const [equalCounts, equalShare] = [3, 0.05];

/**
 * Radius below which circles are not split further, by reason. If other circles found the missing stores, the last
 * miles are not worth the requests.
 */
const smallestMiles: Readonly<Record<Doubt, number>> = { count: 0.5, missing: 10, radius: 0.5, failed: 25 };

/** The upstream may round distances or use another globe. */
const tolerance = 0.98;

/**
 * Circles to split, once all are answered; empty if every answer is complete. An answer counts as truncated
 *
 * - by count, if no answer ever had more stores, or several have exactly as many as the largest;
 * - if another circle found a store well within its radius that it lacks;
 * - by radius, if no answer reached as far as its cell needs. If its parts then find nothing new, that ground is empty.
 *
 * The order matters: the reach of answers is only known when none is truncated by count.
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

/** Miles per degree of latitude; cheaper to compute with than the distance. */
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
 * Greatest distance at which any answer contains a store. Stores outside the requested radius are ignored, because
 * their coordinates are wrong.
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
 * Quarters if the answer ended far from the cell's corners, or if the reach of answers is in doubt; otherwise halves.
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
