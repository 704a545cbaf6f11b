import { type Area, halve, milesBetween, type Point, withoutOverlaps } from './area.ts';

/** A request to the store locator: a point and a radius that cover a cell. */
export interface Circle {
  readonly cell: Area;
  readonly centre: Point;
  /** Distance to the corners of the cell, which the answer must reach to cover it. */
  readonly neededMiles: number;
  /** Requested radius, slightly larger, because the upstream may round distances or use another globe. */
  readonly radiusMiles: number;
}

/** Maximum radius of the circles: a locator may not look farther. */
const largestRadiusMiles = 60;

const margin = 1.05;

/** Rounds up to whole miles; to tenths for small circles, where a mile matters. */
const roundedUp = (miles: number): number => (miles > 20 ? Math.ceil(miles) : Math.ceil(miles * 10) / 10);

/** Circles for areas, as few as the maximum radius allows. */
export function coverAreas(areas: readonly Area[]): Circle[] {
  return withoutOverlaps(areas).flatMap((area) => coverArea(area, largestRadiusMiles));
}

/** Splits an area into cells that each fit into a circle of `largest` miles. */
function coverArea(area: Area, largest: number): Circle[] {
  const circle = circleAround(area);
  return circle.neededMiles <= largest ? [circle] : halve(area).flatMap((half) => coverArea(half, largest));
}

/**
 * The smallest circle around the centre of a cell. Its farthest points are the corners: along an edge, the distance has
 * no inner maximum.
 */
export function circleAround(cell: Area): Circle {
  const { south, west, north, east } = cell;
  const centre = { latitude: rounded((south + north) / 2), longitude: rounded((west + east) / 2) };
  const corners = [south, north].flatMap((latitude) => [west, east].map((longitude) => ({ latitude, longitude })));
  const neededMiles = Math.max(...corners.map((corner) => milesBetween(centre, corner)));
  return { cell, centre, neededMiles, radiusMiles: roundedUp(neededMiles * margin) };
}

/** Rounds to about a metre. */
const rounded = (degrees: number): number => Math.round(degrees * 1e5) / 1e5;
