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
  it('knows the distance between two cities', () => {
    const london = { latitude: 51.5072, longitude: -0.1276 };
    expect(milesBetween(london, { latitude: 53.3498, longitude: -6.2603 })).toBeCloseTo(288, 0);
    expect(milesBetween(london, london)).toBe(0);
  });

  it('leaves no point of an area outside the circle of its cell, for any largest radius', () => {
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

  it('asks for more than a cell needs, never for less', () => {
    fc.assert(
      fc.property(area, (box) => {
        const { neededMiles, radiusMiles } = circleAround(box);
        expect(radiusMiles).toBeGreaterThanOrEqual(neededMiles);
        expect(radiusMiles).toBeLessThanOrEqual(neededMiles * 1.05 + 1);
      }),
    );
  });

  it('covers overlapping areas once: what is in any of them is in a piece, and inside two pieces is nothing', () => {
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

  it('halves an area without a gap', () => {
    fc.assert(
      fc.property(areaWithPoint, ({ box, point }) => {
        expect(halve(box).some((half) => isWithin(half, point))).toBe(true);
      }),
    );
  });
});

describe('splitting circles whose answer was cut', () => {
  interface Locator {
    readonly cap: number;
    readonly radiusCap: number;
  }
  type Place = { readonly latitude: number; readonly longitude: number };
  const box: Area = { south: 50, west: -6, north: 55, east: 1 };

  /** Asks until nothing is doubted: what was found, and with how many questions. */
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

  /** Spread evenly over the box, but for a dense town. */
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

  it('finds every store if answers have a maximum number of stores', () => {
    fc.assert(
      fc.property(someStores, fc.integer({ min: 12, max: 60 }), (stores, cap) => {
        expect(walk(stores, { cap, radiusCap: Number.POSITIVE_INFINITY }).found.size).toBe(stores.size);
      }),
      { numRuns: 15 },
    );
  });

  it('finds every store of answers cut by a radius', () => {
    fc.assert(
      fc.property(someStores, degrees(40, 300), (stores, radiusCap) => {
        expect(walk(stores, { cap: 10_000, radiusCap }).found.size).toBe(stores.size);
      }),
      { numRuns: 15 },
    );
  });

  it('finds them again with the circles that were enough before', () => {
    fc.assert(
      fc.property(someStores, (stores) => {
        const locator = { cap: 40, radiusCap: 150 };
        const first = walk(stores, locator);
        expect(walk(stores, locator, first.leaves, 40).found.size).toBe(stores.size);
      }),
      { numRuns: 15 },
    );
  });

  it('reports places with more stores than an answer can contain', () => {
    const tower = new Map(Array.from({ length: 60 }, (_, index) => [String(index), { latitude: 52, longitude: -2 }]));
    const { circles } = walk(tower, { cap: 12, radiusCap: 1_000 });
    expect(incompleteCircles(circles, 12).length).toBeGreaterThan(0);
  });

  it('splits nothing where each answer has stores up to the edge of its cell, but the largest once', () => {
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
