import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isAtEnd, isSuspiciouslyEmpty, planPages } from '../../src/crawl/plan/paging.ts';

interface Category {
  readonly products: number;
  readonly pageSize: number;
  /** Null: it does not say. */
  readonly declaredTotal: number | null;
}

/** Reads a category as the crawl does, with pages in any order, until none is left; returns the requested pages. */
function walk(
  { products, pageSize, declaredTotal }: Category,
  batch: number,
  order: (left: number[]) => number,
): number[] {
  const asked: number[] = [];
  const left = [1];
  let planned = 1;
  while (left.length > 0) {
    const pageNo = left.splice(order(left), 1)[0]!;
    asked.push(pageNo);
    const itemsReceived = Math.max(0, Math.min(pageSize, products - (pageNo - 1) * pageSize));
    const next = planPages({ pageNo, pagesPlanned: planned, declaredTotal, pageSize, itemsReceived }, batch);
    expect(next).toBeGreaterThanOrEqual(planned);
    for (let page = planned + 1; page <= next; page += 1) left.push(page);
    planned = next;
  }
  return asked;
}

const sizes = { products: fc.integer({ min: 0, max: 400 }), pageSize: fc.integer({ min: 1, max: 30 }) };
const batches = fc.integer({ min: 1, max: 10 });
/** Which of the pages left is read next. */
const orders = fc.array(fc.nat(), { minLength: 1, maxLength: 20 }).map((draws) => {
  let at = 0;
  return (left: number[]) => draws[at++ % draws.length]! % left.length;
});

describe('planned pages', () => {
  test('planned pages are those that a true total declares, and one more if the last is full', () => {
    fc.assert(
      fc.property(fc.record(sizes), batches, orders, (sized, batch, order) => {
        const { products, pageSize } = sized;
        const asked = walk({ ...sized, declaredTotal: products }, batch, order).sort((a, b) => a - b);
        const needed = Math.max(1, Math.ceil(products / pageSize));
        const lastIsFull = products > 0 && products % pageSize === 0;
        expect(asked).toEqual(Array.from({ length: needed + (lastIsFull ? 1 : 0) }, (_, index) => index + 1));
      }),
    );
  });

  test('planned pages reach every product, however wrong the total is, or without one', () => {
    fc.assert(
      fc.property(
        fc.record(sizes),
        fc.option(fc.integer({ min: 0, max: 600 })),
        batches,
        orders,
        (sized, declaredTotal, batch, order) => {
          const { products, pageSize } = sized;
          const asked = walk({ ...sized, declaredTotal }, batch, order);
          expect(new Set(asked).size).toBe(asked.length);
          for (let page = 1; page <= Math.ceil(products / pageSize); page += 1) expect(asked).toContain(page);
        },
      ),
    );
  });
});

describe('a total that is far too high', () => {
  test('an uncertain total costs two batches, or four times the pages with products', () => {
    fc.assert(
      fc.property(
        fc.record(sizes),
        fc.integer({ min: 1_000_000, max: 10_000_000 }),
        batches,
        orders,
        (sized, declaredTotal, batch, order) => {
          const { products, pageSize } = sized;
          const asked = walk({ ...sized, declaredTotal }, batch, order);
          const holding = Math.ceil(products / pageSize);
          const isBelieved = products >= pageSize && declaredTotal / pageSize <= 2_500;
          fc.pre(!isBelieved);
          expect(asked.length).toBeLessThanOrEqual(Math.max(2 * batch, 4 * holding));
          for (let page = 1; page <= holding; page += 1) expect(asked).toContain(page);
        },
      ),
    );
  });

  test('a total that is confirmed by a full page is believed at once, where a department may be so large', () => {
    const seen = { pageNo: 1, pagesPlanned: 1, pageSize: 24, itemsReceived: 24 };
    expect(planPages({ ...seen, declaredTotal: 24 * 2_500 }, 15)).toBe(2_500);
    expect(planPages({ ...seen, declaredTotal: 24 * 2_501 }, 15)).toBe(30);
    expect(planPages({ ...seen, declaredTotal: 24 * 2_500, itemsReceived: 23 }, 15)).toBe(30);
  });
});

describe('the end of a category', () => {
  test('a category ends at its declared last page, or anywhere if it declares nothing', () => {
    const seen = { pagesPlanned: 5, pageSize: 10, itemsReceived: 10 };
    expect(isAtEnd({ ...seen, pageNo: 1, declaredTotal: null })).toBe(false);
    expect(isAtEnd({ ...seen, pageNo: 2, declaredTotal: null })).toBe(true);
    expect(isAtEnd({ ...seen, pageNo: 2, declaredTotal: 25 })).toBe(false);
    expect(isAtEnd({ ...seen, pageNo: 3, declaredTotal: 25 })).toBe(true);
  });
});

describe('an empty page', () => {
  const page = { itemsReceived: 0, declaredTotal: null, resultsPerPage: null };

  test.each([
    ['within what was declared before', { ...page, pageNo: 4 }, 96, true],
    ['beyond what was declared before', { ...page, pageNo: 5 }, 96, false],
    ['within what it declares itself', { ...page, pageNo: 2, declaredTotal: 30 }, null, true],
    ['within small pages', { ...page, pageNo: 9, resultsPerPage: 10 }, 96, true],
    ['beyond large pages', { ...page, pageNo: 3, resultsPerPage: 48 }, 96, false],
    ['that is the first', { ...page, pageNo: 1 }, 0, true],
    ['that is not empty', { ...page, pageNo: 1, itemsReceived: 1 }, 96, false],
  ])('%s', (_, seen, knownTotal, expected) => {
    expect(isSuspiciouslyEmpty(seen, knownTotal)).toBe(expected);
  });
});
