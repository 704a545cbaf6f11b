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

describe('the marketplace', () => {
  test.each([
    [
      'an invalid key',
      401,
      { message: 'Invalid API key. Go to https://docs.gateway.example/keys for more info.' },
      'denied',
    ],
    [
      'an invalid key, told with 403',
      403,
      { message: 'Invalid API key. Go to https://docs.gateway.example/keys for more info.' },
      'denied',
    ],
    ['a subscription that is not paid for', 402, { message: 'Payment Required' }, 'denied'],
    ['a subscription that is not paid for, told by a page', 402, '<html>', 'denied'],
    ['no subscription', 403, { message: 'You are not subscribed to this API.' }, 'denied'],
    [
      'an endpoint outside the plan',
      401,
      { message: 'This endpoint is disabled for your subscription' },
      'endpoint_disabled',
    ],
    ['an unknown path', 404, { message: "Endpoint '/x' does not exist" }, 'endpoint_missing'],
    ['an unknown path in the older wording', 404, { message: 'Endpoint/x does not exist' }, 'endpoint_missing'],
    ['an unknown listing', 404, { message: "API doesn't exists" }, 'endpoint_missing'],
    [
      'an unreachable upstream',
      502,
      {
        messages: 'The API is unreachable, please contact the API provider',
        info: 'Your Client (working) ---> Gateway (working) ---> API (not working)',
      },
      'unavailable',
    ],
    [
      'a slow upstream',
      504,
      {
        messages:
          'The request to the API has timed out. Please try again later, or if the issue persists, ' +
          'please contact the API provider',
      },
      'unavailable',
    ],
    [
      'a place it does not serve',
      403,
      { message: 'Sorry, we are unable to provide services to your location' },
      'denied',
    ],
  ])('%s', (_, status, body, kind) => {
    expect(classified(status, body).kind).toBe(kind);
  });

  test('an unserved place may be reported in plain text', () => {
    expect(classified(403, 'Sorry, we are unable to provide services to your location', plain).kind).toBe('denied');
  });

  test('the text of a response, not its counter, distinguishes a rate limit from a used-up quota', () => {
    const tooFast = {
      message: 'You have exceeded the rate limit per second for your plan, BASIC, by the API provider',
    };
    expect(classified(429, tooFast, left(0))).toMatchObject({ kind: 'rate_limited', windowMs: 1_000 });
    for (const period of ['MONTHLY', 'DAILY']) {
      const usedUp = { message: `You have exceeded the ${period} quota for Requests ${plan}` };
      expect(classified(429, usedUp, left(3)).kind).toBe('quota');
    }
    expect(classified(429, { message: `You have exceeded the MONTHLY quota for Tokens ${plan}` }).kind).toBe('quota');
  });

  test('a limit per hour or minute is waited out in longer steps', () => {
    const text = (window: string) => ({
      message: `You have exceeded the rate limit per ${window} for your plan, PRO, by the API provider`,
    });
    expect(classified(429, text('hour'))).toMatchObject({ kind: 'rate_limited', windowMs: 300_000 });
    expect(classified(429, text('minute'))).toMatchObject({ kind: 'rate_limited', windowMs: 15_000 });
  });

  test('the counter decides if the text is not clear', () => {
    expect(classified(429, { message: 'Too many requests' }, left(7)).kind).toBe('rate_limited');
    expect(classified(429, { message: 'Too many requests' }, left(0)).kind).toBe('quota');
    expect(classified(429, 'Too Many Requests', plain).kind).toBe('rate_limited');
    expect(classified(429, '<html>', { ...html, ...left(0) }).kind).toBe('quota');
  });

  test('a used-up quota comes with the time of its reset', () => {
    const headers = { ...left(0), 'x-ratelimit-requests-reset': '3600' };
    const classification = classified(
      429,
      { message: `You have exceeded the DAILY quota for Requests ${plan}` },
      headers,
    );
    expect(classification).toMatchObject({ kind: 'quota', until: new Date('2026-03-05T13:00:00Z') });
  });

  test('a quota text that arrives with 200 is still a quota', () => {
    expect(classified(200, { message: `You have exceeded the MONTHLY quota for Requests ${plan}` }).kind).toBe('quota');
  });

  test.each([502, 503, 504])("an error page of the marketplace's edge with status %i means unavailable", (status) => {
    const classification = classified(status, '<html><h1>Bad gateway</h1></html>', html);
    expect(classification.kind).toBe('unavailable');
    expect(JSON.stringify(classification)).not.toContain('<h1>');
  });
});

