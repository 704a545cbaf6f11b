import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { planReread } from '../../src/crawl/plan/reread.ts';

const pageSize = 5;

interface Story {
  readonly items: number;
  /** Order of requests: each page is read when the earlier numbers are. */
  readonly disorder: readonly number[];
  /** After how many pages the listing moves, where, and by how much: positive inserts, negative removes. */
  readonly moves: readonly { readonly after: number; readonly at: number; readonly by: number }[];
}

const move = fc.record({
  after: fc.nat(12),
  at: fc.nat(40),
  by: fc.integer({ min: -7, max: 7 }).filter((by) => by !== 0),
});
const story = (moves: { minLength: number; maxLength: number }): fc.Arbitrary<Story> =>
  fc.record({
    items: fc.integer({ min: 1, max: 45 }),
    disorder: fc.array(fc.nat(3), { minLength: 12, maxLength: 12 }),
    moves: fc.array(move, moves),
  });

describe('pages to read again', () => {
  test('no page is read again if nothing moved and nothing is missing', () => {
    fc.assert(
      fc.property(story({ minLength: 0, maxLength: 0 }), (told) => {
        expect(play(told).rereads).toEqual([]);
      }),
    );
  });

  test('reading again shows every product that was always there, if the listing moved once', () => {
    fc.assert(
      fc.property(story({ minLength: 1, maxLength: 1 }), (told) => {
        expect(play(told).missed).toEqual([]);
      }),
      { numRuns: 2_000 },
    );
  });

  test('reading again shows every product that is there in the end, if the listing grew or shrank once', () => {
    fc.assert(
      fc.property(story({ minLength: 1, maxLength: 1 }), (told) => {
        expect(play(told).missedInTheEnd).toEqual([]);
      }),
      { numRuns: 2_000 },
    );
  });

  test('the pages that showed fewer products than the total requires are read again, and no others', () => {
    const full = { pageSize, declaredLast: 12, isShort: true, duplicatePages: [], round: 0 };
    const reading = (pageNo: number, products: number) => ({ pageNo, declaredTotal: 12, products });
    expect(planReread({ ...full, readings: [reading(1, 5), reading(2, 4), reading(3, 2)] })).toEqual([2]);
    expect(planReread({ ...full, readings: [reading(1, 5), reading(2, 5), reading(3, 2)] })).toEqual([]);
  });

  test('the neighbours of repeated products are read again, although no total moved', () => {
    const readings = [1, 2, 3, 4, 5].map((pageNo) => ({ pageNo, declaredTotal: 25, products: 5 }));
    const told = { pageSize, declaredLast: 25, isShort: true, duplicatePages: [3, 4], readings, round: 0 };
    expect(planReread(told)).toEqual([1, 2, 3, 4, 5]);
    expect(planReread({ ...told, isShort: false, round: 1 })).toEqual([]);
  });

  test('pages are read again only where a total was read that no neighbour shares', () => {
    const readings = [
      { pageNo: 1, declaredTotal: 25, products: 5 },
      { pageNo: 2, declaredTotal: 25, products: 5 },
      { pageNo: 3, declaredTotal: 24, products: 5 },
      { pageNo: 4, declaredTotal: 24, products: 5 },
      { pageNo: 5, declaredTotal: 24, products: 4 },
    ];
    const told = { pageSize, declaredLast: 24, isShort: false, duplicatePages: [], readings };
    expect(planReread({ ...told, round: 1 })).toEqual([2]);
    const again = [...readings, { pageNo: 2, declaredTotal: 24, products: 5 }];
    expect(planReread({ ...told, readings: again, round: 1 })).toEqual([]);
  });
});

/** Reads the pages of a listing that moves, then the planned ones again, twice at most. */
function play({ items, disorder, moves }: Story) {
  let listing = Array.from({ length: items }, (_, i) => `p${i}`);
  let born = 0;
  const always = new Set(listing);
  const readings: { pageNo: number; declaredTotal: number; products: number }[] = [];
  const pagesOf = new Map<string, Set<number>>();
  const read = (pageNo: number): void => {
    const shown = listing.slice((pageNo - 1) * pageSize, pageNo * pageSize);
    readings.push({ pageNo, declaredTotal: listing.length, products: shown.length });
    for (const item of shown) pagesOf.set(item, (pagesOf.get(item) ?? new Set()).add(pageNo));
  };
  const planned = () => Math.max(1, ...readings.map(({ declaredTotal }) => Math.ceil(declaredTotal / pageSize)));

  const waiting = [1];
  let done = 0;
  const isPlanned = new Set(waiting);
  while (waiting.length > 0) {
    for (const { at, by } of moves.filter(({ after }) => after === done)) {
      const place = Math.min(at, listing.length);
      if (by > 0) {
        const fresh = Array.from({ length: by }, () => `new${born++}`);
        listing = [...listing.slice(0, place), ...fresh, ...listing.slice(place)];
      } else {
        for (const item of listing.slice(place, place - by)) always.delete(item);
        listing = [...listing.slice(0, place), ...listing.slice(place - by)];
      }
    }
    const [pageNo] = waiting.splice((disorder[done % disorder.length] ?? 0) % waiting.length, 1);
    read(pageNo!);
    done += 1;
    for (let next = 1; next <= planned(); next += 1) {
      if (isPlanned.has(next)) continue;
      isPlanned.add(next);
      waiting.push(next);
    }
  }

  const rereads: number[] = [];
  const isShort = () => pagesOf.size < readings.at(-1)!.declaredTotal;
  for (let round = 0; round < 2; round += 1) {
    const declaredLast = readings.at(-1)!.declaredTotal;
    const duplicatePages = [...new Set([...pagesOf.values()].flatMap((on) => (on.size > 1 ? [...on] : [])))];
    const again = planReread({ pageSize, declaredLast, isShort: isShort(), readings, duplicatePages, round });
    if (again.length === 0) break;
    rereads.push(...again);
    for (const pageNo of again) read(pageNo);
    for (let next = 1; next <= planned(); next += 1)
      if (!isPlanned.has(next)) {
        isPlanned.add(next);
        read(next);
      }
  }
  return {
    rereads,
    missed: [...always].filter((item) => !pagesOf.has(item)),
    missedInTheEnd: listing.filter((item) => !pagesOf.has(item)),
  };
}
