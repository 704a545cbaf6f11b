import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { forecastNight, type PastNight } from '../../src/crawl/plan/forecast.ts';

const last: PastNight = {
  isFirst: false,
  listing: 110,
  details: 55,
  pagesDeferred: 0,
  samples: 0,
  detailsFresh: 50,
  detailsChosen: 50,
  productsListed: 2_000,
  seconds: 33.2,
};
const needs = { last, maxDetails: 200, backlog: 0, assumedProducts: 2_400, requestsPerSecond: 0 };

describe('forecast of a night', () => {
  it('the forecast has the requests of the last night, and the details that are due', () => {
    const { requests, deferredDetails, assumed } = forecastNight({ ...needs, backlog: 20 });
    expect(requests).toEqual({ taxonomy: 1, listing: 110, details: 75, total: 186 });
    expect({ deferredDetails, assumed }).toEqual({ deferredDetails: 0, assumed: [] });
  });

  it('the forecast includes the checks of missing products', () => {
    expect(forecastNight({ ...needs, maxDetails: 0 }).requests.details).toBe(5);
  });

  it('the forecast of a second night excludes the samples of the first', () => {
    const first = { ...last, isFirst: true, listing: 160, samples: 60, detailsFresh: 2_000, detailsChosen: 200 };
    const { requests, assumed } = forecastNight({ ...needs, last: first });
    expect(requests).toMatchObject({ listing: 100, details: 30 });
    expect(assumed).toEqual([expect.stringContaining('1.5% of its products')]);
  });

  it('the forecast takes no less time than the limit requires, and no less than before', () => {
    expect(forecastNight({ ...needs, requestsPerSecond: 0.5 }).seconds).toBe(332);
    expect(forecastNight({ ...needs, requestsPerSecond: 500 }).seconds).toBe(33.2);
  });

  it('the forecast never has more details than allowed, and reports the rest as deferred', () => {
    fc.assert(
      fc.property(fc.option(arbitraryNight), fc.nat(5_000), (night, maxDetails) => {
        const given = { ...needs, last: night, maxDetails };
        const { requests, deferredDetails } = forecastNight(given);
        const more = forecastNight({ ...given, maxDetails: maxDetails + 100 });
        expect(requests.total).toBe(requests.taxonomy + requests.listing + requests.details);
        expect(more.requests.details).toBeGreaterThanOrEqual(requests.details);
        expect(more.deferredDetails).toBeLessThanOrEqual(deferredDetails);
        expect(forecastNight({ ...given, backlog: 500 }).requests.details).toBeGreaterThanOrEqual(requests.details);
        expect(requests.listing).toBeGreaterThanOrEqual(1);
      }),
    );
  });

  it('the forecast includes pages of categories that waited for another night', () => {
    const rotated = { ...last, listing: 22, pagesDeferred: 80 };
    expect(forecastNight({ ...needs, last: rotated }).requests.listing).toBe(102);
  });
});

const arbitraryNight: fc.Arbitrary<PastNight> = fc.record({
  isFirst: fc.boolean(),
  listing: fc.integer({ min: 1, max: 20_000 }),
  details: fc.nat(5_000),
  pagesDeferred: fc.nat(20_000),
  samples: fc.nat(10),
  detailsFresh: fc.nat(5_000),
  detailsChosen: fc.nat(5_000),
  productsListed: fc.nat(300_000),
  seconds: fc.integer({ min: 0, max: 20_000 }),
});