describe('Kong', () => {
  test.each([
    [
      'no key',
      401,
      { message: 'No API key found in request', request_id: 'a1' },
      { 'www-authenticate': 'Key' },
      'denied',
    ],
    ['an invalid key', 401, 'Unauthorized', plain, 'denied'],
    ['an invalid key in JSON', 401, { message: 'Unauthorized' }, {}, 'denied'],
    ['no consumer right', 403, { message: 'You cannot consume this service' }, {}, 'denied'],
    ['no route', 404, { message: 'no Route matched with those values' }, {}, 'endpoint_missing'],
    [
      'a bad upstream',
      502,
      { message: 'An invalid response was received from the upstream server' },
      {},
      'unavailable',
    ],
    ['no upstream', 503, { message: 'failure to get a peer from the ring-balancer' }, {}, 'unavailable'],
    ['a slow upstream', 504, { message: 'The upstream server is timing out' }, {}, 'unavailable'],
    ['an error in HTML', 503, '<!doctype html><h1>Error</h1>', html, 'unavailable'],
  ])('%s', (_, status, body, headers, kind) => {
    expect(classified(status, body, headers as Record<string, string>).kind).toBe(kind);
  });

  test('a rate limit states its wait', () => {
    const classification = classified(
      429,
      { message: 'API rate limit exceeded' },
      { 'retry-after': '7', 'ratelimit-reset': '7' },
    );
    expect(classification).toMatchObject({ kind: 'rate_limited', retryAfterMs: 7_000 });
    expect(classified(429, { message: 'API rate limit exceeded' }, { 'ratelimit-reset': '9' })).toMatchObject({
      retryAfterMs: 9_000,
    });
  });

  test('a wait until a date is measured by the clock of the server', () => {
    const headers = { 'retry-after': 'Thu, 01 Jan 2026 00:00:04 GMT', date: 'Thu, 01 Jan 2026 00:00:00 GMT' };
    expect(classified(503, 'down', headers)).toMatchObject({ kind: 'unavailable', retryAfterMs: 4_000 });
  });
});

describe('AWS API Gateway', () => {
  test.each([
    ['a bad key', 403, { message: 'Forbidden' }, 'denied'],
    ['no token', 403, { message: 'Missing Authentication Token' }, 'denied'],
    ['throttling', 429, { message: 'Too Many Requests' }, 'rate_limited'],
    ['a used-up quota', 429, { message: 'Limit Exceeded' }, 'quota'],
    ['a slow integration', 504, { message: 'Endpoint request timed out' }, 'unavailable'],
    ['its own misconfiguration', 500, { message: 'Internal server error' }, 'unavailable'],
    ['too large a request', 413, { message: 'Request Too Long' }, 'refused'],
  ])('%s', (_, status, body, kind) => {
    expect(classified(status, body).kind).toBe(kind);
  });
});

