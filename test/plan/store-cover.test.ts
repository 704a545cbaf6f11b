import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Area, halve, milesBetween, type Point, withoutOverlaps } from '../../src/crawl/plan/area.ts';
import { incompleteCircles } from '../../src/crawl/plan/doubted-circles.ts';
import { type Circle, circleAround, coverArea, coverAreas } from '../../src/crawl/plan/store-cover.ts';

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
  it('the distance between two cities is correct', () => {
    const london = { latitude: 51.5072, longitude: -0.1276 };
    expect(milesBetween(london, { latitude: 53.3498, longitude: -6.2603 })).toBeCloseTo(288, 0);
    expect(milesBetween(london, london)).toBe(0);
  });

  it('no point of an area is outside the circle of its cell, for any largest radius', () => {
    fc.assert(
      fc.property(areaWithPoint, degrees(20, 400), ({ box, point }, largest) => {
        const circles = coverArea(box, largest).filter(({ cell }) => isWithin(cell, point));
        expect(circles.length).toBeGreaterThan(0);
        for (const circle of circles) {
          expect(circle.neededMiles).toBeLessThanOrEqual(largest);
          expect(reaches(circle, point)).toBe(true);
        }
      }),
    );
  });

  it('a circle asks for more than its cell needs, never for less', () => {
    fc.assert(
      fc.property(area, (box) => {
        const { neededMiles, radiusMiles } = circleAround(box);
        expect(radiusMiles).toBeGreaterThanOrEqual(neededMiles);
        expect(radiusMiles).toBeLessThanOrEqual(neededMiles * 1.05 + 1);
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

  it('an area is halved without a gap', () => {
    fc.assert(
      fc.property(areaWithPoint, ({ box, point }) => {
        expect(halve(box).some((half) => isWithin(half, point))).toBe(true);
      }),
    );
  });
});

it('places with more stores than an answer can contain are reported', () => {
  const [circle] = coverAreas([{ south: 52, west: -2, north: 52.1, east: -1.9 }]);
  const answered = {
    ...circle!,
    circleNo: 0,
    parentNo: null,
    splitFor: null,
    isAnswered: true,
    storeIds: new Set<string>(),
  };
  expect(incompleteCircles([{ ...answered, received: 12 }], 12)).toHaveLength(1);
  expect(incompleteCircles([{ ...answered, received: 11 }], 12)).toEqual([]);
});

function isWithin({ south, west, north, east }: Area, { latitude, longitude }: Point): boolean {
  return south <= latitude && latitude <= north && west <= longitude && longitude <= east;
}
