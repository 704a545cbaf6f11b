import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { classify } from '../../src/gateway/classify.ts';

const now = new Date('2026-03-05T12:00:00Z');
const plan = 'on your current plan, BASIC. Upgrade your plan at https://gateway.example/acme/api/shop';

function classified(status: number, body: unknown, headers: Record<string, string> = {}) {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  const type = typeof body === 'string' ? {} : { 'content-type': 'application/json' };
  return classify({ status, headers: { ...type, ...headers }, bytes: Buffer.from(text) }, now);
}

const html = { 'content-type': 'text/html' };
const plain = { 'content-type': 'text/plain' };
const left = (remaining: number) => ({
  'x-ratelimit-requests-limit': '500',
  'x-ratelimit-requests-remaining': String(remaining),
});

/**
 * Kind, status and body of a response, one a line of responses.txt, by the gateway that sends it. A body in quotes is
 * plain text, one in `<>` HTML.
 */
const responses = readFileSync(new URL('responses.txt', import.meta.url), 'utf8')
  .split('\n')
  .flatMap((line) => [...line.matchAll(/^ {2}(\w+) +(\d+) (.*)$/g)])
  .map(([, kind, status, body]) => [kind!, Number(status), body!] as const);

test.each(responses)('the response is %s: %i %s', (kind, status, body) => {
  const given = body.startsWith('<') ? body : JSON.parse(body);
  const headers = body.startsWith('<') ? html : body.startsWith('"') ? plain : {};
  const classification = classified(status, given, headers);
  expect(classification.kind).toBe(kind);
  expect(JSON.stringify(classification)).not.toContain('<h1>');
});

describe('limits', () => {
  test('the text of a response, not its counter, distinguishes a rate limit from a used-up quota', () => {
    const tooFast = {
      message: 'You have exceeded the rate limit per second for your plan, BASIC, by the API provider',
    };
    expect(classified(429, tooFast, left(0))).toMatchObject({ kind: 'rate_limited', waitMs: null });
    for (const period of ['MONTHLY', 'DAILY']) {
      const usedUp = { message: `You have exceeded the ${period} quota for Requests ${plan}` };
      expect(classified(429, usedUp, left(3)).kind).toBe('quota');
    }
    expect(classified(429, { message: `You have exceeded the MONTHLY quota for Tokens ${plan}` }).kind).toBe('quota');
    expect(classified(200, { message: `You have exceeded the MONTHLY quota for Requests ${plan}` }).kind).toBe('quota');
  });

  test('a limit per hour or minute is waited out in longer steps', () => {
    const text = (window: string) => ({
      message: `You have exceeded the rate limit per ${window} for your plan, PRO, by the API provider`,
    });
    expect(classified(429, text('hour'))).toMatchObject({ kind: 'rate_limited', waitMs: 300_000 });
    expect(classified(429, text('minute'))).toMatchObject({ kind: 'rate_limited', waitMs: 15_000 });
  });

  test('the counter decides if the text is not clear', () => {
    expect(classified(429, { message: 'Too many requests' }, left(7)).kind).toBe('rate_limited');
    expect(classified(429, { message: 'Too many requests' }, left(0)).kind).toBe('quota');
    expect(classified(429, 'Too Many Requests', plain).kind).toBe('rate_limited');
    expect(classified(429, '<html>', { ...html, ...left(0) }).kind).toBe('quota');
  });

  test('a limit states its wait', () => {
    const usedUp = { message: `You have exceeded the DAILY quota for Requests ${plan}` };
    expect(classified(429, usedUp, { ...left(0), 'x-ratelimit-requests-reset': '3600' })).toMatchObject({
      kind: 'quota',
      waitMs: 3_600_000,
    });
    const exceeded = { message: 'API rate limit exceeded' };
    expect(classified(429, exceeded, { 'retry-after': '7', 'ratelimit-reset': '7' })).toMatchObject({ waitMs: 7_000 });
    expect(classified(429, exceeded, { 'ratelimit-reset': '9' })).toMatchObject({ waitMs: 9_000 });
    // A wait until a date is measured by the clock of the server.
    const until = { 'retry-after': 'Thu, 01 Jan 2026 00:00:04 GMT', date: 'Thu, 01 Jan 2026 00:00:00 GMT' };
    expect(classified(503, 'down', until)).toMatchObject({ kind: 'unavailable', waitMs: 4_000 });
  });
});

