import { createHash } from 'node:crypto';
import type { RequestListener } from 'node:http';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import type { Payload } from '../../src/base/model/index.ts';
import { useDatabase } from '../support/database.ts';
import { json, type Process, question, sentinelKey, type Upstream, withGateway, withUpstream } from './upstream.ts';

const database = useDatabase();

const page = { success: true, data: { products: [{ title: 'Crème fraîche' }] } };
const answered: RequestListener = (_, response) => json(response, 200, page);
const silent: RequestListener = () => undefined;

/** A gateway and the upstream that it asks, for as long as `use` runs. */
const asking = (
  answer: RequestListener,
  use: (asked: Process & Upstream) => Promise<unknown>,
  { base = '', ...needs }: Parameters<typeof withGateway>[3] & { base?: string } = {},
) =>
  withUpstream(answer, (upstream) =>
    withGateway(
      database.db,
      `${upstream.url}${base}`,
      async (gateway, outcomes) => void (await use({ gateway, outcomes, ...upstream })),
      needs,
    ),
  );

describe('a successful request', () => {
  test('section 4 of the specification: every request is a GET with host, key and content type', async () => {
    await asking(answered, async ({ gateway, outcomes, requests }) => {
      const { payload, body } = await gateway.ask(question);
      expect(requests.map(({ method }) => method)).toEqual(['GET']);
      expect(requests[0]?.headers).toMatchObject({
        'x-gateway-host': 'grocery.simulator',
        'x-gateway-key': sentinelKey,
        'content-type': 'application/json',
        accept: 'application/json',
        'accept-encoding': 'gzip',
      });
      expect(requests[0]?.headers['content-length'] ?? requests[0]?.headers['transfer-encoding']).toBeUndefined();
      // The response is returned as received, with the host and without the key.
      expect(body).toEqual(page);
      expect(Buffer.from(payload.body).toString()).toBe(JSON.stringify(page));
      expect(payload).toMatchObject({
        ...{ listing: 'grocery', endpoint: 'uk-category-page', region: 'uk', host: 'grocery.simulator', status: 200 },
        ...{ request: '/category-page?categoryId=b%3BQSUyMEI%3D&pageNo=2' },
        sha256: createHash('sha256').update(payload.body).digest('hex'),
      });
      expect(JSON.stringify({ ...payload, body: null })).not.toContain(sentinelKey);
      expect(outcomes).toEqual(['ok']);
    });
  });

  test('a response that echoes the key, plain or compressed, is stored without it', async () => {
    const echoing: RequestListener = (request, response) => {
      const echo = JSON.stringify({ success: true, data: { a: request.headers, b: request.headers['x-gateway-key'] } });
      if (request.url?.includes('pageNo=2')) response.writeHead(200).end(echo);
      else response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(echo));
    };
    await asking(echoing, async ({ gateway }) => {
      for (const pageNo of ['2', '3']) {
        const { payload, body } = await gateway.ask({ ...question, query: { pageNo } });
        const kept = Buffer.from(payload.body);
        expect(kept.toString() + JSON.stringify(body)).not.toContain(sentinelKey);
        expect(JSON.parse(kept.toString())).toEqual(body);
        expect(body).toMatchObject({ data: { b: '*'.repeat(sentinelKey.length) } });
        expect(payload.sha256).toBe(createHash('sha256').update(kept).digest('hex'));
      }
    });
  });

  test('a request uses the marketplace’s own header names, and a path in the base URL', async () => {
    const use = async ({ gateway, requests }: Process & Upstream) => {
      await gateway.ask(question);
      expect(requests[0]?.headers['x-rapidapi-key']).toBe(sentinelKey);
      expect(requests[0]?.headers['x-gateway-key']).toBeUndefined();
      expect(requests[0]?.url).toMatch(/^\/shop\/category-page\?/);
    };
    await asking(answered, use, { base: '/shop', headerPrefix: 'X-RapidAPI' });
  });

  test('a response may be compressed with gzip, and reports the quota', async () => {
    const headers = {
      'content-encoding': 'gzip',
      'x-ratelimit-requests-limit': '500',
      'x-ratelimit-requests-remaining': '499',
    };
    const compressed: RequestListener = (_, response) =>
      response.writeHead(200, headers).end(gzipSync(JSON.stringify(page)));
    await asking(compressed, async ({ gateway }) => {
      expect((await gateway.ask(question)).body).toEqual(page);
      await gateway.write();
      const { rows } = await database.db.query('select quota_limit, quota_remaining from ops.listing');
      expect(rows).toEqual([{ quota_limit: 500, quota_remaining: 499 }]);
    });
  });
});

