import { type Area, halve, milesBetween, type Point, withoutOverlaps } from './area.ts';

/**
 * A question to the store locator: around a point, so far. It is asked for the sake of a cell, all of which lies within
 * it.
 */
export interface Circle {
  readonly cell: Area;
  readonly centre: Point;
  /** To the corners of the cell: what the answer must reach for the cell to be covered. */
  readonly neededMiles: number;
  /** What is asked, a little more: a store beyond `neededMiles` proves that the answer reaches them. */
  readonly radiusMiles: number;
}

/**
 * Circles that a first plan starts with, at most so large: a locator that answers for a whole country is asked little.
 */
const largestRadiusMiles = 250;

const margin = 1.05;

/** Whole miles, of small circles tenths: a mile more would be most of them. */
const roundedUp = (miles: number): number => (miles > 20 ? Math.ceil(miles) : Math.ceil(miles * 10) / 10);

/** The first circles for areas: as few as cells of the largest radius need. */
export function coverAreas(areas: readonly Area[]): Circle[] {
  return withoutOverlaps(areas).flatMap((area) => coverArea(area, largestRadiusMiles));
}

/** Cells of an area, each small enough for a circle of so many miles. */
export function coverArea(area: Area, largest: number): Circle[] {
  const circle = circleAround(area);
  return circle.neededMiles <= largest ? [circle] : halve(area).flatMap((half) => coverArea(half, largest));
}

/**
 * The smallest circle around the middle of a cell. Its farthest points are corners: along an edge the distance has no
 * inner maximum.
 */
export function circleAround(cell: Area): Circle {
  const { south, west, north, east } = cell;
  const centre = { latitude: rounded((south + north) / 2), longitude: rounded((west + east) / 2) };
  const corners = [south, north].flatMap((latitude) => [west, east].map((longitude) => ({ latitude, longitude })));
  const neededMiles = Math.max(...corners.map((corner) => milesBetween(centre, corner)));
  return { cell, centre, neededMiles, radiusMiles: roundedUp(neededMiles * margin) };
}

/** About a metre. */
const rounded = (degrees: number): number => Math.round(degrees * 1e5) / 1e5;
