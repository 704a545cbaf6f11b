import fc from 'fast-check';
import { expect, test } from 'vitest';
import { barLine, plainLine } from '../../../src/cli/progress/line.ts';
import { createMeter } from '../../../src/cli/progress/meter.ts';
import type { Run } from '../../../src/crawl/ledger/runs.ts';
import type { Progress } from '../../../src/crawl/status/progress.ts';

const run = { runId: 1, region: 'uk', status: 'open', phase: 'listing', maxDetails: 0 } as Run;
const nothing: Progress = {
  pagesPlanned: 0,
  pagesDone: 0,
  pagesFailed: 0,
  productsRead: 0,
  detailsPlanned: 0,
  detailsDone: 0,
  requests: 0,
  cost: null,
};

test('rates and time left follow from two looks', () => {
  const meter = createMeter();
  meter.read(run, { ...nothing, pagesPlanned: 100 }, 0);
  const reading = meter.read(
    run,
    { ...nothing, pagesPlanned: 100, pagesDone: 20, productsRead: 480, requests: 21 },
    2_000,
  );
  expect(reading).toMatchObject({ share: 0.2, productsPerSecond: 240, requestsPerSecond: 10.5, secondsLeft: 8 });
});

test('rates are those of the last ten seconds', () => {
  const meter = createMeter();
  for (let second = 0; second <= 60; second++) {
    const productsRead = second <= 30 ? second * 100 : 3_000;
    const reading = meter.read(run, { ...nothing, pagesPlanned: 9, productsRead }, second * 1_000);
    if (second === 30) expect(reading.productsPerSecond).toBe(100);
    if (second === 60) expect(reading).toMatchObject({ productsPerSecond: 0, secondsLeft: null });
  }
});

test('before details are planned, those that may come are counted in', () => {
  const meter = createMeter();
  const progress = { ...nothing, pagesPlanned: 100, pagesDone: 50 };
  expect(meter.read({ ...run, maxDetails: 100 }, progress, 0).share).toBe(0.25);
  const later: Run = { ...run, maxDetails: 100, phase: 'details' };
  expect(meter.read(later, { ...progress, pagesDone: 100, detailsPlanned: 0 }, 1_000).share).toBe(1);
});

test('two regions are measured apart', () => {
  const meter = createMeter();
  meter.read(run, nothing, 0);
  meter.read({ ...run, runId: 2, region: 'ie' }, { ...nothing, productsRead: 900 }, 0);
  expect(meter.read(run, { ...nothing, productsRead: 10 }, 1_000).productsPerSecond).toBe(10);
});

test.each([
  [110, /^uk {2}█{8}░{16} {3}34 % · 1,176 products\/s · 52 requests\/s · 4 s left · reading the pages$/],
  [90, /^uk {2}█+░+ {3}34 % · 1,176 products\/s · 52 requests\/s · 4 s left · reading the pages$/],
  [80, /^uk {2}█+░+ {3}34 % · 1,176 products\/s · 4 s left · reading the pages$/],
  [60, /^uk {2}█+░+ {3}34 % · 4 s left · reading the pages$/],
])('on a terminal of %d columns no word of a line is cut', (width, expected) => {
  const reading = createMeter().read(run, { ...nothing, pagesPlanned: 100, pagesDone: 34 }, 0);
  const line = barLine({ ...reading, productsPerSecond: 1_176, requestsPerSecond: 52, secondsLeft: 4 }, width);
  expect(line).toMatch(expected);
  expect(line.length).toBeLessThan(width);
});

test('whatever the ledger says, the share is between none and all, and a line can be drawn', () => {
  const number = fc.nat(10_000);
  const progress = fc.record<Progress>({
    pagesPlanned: number,
    pagesDone: number,
    pagesFailed: number,
    productsRead: number,
    detailsPlanned: number,
    detailsDone: number,
    requests: number,
    cost: fc.option(
      fc.record({ amount: fc.nat(999).map((cents) => (cents / 100).toFixed(2)), currency: fc.constant('USD') }),
    ),
  });
  const phase = fc.constantFrom<Run['phase']>('taxonomy', 'listing', 'details', 'finishing', 'over');
  fc.assert(
    fc.property(
      fc.array(fc.tuple(progress, phase), { minLength: 1 }),
      fc.integer({ min: 1, max: 200 }),
      (looks, width) => {
        const meter = createMeter();
        for (const [i, [each, at]] of looks.entries()) {
          const reading = meter.read({ ...run, phase: at }, each, i * 250);
          expect(reading.share).toBeGreaterThanOrEqual(0);
          expect(reading.share).toBeLessThanOrEqual(1);
          expect(`${plainLine(reading)}${barLine(reading, width)}`).not.toMatch(/NaN|Infinity|-\d/);
        }
      },
    ),
  );
});
