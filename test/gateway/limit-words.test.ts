import { expect, test } from 'vitest';
import { classify } from '../../src/gateway/classify.ts';

const now = new Date('2026-03-05T12:00:00Z');
const json = { 'content-type': 'application/json' };

const classified = (status: number, body: unknown, headers: Record<string, string> = json) =>
  classify({ status, headers, bytes: Buffer.from(typeof body === 'string' ? body : JSON.stringify(body)) }, now);

test.each([
  'You have exceeded your monthly quota',
  'MONTHLY QUOTA EXCEEDED',
  'The allowance of your plan is exhausted.',
  'Your request limit has been reached',
  'Limit reached for today',
  'You have used up your quota',
  'All credits have been used up',
  'Out of call volume quota. Quota will be replenished in 22.14:18:12.',
  'You are out of credits',
  'Your account has run out of credits',
  'Quota depleted',
  'Insufficient quota',
  'You have no requests left this month',
  'Too many requests this month',
  'Daily rate limit exceeded',
  'You have exceeded the number of requests of your plan',
  'dailyLimitExceeded',
  'OVER_QUOTA',
])('a 429 that says "%s" is a used-up quota', (message) => {
  expect(classified(429, { message })).toMatchObject({ kind: 'quota', what: message });
  expect(classified(429, message, { 'content-type': 'text/plain' })).toMatchObject({ kind: 'quota', what: message });
});

test.each([
  'rate limit exceeded',
  'API rate limit exceeded',
  'RATE_LIMIT_EXCEEDED',
  'Too many requests per second',
  'limit of 5 requests per second exceeded',
  'You have reached the limit of 10 requests/s',
  'Quota exceeded: 100 requests per minute',
  'Too Many Requests',
  'Concurrent request limit reached',
  'Request was throttled',
  'Come back when the moon is full',
  'Rate limit exceeded. Upgrade your plan at https://gateway.example/pricing',
  'Too many requests for your plan',
])('a 429 that says "%s" asks for a slower pace', (message) => {
  expect(classified(429, { message }).kind).toBe('rate_limited');
});

test.each([
  [403, { statusCode: 403, message: 'Out of call volume quota. Quota will be replenished in 22.14:18:12.' }],
  [402, { message: 'You have reached the limit.', reason: 'MONTHLY_REQUEST_COUNT' }],
  [401, { error: 'Your quota is exhausted' }],
  [200, { success: false, error: { code: 104, type: 'usage_limit_reached', info: 'Your limit has been reached.' } }],
  [200, { error: 'Monthly usage limit reached' }],
  [403, { errors: ['You have used all requests of this month'] }],
  [403, { errors: [{ code: 'QUOTA_EXCEEDED' }] }],
  [200, { success: false, data: { error: { message: 'Quota exceeded' } } }],
  [403, { fault: { faultstring: 'Out of quota', detail: { errorcode: 'policies.QuotaViolation' } } }],
  [400, { type: 'about:blank', title: 'Quota exceeded', detail: 'No calls are left.' }],
  [503, { success: false, error: { message: 'Monthly quota exceeded' } }],
])('a quota is told with %i by %j', (status, body) => {
  expect(classified(status, body).kind).toBe('quota');
});

test.each([
  ['denied', 403, { message: 'You are not subscribed to this API.' }],
  ['denied', 401, { message: 'Invalid API key' }],
  ['denied', 429, { message: 'You are not subscribed to this API.' }],
  ['denied', 402, { message: 'Payment Required' }],
  ['denied', 200, { success: false, error: { code: 101, type: 'invalid_access_key', info: 'No valid key.' } }],
  ['refused', 400, { success: false, message: 'The length of a keyword exceeds the limit of 100' }],
  ['refused', 413, { message: 'Request size limit exceeded' }],
  ['unavailable', 500, { success: false, message: 'Disk quota exceeded' }],
  ['unavailable', 200, { error: 'Something went wrong' }],
  ['ok', 200, { success: true, data: { products: [{ title: 'Quota exceeded' }] } }],
  ['ok', 200, { data: { message: 'Monthly limit reached' } }],
  ['ok', 200, { status: 'up', error: null, errors: [] }],
])('%s: %i %j is about no limit', (kind, status, body) => {
  expect(classified(status, body).kind).toBe(kind);
});

test.each([
  [{ success: false, error: { code: 12, type: 'odd_thing', info: 'It is odd.' } }, '12 odd_thing: It is odd.'],
  [{ success: false, error: { message: 'It is odd.' } }, 'It is odd.'],
  [{ success: false, error: 'It is odd.' }, 'It is odd.'],
  [{ success: false, errors: ['It is odd.', { message: 'And more.' }] }, 'It is odd.; And more.'],
  [{ success: false, detail: 'It is odd.' }, 'It is odd.'],
  [{ success: false, response: { error: { error: { message: 'It is odd.' } } } }, 'It is odd.'],
])('the failure %j is quoted', (body, said) => {
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
