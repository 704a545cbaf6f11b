import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Area, halve, milesBetween, type Point, withoutOverlaps } from '../../src/crawl/plan/area.ts';
import { type AskedCircle, incompleteCircles, splitDoubted } from '../../src/crawl/plan/doubted-circles.ts';
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

describe('splitting circles whose answer was truncated', () => {
  interface Locator {
    readonly cap: number;
    readonly radiusCap: number;
  }
  type Place = { readonly latitude: number; readonly longitude: number };
  const box: Area = { south: 50, west: -6, north: 55, east: 1 };

  /** Searches until no circle is in doubt: the stores found and the number of requests. */
  function walk(
    stores: ReadonlyMap<string, Place>,
    { cap, radiusCap }: Locator,
    first = coverAreas([box]),
    mostBefore = 0,
  ) {
    const places = new Map<string, Place>();
    const circles: AskedCircle[] = [];
    const ask = (circle: Circle, parentNo: number | null) => {
      const shown = [...stores]
        .map(([storeId, place]) => ({ storeId, miles: milesBetween(circle.centre, place) }))
        .filter(({ miles }) => miles <= Math.min(circle.radiusMiles, radiusCap))
        .sort((a, b) => a.miles - b.miles)
        .slice(0, cap);
      for (const { storeId } of shown) places.set(storeId, stores.get(storeId)!);
      const storeIds = new Set(shown.map(({ storeId }) => storeId));
      const circleNo = circles.length;
      circles.push({
        ...circle,
        circleNo,
        parentNo,
        splitFor: null,
        isAnswered: true,
        received: shown.length,
        storeIds,
      });
    };
    for (const circle of first) ask(circle, null);
    for (;;) {
      const splits = splitDoubted(circles, places, { mostBefore });
      if (splits.length === 0) break;
      for (const { circle, doubt, parts } of splits) {
        circles[circle.circleNo] = { ...circle, splitFor: doubt };
        for (const part of parts) ask(part, circle.circleNo);
      }
    }
    return { found: new Set(places.keys()), circles, leaves: circles.filter(({ splitFor }) => splitFor === null) };
  }

  /** Evenly spread over the box, except for a dense town. */
  const someStores = fc.tuple(fc.nat(), fc.integer({ min: 60, max: 250 })).map(([seed, count]) => {
    let state = seed;
    const next = () => {
      state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
      return state / 2 ** 32;
    };
    return new Map(
      Array.from({ length: count }, (_, index): [string, Place] => {
        const spread = index % 3 === 0 ? 0.05 : 1;
        const latitude = box.south + (box.north - box.south) * spread * next();
        return [String(index), { latitude, longitude: box.west + (box.east - box.west) * spread * next() }];
      }),
    );
  });

  it('every store is found if answers have a maximum number of stores', () => {
    fc.assert(
      fc.property(someStores, fc.integer({ min: 12, max: 60 }), (stores, cap) => {
        expect(walk(stores, { cap, radiusCap: Number.POSITIVE_INFINITY }).found.size).toBe(stores.size);
      }),
      { numRuns: 15 },
    );
  });

  it('every store is found if answers are truncated by a radius', () => {
    fc.assert(
      fc.property(someStores, degrees(40, 300), (stores, radiusCap) => {
        expect(walk(stores, { cap: 10_000, radiusCap }).found.size).toBe(stores.size);
      }),
      { numRuns: 15 },
    );
  });

  it('the circles that were sufficient before find every store again', () => {
    fc.assert(
      fc.property(someStores, (stores) => {
        const locator = { cap: 40, radiusCap: 150 };
        const first = walk(stores, locator);
        expect(walk(stores, locator, first.leaves, 40).found.size).toBe(stores.size);
      }),
      { numRuns: 15 },
    );
  });

  it('places with more stores than an answer can contain are reported', () => {
    const tower = new Map(Array.from({ length: 60 }, (_, index) => [String(index), { latitude: 52, longitude: -2 }]));
    const { circles } = walk(tower, { cap: 12, radiusCap: 1_000 });
    expect(incompleteCircles(circles, 12).length).toBeGreaterThan(0);
  });

  it('no circle is split if each answer reaches the edge of its cell, except the largest once', () => {
    const grid = new Map<string, Place>();
    for (let latitude = 49; latitude <= 56; latitude += 0.1) {
      for (let longitude = -8; longitude <= 3; longitude += 0.1)
        grid.set(`${latitude},${longitude}`, { latitude, longitude });
    }
    const first = walk(grid, { cap: 100_000, radiusCap: 10_000 });
    expect(first.circles.length).toBeLessThanOrEqual(coverAreas([box]).length + 4);
    const again = walk(grid, { cap: 100_000, radiusCap: 10_000 }, first.leaves, 100_000);
    expect(again.circles).toHaveLength(first.leaves.length);
  });
});

function isWithin({ south, west, north, east }: Area, { latitude, longitude }: Point): boolean {
  return south <= latitude && latitude <= north && west <= longitude && longitude <= east;
}