describe('a failure', () => {
  test('a transient failure is retried, and every attempt is counted', async () => {
    let asked = 0;
    const down = { success: false, message: 'down', error: 'TESCO_API_ERROR' };
    await asking(
      (_, response) => (asked++ === 0 ? json(response, 502, down) : json(response, 200, page)),
      async ({ gateway, outcomes }) => {
        expect((await gateway.ask(question)).body).toEqual(page);
        expect(outcomes).toEqual(['unavailable', 'ok']);
      },
    );
  });

  test.each([
    [401, { message: 'Invalid API key.' }, 'denied'],
    [400, { success: false, message: 'categoryId is too long', error: 'VALIDATION_ERROR' }, 'refused'],
    [404, { success: false, message: 'no', error: 'NOT_FOUND' }, 'not_there'],
    [404, { message: "Endpoint '/category-page' does not exist" }, 'endpoint_missing'],
    [429, { message: 'You have exceeded the MONTHLY quota for Requests on your current plan, BASIC.' }, 'quota'],
  ])('a failure with %i %j is requested once', async (status, body, kind) => {
    await asking(
      (_, response) => json(response, status, body),
      async ({ gateway, outcomes, requests }) => {
        await expect(gateway.ask(question)).rejects.toMatchObject({ name: 'RequestFailed', kind });
        expect(outcomes).toEqual([kind]);
        expect(requests).toHaveLength(1);
      },
    );
  });

  test('a failure without a response has a reason, and a listing that is not configured sends no request', async () => {
    await withGateway(database.db, 'http://127.0.0.1:9', async (gateway, outcomes) => {
      await expect(gateway.ask({ ...question, listing: 'stores' })).rejects.toMatchObject({ kind: 'refused' });
      expect(outcomes).toEqual([]);
      await expect(gateway.ask(question)).rejects.toThrow(
        /grocery \(uk-category-page\) is unavailable: the connection was refused/,
      );
    });
  });

  test('a 200 that cannot be read is archived before it is refused', async () => {
    const kept: Payload[] = [];
    await asking(
      (_, response) => response.writeHead(200, { 'content-type': 'text/html' }).end('<html>maintenance</html>'),
      ({ gateway }) => expect(gateway.ask(question)).rejects.toMatchObject({ kind: 'unreadable', status: 200 }),
      { onUnreadable: async (payload) => void kept.push(payload) },
    );
    expect(kept.map(({ body }) => Buffer.from(body).toString())).toEqual(['<html>maintenance</html>']);
  });
});

describe('a rate limit', () => {
  const tooMany =
    (times: number, retryAfter: string): RequestListener =>
    (_, response) =>
      times-- > 0
        ? json(response, 429, { message: 'Too many requests' }, { 'retry-after': retryAfter })
        : json(response, 200, page);

  test('a rate limit is waited for, with one probe at a time, and costs no attempt', async () => {
    await asking(tooMany(2, '-5'), async ({ gateway, outcomes, requests }) => {
      expect((await gateway.ask(question)).body).toEqual(page);
      expect(outcomes).toEqual(['rate_limited', 'rate_limited', 'ok']);
      expect(requests).toHaveLength(3);
    });
  });

  test('a rate limit with a long wait is returned to the worker', async () => {
    await asking(tooMany(9, '600'), async ({ gateway, requests }) => {
      await expect(gateway.ask(question)).rejects.toMatchObject({ kind: 'waits', reason: 'too_fast', exitCode: 75 });
      expect(requests).toHaveLength(1);
    });
  });

  test('cancelling during the wait for a retry sends nothing more', async () => {
    await asking(tooMany(9, '30'), async ({ gateway, requests }) => {
      const reason = new Error('enough');
      await expect(gateway.ask(question, { signal: abortedAfter(100, reason) })).rejects.toBe(reason);
      expect(requests).toHaveLength(1);
    });
  });
});

