import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { longestWaitMs, readQuota, readReset, readRetryAfter, shortestWaitMs } from '../../src/gateway/quota.ts';
import { backoffMs, createRetryBudget, createRetryPolicy, paceWaitMs } from '../../src/gateway/retry.ts';

const now = new Date('2026-03-05T12:00:00Z');

describe('Retry-After', () => {
  test.each([
    ['7', 7_000],
    ['1.5', 1_500],
    ['0', shortestWaitMs],
    ['-5', shortestWaitMs],
    ['Thu, 05 Mar 2026 12:00:30 GMT', 30_000],
    ['Thu, 05 Mar 2026 11:00:00 GMT', shortestWaitMs],
    ['31536000', longestWaitMs],
    ['soon', null],
    ['', null],
    [undefined, null],
  ])('%s is read as %s ms', (header, expected) => {
    expect(readRetryAfter(header, now)).toBe(expected);
  });

  test('is ignored if it is not a number, negative or too long', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.double().map(String), fc.integer().map(String)), (header) => {
        const ms = readRetryAfter(header, now);
        if (ms !== null) {
          expect(ms).toBeGreaterThanOrEqual(shortestWaitMs);
          expect(ms).toBeLessThanOrEqual(longestWaitMs);
        }
      }),
    );
  });
});

describe('the reset of a window', () => {
  test.each([
    ['2163603', new Date(now.getTime() + 2_163_603_000)],
    [String(now.getTime() / 1_000 + 60), new Date(now.getTime() + 60_000)],
    [String(now.getTime() + 60_000), new Date(now.getTime() + 60_000)],
    [new Date(now.getTime() + 60_000).toUTCString(), new Date(now.getTime() + 60_000)],
    [new Date(now.getTime() + 60_000).toISOString(), new Date(now.getTime() + 60_000)],
    [new Date(now.getTime() - 60_000).toUTCString(), null],
    ['-1', null],
    ['99999999999999999', null],
    ['never', null],
    [undefined, null],
  ])('a reset of %s is read by its magnitude, or as a date', (header, expected) => {
    expect(readReset(header, now)).toEqual(expected);
  });
});

describe('the quota in the headers', () => {
  test('the quota is that of the marketplace, or the monthly counter of a gateway', () => {
    const headers = {
      'x-ratelimit-requests-limit': '500',
      'x-ratelimit-requests-remaining': '-3',
      'x-ratelimit-requests-reset': '60',
    };
    expect(readQuota(headers, now)).toEqual({ limit: 500, remaining: 0, resetsAt: new Date('2026-03-05T12:01:00Z') });
    expect(readQuota({ 'x-ratelimit-limit-month': '9', 'x-ratelimit-remaining-month': '4' }, now)).toEqual({
      limit: 9,
      remaining: 4,
      resetsAt: new Date('2026-04-01T00:00:00Z'),
    });
    expect(readQuota({ 'x-ratelimit-limit-day': '9', 'x-ratelimit-remaining-day': '4' }, now)).toMatchObject({
      resetsAt: new Date('2026-03-06T00:00:00Z'),
    });
  });

  test('an implausible quota is ignored', () => {
    expect(readQuota({}, now)).toBeNull();
    expect(readQuota({ 'x-ratelimit-requests-limit': 'many', 'x-ratelimit-requests-remaining': '3' }, now)).toBeNull();
    expect(readQuota({ 'x-ratelimit-requests-limit': '0', 'x-ratelimit-requests-remaining': '0' }, now)).toBeNull();
  });
});

describe('the delay before a retry', () => {
  test('the delay is random up to a ceiling that doubles', () => {
    expect([1, 2, 3, 4].map((failures) => backoffMs(failures, () => 0.5))).toEqual([500, 1_000, 2_000, 4_000]);
    expect(backoffMs(1, () => 0)).toBe(0);
    expect(backoffMs(60, () => 0.999)).toBeLessThan(30_000);
    expect(backoffMs(1, () => 0, 7_000)).toBe(7_000);
  });

  test('the delay after a rate limit is a little longer than the window', () => {
    expect(paceWaitMs(1, 1_000, () => 0)).toBe(1_100);
    expect(paceWaitMs(1, 1_000, () => 0.999)).toBeLessThan(1_650);
    expect(paceWaitMs(3, 1_000, () => 0)).toBe(4_400);
    expect(paceWaitMs(1, 1_000, () => 0, 7_000)).toBe(7_000);
  });

  test('retries end after three failures or a minute of rate limits, and never begin for permanent answers', () => {
    const retryPolicy = () => createRetryPolicy(createRetryBudget(), () => 0.5);
    const failing = retryPolicy();
    const down = { kind: 'unavailable', what: '', retryAfterMs: null } as const;
    expect([failing(down), failing(down), failing(down)]).toEqual([500, 1_000, null]);

    const hurried = retryPolicy();
    const tooFast = { kind: 'rate_limited', windowMs: 1_000, retryAfterMs: null } as const;
    const waits: (number | null)[] = [];
    do waits.push(hurried(tooFast));
    while (waits.at(-1) !== null);
    expect(waits.filter((ms) => ms !== null).reduce((a, b) => a + b, 0)).toBeLessThanOrEqual(60_000);
    expect(waits.length).toBeGreaterThan(3);

    expect(retryPolicy()({ kind: 'denied', what: '' })).toBeNull();
    expect(retryPolicy()({ ...down, retryAfterMs: 600_000 })).toBeNull();
  });

  test('there are no retries if most requests fail', () => {
    const budget = createRetryBudget();
    const down = { kind: 'unavailable', what: '', retryAfterMs: null } as const;
    const retried = () => createRetryPolicy(budget, () => 0.5)(down) !== null;
    const often = Array.from({ length: 100 }, retried).filter(Boolean).length;
    expect(often).toBe(20);
    for (let i = 0; i < 15; i += 1) budget.succeeded();
    expect([retried(), retried()]).toEqual([true, false]);
  });
});