describe('section 7 of the specification: errors of the vendor', () => {
  test.each([
    [
      'a wrong question',
      400,
      { success: false, message: 'Invalid request: Query is required', error: 'VALIDATION_ERROR' },
      'refused',
    ],
    [
      'a failure',
      500,
      { success: false, message: 'Internal server error. Please try again later.', error: 'INTERNAL_ERROR' },
      'unavailable',
    ],
    [
      'a failure behind it',
      502,
      { success: false, message: 'Upstream is currently unavailable.', error: 'TESCO_API_ERROR' },
      'unavailable',
    ],
    ['no such thing', 404, { success: false, message: 'Product not found', error: 'NOT_FOUND' }, 'not_there'],
    [
      'being turned away itself',
      403,
      { success: false, message: 'Forbidden', error: 'TESCO_API_ERROR' },
      'unavailable',
    ],
    [
      'a failure told with 200',
      200,
      { success: false, message: 'Internal server error', error: 'INTERNAL_ERROR' },
      'unavailable',
    ],
    ['a wrong question told with 200', 200, { success: false, message: 'no', error: 'VALIDATION_ERROR' }, 'refused'],
  ])('%s', (_, status, body, kind) => {
    expect(classified(status, body).kind).toBe(kind);
  });

  test('a failed validation is reported with the names of the fields', () => {
    const issues = [
      {
        code: 'too_small',
        minimum: 1,
        type: 'array',
        inclusive: true,
        exact: false,
        message: 'Array must contain at least 1 element(s)',
        path: ['urls'],
      },
    ];
    const body = { success: false, message: 'Send valid JSON', error: { name: 'ZodError', issues } };
    const classification = classified(400, body);
    expect(classification).toMatchObject({
      kind: 'refused',
      what: 'Send valid JSON; urls: Array must contain at least 1 element(s)',
    });
  });

  test('a validation issue without a readable text is described by its code and bound', () => {
    const tooSmall = { code: 'too_small', minimum: 1, type: 'array', inclusive: true, exact: false, path: ['urls'] };
    const said = (issue: object) => {
      const body = { success: false, error: { name: 'ZodError', issues: [issue] } };
      return (classified(400, body) as { readonly what: string }).what;
    };
    expect(said(tooSmall)).toBe('urls: too_small: array of at least 1');
    expect(said({ ...tooSmall, exact: true, message: '' })).toBe('urls: too_small: array of exactly 1');
    expect(said({ ...tooSmall, inclusive: false, minimum: 0 })).toBe('urls: too_small: array of more than 0');
    expect(said({ code: 'invalid_type', path: ['radius'] })).toBe('radius: invalid_type');
    expect(said({})).toBe('not valid');
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

  test("the vendor's texts are not mistaken for the gateway’s", () => {
    const body = { success: true, data: {}, message: 'This endpoint is disabled for your subscription' };
    expect(classified(200, body).kind).toBe('ok');
  });
});

describe('a success', () => {
  test('a success is 200 with an object that does not report a failure', () => {
    expect(classified(200, { success: true, data: { a: 1 } })).toEqual({
      kind: 'ok',
      body: { success: true, data: { a: 1 } },
    });
    expect(classified(200, { status: 'up' }).kind).toBe('ok');
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
    expect(classified(200, body, html).kind).toBe('unavailable');
  });

  test('an answer of the gateway instead of the listing is not a success', () => {
    expect(classified(200, { success: true }, { 'x-rapidapi-proxy-response': 'true' }).kind).toBe('unavailable');
    expect(classified(200, { success: true }, { 'x-rapidapi-mock-response': 'true' }).kind).toBe('unavailable');
  });
});

test('a redirect is refused, whatever it contains', () => {
  const classification = classified(302, { success: true }, { location: 'https://elsewhere.example/' });
  expect(classification).toEqual({ kind: 'redirect', to: 'https://elsewhere.example/' });
});

test('an unknown answer is classified as unknown', () => {
  expect(classified(404, '<html>', html).kind).toBe('unknown');
  expect(classified(418, { message: 'a teapot' }).kind).toBe('unknown');
  expect(classified(204, '').kind).toBe('unknown');
  expect(classified(403, '<html>blocked</html>', html).kind).toBe('unknown');
});

test('only a 200 with an object is ok, and no text can forge a log line', () => {
  const body = fc.oneof(
    fc.json(),
    fc.string(),
    fc.record({ success: fc.boolean(), message: fc.string({ unit: 'binary' }) }).map((o) => JSON.stringify(o)),
  );
  const headers = fc.dictionary(
    fc.constantFrom(
      'retry-after',
      'content-type',
      'x-ratelimit-requests-remaining',
      'x-ratelimit-requests-limit',
      'x-ratelimit-requests-reset',
      'location',
    ),
    fc.oneof(fc.string(), fc.integer().map(String)),
  );
  fc.assert(
    fc.property(fc.integer({ min: 200, max: 599 }), body, headers, (status, text, given) => {
      const classification = classified(status, text, given);
      if (status !== 200) expect(classification.kind).not.toBe('ok');
      if ('what' in classification) expect(classification.what).not.toMatch(/[\n\r]/);
      if ('retryAfterMs' in classification && classification.retryAfterMs !== null) {
        expect(classification.retryAfterMs).toBeGreaterThanOrEqual(500);
        expect(classification.retryAfterMs).toBeLessThanOrEqual(900_000);
      }
    }),
  );
});
