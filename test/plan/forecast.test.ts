import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { forecastNight, median, type PastNight } from '../../src/crawl/plan/forecast.ts';

const night: PastNight = {
  isFirst: false,
  taxonomy: 1,
  listing: 110,
  details: 55,
  pagesDeclared: 100,
  pagesLeftOut: 0,
  pagesDeferred: 0,
  samples: 0,
  detailsWanted: 50,
  detailsBacklog: 0,
  detailsChosen: 50,
  productsListed: 2_000,
  seconds: 33.2,
};
const needs = { pagesLeftOut: 0, maxDetails: 200, backlog: 0, assumedProducts: 2_400, requestsPerSecond: 0 };

describe('forecast of a night', () => {
  it('the forecast has the pages declared last, with the usual repetitions, and the details that are due', () => {
    const past = [{ ...night, pagesDeclared: 120 }, night, night];
    const { requests, deferredDetails, assumed } = forecastNight({ ...needs, past });
    // 110/120, 110/100, 110/100: the median holds.
    expect(requests).toEqual({ taxonomy: 1, listing: 132, details: 55, total: 188 });
    expect({ deferredDetails, assumed }).toEqual({ deferredDetails: 0, assumed: [] });
  });

  it('the forecast includes the checks of missing products', () => {
    expect(forecastNight({ ...needs, maxDetails: 0, past: [night, night] }).requests.details).toBe(5);
  });

  it('the forecast of a second night excludes the samples of the first', () => {
    const first = {
      ...night,
      isFirst: true,
      listing: 160,
      samples: 60,
      detailsWanted: 2_000,
      detailsChosen: 200,
      details: 200,
    };
    const { requests, assumed } = forecastNight({ ...needs, past: [first] });
    expect(requests).toMatchObject({ listing: 100, details: 30 });
    expect(assumed).toEqual([expect.stringContaining('1.5% of its products')]);
  });

  it('the forecast states its assumptions before the first night', () => {
    const { requests, assumed, deferredDetails, seconds } = forecastNight({ ...needs, past: [] });
    expect(requests.details).toBe(200);
    expect(deferredDetails).toBe(2_200);
    expect(requests.listing).toBeGreaterThan(2_400 / 24);
    expect(seconds).toBeGreaterThan(0);
    expect(assumed).toEqual([expect.stringContaining('2400 products'), expect.stringContaining('requests a second')]);
  });

  it('the forecast takes no less time than the limit requires, and no less than before', () => {
    expect(forecastNight({ ...needs, past: [night], requestsPerSecond: 0.5 }).seconds).toBe(332);
    expect(forecastNight({ ...needs, past: [night], requestsPerSecond: 500 }).seconds).toBe(33.2);
  });

  it('the forecast never has more details than allowed, and reports the rest as deferred', () => {
    fc.assert(
      fc.property(fc.array(arbitraryNight, { maxLength: 7 }), fc.nat(5_000), (past, maxDetails) => {
        const { requests, deferredDetails } = forecastNight({ ...needs, past, maxDetails });
        const more = forecastNight({ ...needs, past, maxDetails: maxDetails + 100 });
        expect(requests.total).toBe(requests.taxonomy + requests.listing + requests.details);
        expect(more.requests.details).toBeGreaterThanOrEqual(requests.details);
        expect(more.deferredDetails).toBeLessThanOrEqual(deferredDetails);
        expect(forecastNight({ ...needs, past, maxDetails, backlog: 500 }).requests.details).toBeGreaterThanOrEqual(
          requests.details,
        );
        expect(Math.min(requests.taxonomy, requests.listing)).toBeGreaterThanOrEqual(past.length === 0 ? 1 : 0);
      }),
    );
  });

  it('the forecast excludes pages of repeating categories on the nights on which they are not read', () => {
    const past = [{ ...night, listing: 88, pagesLeftOut: 20 }, night];
    expect(forecastNight({ ...needs, past, pagesLeftOut: 0 }).requests.listing).toBe(110);
    expect(forecastNight({ ...needs, past, pagesLeftOut: 30 }).requests.listing).toBe(77);
  });

  it('the forecast includes pages of categories that waited for another night', () => {
    const past = [{ ...night, listing: 22, pagesDeclared: 20, pagesDeferred: 80 }];
    expect(forecastNight({ ...needs, past }).requests.listing).toBe(110);
  });

  it('the median is the middle value', () => {
    expect([median([]), median([3]), median([9, 1, 5]), median([1, 2, 10, 20])]).toEqual([0, 3, 5, 6]);
  });
});

const arbitraryNight: fc.Arbitrary<PastNight> = fc.record({
  isFirst: fc.constant(false),
  taxonomy: fc.integer({ min: 1, max: 3 }),
  listing: fc.integer({ min: 1, max: 20_000 }),
  details: fc.nat(5_000),
  pagesDeclared: fc.integer({ min: 1, max: 20_000 }),
  pagesLeftOut: fc.nat(200),
  pagesDeferred: fc.nat(20_000),
  samples: fc.nat(10),
  detailsWanted: fc.option(fc.nat(5_000)),
  detailsBacklog: fc.option(fc.nat(5_000)),
  detailsChosen: fc.nat(5_000),
  productsListed: fc.nat(300_000),
  seconds: fc.integer({ min: 0, max: 20_000 }),
});