test('a redirect is refused and the key never reaches the other host', async () => {
  await withUpstream(answered, async (elsewhere) => {
    await asking(
      (_, response) => json(response, 307, {}, { location: `${elsewhere.url}/` }),
      ({ gateway }) => expect(gateway.ask(question)).rejects.toMatchObject({ kind: 'redirect' }),
    );
    expect(elsewhere.requests).toHaveLength(0);
  });
});

test('of several paths, the one that the gateway knows is remembered, and each is tried again if it goes', async () => {
  const [one, other] = ['/get-category-id-for-uk', '/get-category-ids-for-uk'] as const;
  let known: string = other;
  await asking(
    ({ url = '' }, response) =>
      url === known ? json(response, 200, page) : json(response, 404, { message: `Endpoint '${url}' does not exist` }),
    async ({ gateway, requests }) => {
      const taxonomy = { ...question, endpoint: 'uk-taxonomy', query: {}, paths: [one, other] } as const;
      await gateway.ask(taxonomy);
      await gateway.ask(taxonomy);
      known = one;
      await gateway.ask(taxonomy);
      known = '';
      await expect(gateway.ask(taxonomy)).rejects.toMatchObject({ kind: 'endpoint_missing' });
      expect(requests.map(({ url }) => url)).toEqual([one, other, other, other, one, one, other]);
    },
  );
});

test('no more requests are in flight than allowed', async () => {
  let inFlight = 0;
  let most = 0;
  await asking(
    (_, response) => {
      most = Math.max(most, ++inFlight);
      setTimeout(() => {
        inFlight -= 1;
        json(response, 200, page);
      }, 20);
    },
    ({ gateway }) => Promise.all(Array.from({ length: 30 }, () => gateway.ask(question))),
    { concurrency: 3 },
  );
  expect(most).toBe(3);
});

describe('cancelled requests', () => {
  test('cancelling a shared signal ends all its requests at once, counts them, and causes no warning', async () => {
    const warnings: Error[] = [];
    const onWarning = (warning: Error) => void warnings.push(warning);
    process.on('warning', onWarning);
    await asking(silent, async ({ gateway, outcomes, requests }) => {
      const reason = new Error('enough');
      const stop = new AbortController();
      const { signal } = stop;
      const ended = Promise.allSettled(Array.from({ length: 40 }, () => gateway.ask(question, { signal })));
      await expect.poll(() => requests.length).toBeGreaterThan(0);
      stop.abort(reason);
      const ends = await ended;
      expect(new Set(ends.map((end) => end.status === 'rejected' && end.reason))).toEqual(new Set([reason]));
      expect(new Set(outcomes)).toEqual(new Set(['aborted']));
    });
    process.off('warning', onWarning);
    expect(warnings).toEqual([]);
  });

  test('closing the client ends all requests in flight', async () => {
    await asking(silent, async ({ gateway, outcomes, requests }) => {
      const ended = gateway.ask(question).catch((error: unknown) => error);
      await expect.poll(() => requests).toHaveLength(1);
      await gateway.close();
      expect(await ended).toBeInstanceOf(Error);
      expect(outcomes).toEqual(['aborted']);
    });
  });
});

function abortedAfter(ms: number, reason: Error): AbortSignal {
  const controller = new AbortController();
  setTimeout(() => controller.abort(reason), ms);
  return controller.signal;
}