describe('section 7 of the specification: errors of the vendor', () => {
  test('a failed validation is reported with the names of the fields, or with its code', () => {
    const whatOf = (issue: object, message?: string) => {
      const body = { success: false, message, error: { name: 'ZodError', issues: [issue] } };
      return classified(400, body);
    };
    const few = { code: 'too_small', minimum: 1, message: 'Array must contain at least 1 element(s)', path: ['urls'] };
    expect(whatOf(few, 'Send valid JSON')).toMatchObject({
      kind: 'refused',
      what: 'Send valid JSON; urls: Array must contain at least 1 element(s)',
    });
    expect(whatOf({ ...few, message: '' })).toMatchObject({ what: 'urls: too_small' });
    expect(whatOf({ code: 'invalid_type', path: ['radius'] })).toMatchObject({ what: 'radius: invalid_type' });
  });

  test('a failed validation and an internal failure are recognised by their bodies, whatever the status', () => {
    const issues = [{ code: 'too_small', minimum: 1, type: 'array', message: 'too few', path: ['urls'] }];
    const invalid = { success: false, message: 'Send valid JSON', error: { name: 'ZodError', issues } };
    for (const status of [200, 400, 401, 403, 404, 410, 422, 500, 503]) {
      expect(classified(status, invalid)).toMatchObject({ kind: 'refused', what: 'Send valid JSON; urls: too few' });
      expect(classified(status, { success: false, message: 'Internal server error' }).kind).toBe('unavailable');
    }
    expect(classified(429, { success: false, message: 'Internal server error' }).kind).toBe('rate_limited');
  });
});

describe('a success', () => {
  test('a success is 200 with an object that does not report a failure', () => {
    const body = { success: true, data: { a: 1 } };
    expect(classified(200, body)).toEqual({ kind: 'ok', body });
    expect(classified(200, `\u{feff}{"success":true}`).kind).toBe('ok');
  });

  test.each([
    ['HTML', '<html>hello</html>'],
    ['a truncated body', '{"success":true,"data":{"products":['],
    ['an array', '[]'],
    ['a number', '1'],
    ['nothing', ''],
    ['absurd nesting', `{"a":${'['.repeat(100_000)}${']'.repeat(100_000)}}`],
  ])('%s is not a success', (_, body) => {
    expect(classified(200, body, html).kind).toBe('unreadable');
  });

  test('an answer of the gateway instead of the listing is not a success', () => {
    expect(classified(200, { success: true }, { 'x-rapidapi-proxy-response': 'true' }).kind).toBe('unavailable');
    expect(classified(200, { success: true }, { 'x-rapidapi-mock-response': 'true' }).kind).toBe('unavailable');
  });
});

test('a redirect is refused, whatever it contains', () => {
  const classification = classified(302, { success: true }, { location: 'https://elsewhere.example/' });
  expect(classification).toEqual({ kind: 'redirect', what: 'https://elsewhere.example/', waitMs: null });
});

test('only a 200 with an object is ok, and no text can forge a log line', () => {
  const body = fc.oneof(
    fc.json(),
    fc.string(),
    fc.record({ success: fc.boolean(), message: fc.string({ unit: 'binary' }) }).map((o) => JSON.stringify(o)),
  );
  const names = ['retry-after', 'content-type', 'location', ...Object.keys(left(0)), 'x-ratelimit-requests-reset'];
  const headers = fc.dictionary(fc.constantFrom(...names), fc.oneof(fc.string(), fc.integer().map(String)));
  fc.assert(
    fc.property(fc.integer({ min: 200, max: 599 }), body, headers, (status, text, given) => {
      const classification = classified(status, text, given);
      if (status !== 200) expect(classification.kind).not.toBe('ok');
      if ('what' in classification) expect(classification.what).not.toMatch(/[\n\r]/);
      if (classification.kind === 'unavailable' && classification.waitMs !== null) {
        expect(classification.waitMs).toBeGreaterThanOrEqual(500);
        expect(classification.waitMs).toBeLessThanOrEqual(900_000);
      }
    }),
  );
});
