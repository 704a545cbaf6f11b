import { expect, test } from 'vitest';
import { classify } from '../../src/gateway/classify.ts';
import cases from './limit-words.json' with { type: 'json' };

// Messages and bodies of limit-words.json, by test; with the kind, the status or the quotation expected of them.

const now = new Date('2026-03-05T12:00:00Z');
const json = { 'content-type': 'application/json' };

const classified = (status: number, body: unknown, headers: Record<string, string> = json) =>
  classify({ status, headers, bytes: Buffer.from(typeof body === 'string' ? body : JSON.stringify(body)) }, now);

test.each(cases.usedUp)('a 429 that says "%s" is a used-up quota', (message) => {
  expect(classified(429, { message })).toMatchObject({ kind: 'quota', what: message });
  expect(classified(429, message, { 'content-type': 'text/plain' })).toMatchObject({ kind: 'quota', what: message });
});

test.each(cases.tooFast)('a 429 that says "%s" asks for a slower pace', (message) => {
  expect(classified(429, { message }).kind).toBe('rate_limited');
});

test.each(cases.quotas as [number, object][])('a quota is told with %i by %j', (status, body) => {
  expect(classified(status, body).kind).toBe('quota');
});

test.each(cases.others as [string, number, object][])('%s: %i %j is about no limit', (kind, status, body) => {
  expect(classified(status, body).kind).toBe(kind);
});

test.each(cases.failures as [object, string][])('the failure %j is quoted', (body, said) => {
  for (const status of [200, 500, 503]) {
    const { what } = classified(status, body) as { what: string };
    expect(what).toMatch(new RegExp(`^HTTP ${status}[,:] `));
    expect(what).toContain(said);
  }
});

const hour = 3_600_000;
test.each([
  [
    { message: 'Out of quota. Quota will be replenished in 22.14:18:12.' },
    {},
    ((22 * 24 + 14) * 60 + 18) * 60_000 + 12_000,
  ],
  [{ message: 'Quota exceeded, try again in 14:18:12' }, {}, 14 * hour + 18 * 60_000 + 12_000],
  [{ message: 'Quota exceeded. It resets in 3 days' }, {}, 72 * hour],
  [{ message: 'Quota exceeded. It resets in 1 day and 2 hours.' }, {}, 26 * hour],
  [{ message: 'Quota exceeded. Renews at 2026-03-06T12:00:00Z' }, {}, 24 * hour],
  [{ message: 'Quota exceeded. Renews on 2026-03-06' }, {}, 12 * hour],
  [{ message: 'Quota exceeded', retry_after: 7_200 }, {}, 2 * hour],
  [{ error: { code: 'QUOTA_EXCEEDED', resetAt: '2026-03-05T14:00:00Z' } }, {}, 2 * hour],
  [{ message: 'Quota exceeded' }, { 'retry-after': '7200' }, 2 * hour],
  [{ message: 'Quota exceeded' }, { 'x-ratelimit-reset': '7200' }, 2 * hour],
  [{ message: 'Quota exceeded' }, {}, null],
  [{ message: 'Quota exceeded. Renews at 2026-99-99' }, {}, null],
  [{ message: 'Quota exceeded. It was reset at 2026-03-01T00:00:00Z' }, {}, null],
  [{ message: 'Quota exceeded, try again later' }, {}, null],
])('the wait that %j with the headers %j states is read', (body, headers, waitMs) => {
  expect(classified(403, body, { ...json, ...headers })).toMatchObject({ kind: 'quota', waitMs });
});

test('a stated pace is waited for, a quarter of an hour at most', () => {
  expect(classified(429, { message: 'Rate limit exceeded, retry in 20 seconds' })).toMatchObject({ waitMs: 20_000 });
  expect(classified(429, { message: 'Rate limit exceeded, retry in 20 hours' })).toMatchObject({ waitMs: 900_000 });
});
