import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { classify } from '../../src/gateway/classify.ts';
import { longestWaitMs, readQuota, readReset, shortestWaitMs } from '../../src/gateway/quota.ts';

const now = new Date('2026-03-05T12:00:00Z');

/** Milliseconds that a refusal with this header asks for. */
function readRetryAfter(header: string | undefined): number | null {
  const refused = classify({ status: 429, headers: { 'retry-after': header }, bytes: Buffer.from('{}') }, now);
  return refused.kind === 'ok' ? null : refused.waitMs;
}

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
    expect(readRetryAfter(header)).toBe(expected);
  });

  test('is ignored if it is not a number, negative or too long', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.double().map(String), fc.integer().map(String)), (header) => {
        const ms = readRetryAfter(header);
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
    const ms = readReset(header, now);
    expect(ms === null ? null : new Date(now.getTime() + ms)).toEqual(expected);
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

  test('the quota is the smallest of numbers that a proxy repeats or merges', () => {
    const headers = {
      'x-ratelimit-requests-limit': '100, 100',
      'x-ratelimit-requests-remaining': ['50', '49'],
      'x-ratelimit-requests-reset': '3600, 3600',
    };
    expect(readQuota(headers, now)).toEqual({ limit: 100, remaining: 49, resetsAt: new Date('2026-03-05T13:00:00Z') });
  });

  test('the quota is the hard limit of free plans if that is less', () => {
    const headers = {
      'x-ratelimit-requests-limit': '100',
      'x-ratelimit-requests-remaining': '50',
      'x-ratelimit-rapid-free-plans-hard-limit-limit': '500000',
      'x-ratelimit-rapid-free-plans-hard-limit-remaining': '0',
      'x-ratelimit-rapid-free-plans-hard-limit-reset': '60',
    };
    expect(readQuota(headers, now)).toMatchObject({ limit: 500_000, remaining: 0 });
  });

  test('an implausible quota is ignored', () => {
    expect(readQuota({}, now)).toBeNull();
    expect(readQuota({ 'x-ratelimit-requests-limit': 'many', 'x-ratelimit-requests-remaining': '3' }, now)).toBeNull();
    expect(readQuota({ 'x-ratelimit-requests-limit': '0', 'x-ratelimit-requests-remaining': '0' }, now)).toBeNull();
  });
});
