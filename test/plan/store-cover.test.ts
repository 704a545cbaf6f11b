import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Area, milesBetween, type Point, withoutOverlaps } from '../../src/crawl/plan/area.ts';
import { type Circle, coverAreas } from '../../src/crawl/plan/store-cover.ts';

const degrees = (min: number, max: number) => fc.double({ min, max, noNaN: true });

const area = fc
  .tuple(degrees(-80, 75), degrees(-170, 150), degrees(0.01, 12), degrees(0.01, 20))
  .map(
    ([south, west, height, width]): Area => ({ south, west, north: Math.min(85, south + height), east: west + width }),
  );

const areaWithPoint = fc.tuple(area, degrees(0, 1), degrees(0, 1)).map(([box, up, right]) => ({
  box,
  point: { latitude: box.south + up * (box.north - box.south), longitude: box.west + right * (box.east - box.west) },
}));

const reaches = ({ centre, neededMiles, radiusMiles }: Circle, point: { latitude: number; longitude: number }) =>
  milesBetween(centre, point) <= Math.min(neededMiles, radiusMiles) + 1e-3;

describe('covering areas with circles', () => {
  it('no point of an area is outside the circle of its cell', () => {
    fc.assert(
      fc.property(areaWithPoint, ({ box, point }) => {
        const circles = coverAreas([box]).filter(({ cell }) => isWithin(cell, point));
        expect(circles.length).toBeGreaterThan(0);
        for (const circle of circles) {
          expect(circle.neededMiles).toBeLessThanOrEqual(60);
          expect(reaches(circle, point)).toBe(true);
        }
      }),
    );
  });

  it('overlapping areas are covered once, without a gap or an overlap', () => {
    fc.assert(
      fc.property(fc.array(area, { minLength: 1, maxLength: 4 }), areaWithPoint, (areas, { box, point }) => {
        const pieces = withoutOverlaps([...areas, box]);
        expect(pieces.some((piece) => isWithin(piece, point))).toBe(true);
        const inside = pieces.filter(
          ({ south, west, north, east }) =>
            south < point.latitude && point.latitude < north && west < point.longitude && point.longitude < east,
        );
        expect(inside.length).toBeLessThanOrEqual(1);
      }),
    );
  });
});

function isWithin({ south, west, north, east }: Area, { latitude, longitude }: Point): boolean {
  return south <= latitude && latitude <= north && west <= longitude && longitude <= east;
}
