import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import type { Payload } from '../../src/base/model/index.ts';
import type { Gateway } from '../../src/gateway/gateway.ts';
import type { Spend } from '../../src/gateway/spend.ts';
import { json, openAccounts, question, sentinelKey, withGateway, withUpstream } from './upstream.ts';

const page = { success: true, data: { products: [{ title: 'Crème fraîche' }] } };

test('section 4 of the specification: every request is a GET with host, key and content type', async () => {
  await withUpstream(
    (_, response) => json(response, 200, page),
    async ({ url, requests }) => {
      await withGateway(url, async (gateway) => {
        await gateway.ask(question);
      });
      expect(requests.map(({ method }) => method)).toEqual(['GET']);
      expect(requests[0]?.headers).toMatchObject({
        'x-gateway-host': 'grocery.simulator',
        'x-gateway-key': sentinelKey,
        'content-type': 'application/json',
      });
      expect(requests[0]?.headers['content-length'] ?? requests[0]?.headers['transfer-encoding']).toBeUndefined();
    },
  );
});

describe('a successful request', () => {
  test('a response is returned as received, parsed once, with the host and without the key', async () => {
    await withUpstream(
      (_, response) => json(response, 200, page),
      async ({ url, requests }) => {
        await withGateway(url, async (gateway, accounts) => {
          const { payload, body } = await gateway.ask(question);
          expect(body).toEqual(page);
          expect(Buffer.from(payload.body).toString()).toBe(JSON.stringify(page));
          expect(payload.sha256).toBe(createHash('sha256').update(payload.body).digest('hex'));
          expect(payload).toMatchObject({
            listing: 'grocery',
            endpoint: 'uk-category-page',
            region: 'uk',
            host: 'grocery.simulator',
            status: 200,
          });
          expect(payload.request).toBe('/category-page?categoryId=b%3BQSUyMEI%3D&pageNo=2');
          expect(JSON.stringify({ ...payload, body: Buffer.from(payload.body).toString() })).not.toContain(sentinelKey);
          expect(accounts.outcomes).toMatchObject([{ kind: 'ok', quota: null }]);
        });
        expect(requests[0]?.headers).toMatchObject({
          'x-gateway-host': 'grocery.simulator',
          'x-gateway-key': sentinelKey,
          accept: 'application/json',
          'accept-encoding': 'gzip',
        });
      },
    );
  });

  test('a response that echoes the key, plain or compressed, is stored without it', async () => {
    await withUpstream(
      (request, response) => {
        const echo = JSON.stringify({
          success: true,
          data: { a: request.headers, b: request.headers['x-gateway-key'] },
        });
        if (request.url?.includes('pageNo=2')) response.writeHead(200).end(echo);
        else response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(echo));
      },
      async ({ url }) => {
        await withGateway(url, async (gateway) => {
          for (const pageNo of ['2', '3']) {
            const { payload, body } = await gateway.ask({ ...question, query: { pageNo } });
            const kept = Buffer.from(payload.body);
            expect(kept.toString() + JSON.stringify(body)).not.toContain(sentinelKey);
            expect(JSON.parse(kept.toString())).toEqual(body);
            expect(body).toMatchObject({ data: { b: '*'.repeat(sentinelKey.length) } });
            expect(payload.sha256).toBe(createHash('sha256').update(kept).digest('hex'));
          }
        });
      },
    );
  });

  test('a request uses the marketplace’s own header names, and a path in the base URL', async () => {
    await withUpstream(
      (_, response) => json(response, 200, page),
      async ({ url, requests }) => {
        await withGateway(`${url}/shop`, async (gateway) => void (await gateway.ask(question)), {
          headerPrefix: 'X-RapidAPI',
        });
        expect(requests[0]?.headers['x-rapidapi-key']).toBe(sentinelKey);
        expect(requests[0]?.headers['x-gateway-key']).toBeUndefined();
        expect(requests[0]?.url).toMatch(/^\/shop\/category-page\?/);
      },
    );
  });

  test('a response may be compressed with gzip, and reports the quota', async () => {
    const headers = {
      'content-encoding': 'gzip',
      'x-ratelimit-requests-limit': '500',
      'x-ratelimit-requests-remaining': '499',
    };
    await withUpstream(
      (_, response) => response.writeHead(200, headers).end(gzipSync(JSON.stringify(page))),
      async ({ url }) => {
        await withGateway(url, async (gateway, accounts) => {
          expect((await gateway.ask(question)).body).toEqual(page);
          expect(accounts.outcomes[0]?.quota).toEqual({ limit: 500, remaining: 499, resetsAt: null });
        });
      },
    );
  });

  test('a request uses the current key', async () => {
    let key = 'first-key';
    await withUpstream(
      (_, response) => json(response, 200, page),
      async ({ url, requests }) => {
        await withGateway(
          url,
          async (gateway) => {
            await gateway.ask(question);
            key = 'second-key';
            await gateway.ask(question);
          },
          { key: () => key },
        );
        expect(requests.map(({ headers }) => headers['x-gateway-key'])).toEqual(['first-key', 'second-key']);
      },
    );
  });
});

describe('a failure', () => {
  test('a transient failure is retried, and every attempt is counted', async () => {
    let asked = 0;
    await withUpstream(
      (_, response) =>
        asked++ === 0
          ? json(response, 502, { success: false, message: 'down', error: 'TESCO_API_ERROR' })
          : json(response, 200, page),
      async ({ url }) => {
        await withGateway(url, async (gateway, accounts) => {
          expect((await gateway.ask(question)).body).toEqual(page);
          expect(accounts.outcomes.map(({ kind }) => kind)).toEqual(['failed', 'ok']);
        });
      },
    );
  });

  test.each([
    [401, { message: 'Invalid API key.' }, 'AccessDenied', 'denied'],
    [403, { message: 'You are not subscribed to this API.' }, 'AccessDenied', 'denied'],
    [401, { message: 'This endpoint is disabled for your subscription' }, 'EndpointDisabled', 'refused'],
    [
      400,
      { success: false, message: 'categoryId is too long', error: 'VALIDATION_ERROR' },
      'QuestionRefused',
      'refused',
    ],
    [404, { success: false, message: 'no', error: 'NOT_FOUND' }, 'NotThere', 'refused'],
    [404, { message: "Endpoint '/category-page' does not exist" }, 'EndpointMissing', 'refused'],
    [
      429,
      { message: 'You have exceeded the MONTHLY quota for Requests on your current plan, BASIC.' },
      'BudgetExhausted',
      'quota',
    ],
  ])('a failure with %i %j is requested once', async (status, body, name, outcome) => {
    await withUpstream(
      (_, response) => json(response, status, body),
      async ({ url, requests }) => {
        await withGateway(url, async (gateway, accounts) => {
          await expect(gateway.ask(question)).rejects.toMatchObject({ name });
          expect(accounts.outcomes.map(({ kind }) => kind)).toEqual([outcome]);
        });
        expect(requests).toHaveLength(1);
      },
    );
  });

  test('a failure without a response has a reason', async () => {
    await withGateway('http://127.0.0.1:9', async (gateway) => {
      await expect(gateway.ask(question)).rejects.toThrow(
        /grocery \(uk-category-page\) is unavailable: the connection was refused/,
      );
    });
  });

  test('a listing that is not configured sends no request', async () => {
    await withGateway('http://127.0.0.1:9', async (gateway, accounts) => {
      await expect(gateway.ask({ ...question, listing: 'stores' })).rejects.toMatchObject({ name: 'QuestionInvalid' });
      expect(accounts.outcomes).toEqual([]);
    });
  });
});

describe('a rate limit', () => {
  test('a rate limit causes a wait and uses no attempt', async () => {
    let asked = 0;
    const waits: number[] = [];
    await withUpstream(
      (_, response) =>
        asked++ < 2
          ? json(response, 429, { message: 'Too many requests' }, { 'retry-after': '-5' })
          : json(response, 200, page),
      async ({ url }) => {
        await withGateway(
          url,
          async (gateway, accounts) => {
            expect((await gateway.ask(question)).body).toEqual(page);
            expect(accounts.outcomes.map(({ kind }) => kind)).toEqual(['rate_limited', 'rate_limited', 'ok']);
            expect(accounts.outcomes[0]?.retryAfterMs).toBe(500);
          },
          { onRetry: ({ waitMs }) => waits.push(waitMs) },
        );
      },
    );
    expect(waits).toEqual([500, 500]);
  });

  test('a rate limit with a long wait is returned to the worker', async () => {
    await withUpstream(
      (_, response) => json(response, 429, { message: 'Too many requests' }, { 'retry-after': '600' }),
      async ({ url }) => {
        await withGateway(url, async (gateway) => {
          await expect(gateway.ask(question)).rejects.toMatchObject({ name: 'RateLimited', retryAfterMs: 600_000 });
        });
      },
    );
  });
});

test('a redirect is refused and the key never reaches the other host', async () => {
  await withUpstream(
    (_, response) => json(response, 200, page),
    async (elsewhere) => {
      await withUpstream(
        (_, response) => json(response, 307, {}, { location: `${elsewhere.url}/` }),
        async ({ url }) => {
          await withGateway(url, async (gateway) => {
            await expect(gateway.ask(question)).rejects.toMatchObject({ name: 'RedirectRefused' });
          });
        },
      );
      expect(elsewhere.requests).toHaveLength(0);
    },
  );
});

test('a second path is tried if the gateway does not know the first, and then remembered', async () => {
  const answer = { '/get-category-id-for-uk': 404, '/get-category-ids-for-uk': 200 } as Record<string, number>;
  await withUpstream(
    ({ url = '' }, response) =>
      answer[url] === 200
        ? json(response, 200, page)
        : json(response, 404, { message: `Endpoint '${url}' does not exist` }),
    async ({ url, requests }) => {
      await withGateway(url, async (gateway) => {
        const taxonomy = {
          ...question,
          endpoint: 'uk-taxonomy',
          query: {},
          paths: ['/get-category-id-for-uk', '/get-category-ids-for-uk'] as const,
        };
        await gateway.ask(taxonomy);
        await gateway.ask(taxonomy);
        await expect(gateway.ask({ ...taxonomy, endpoint: 'other', paths: ['/a', '/b'] })).rejects.toMatchObject({
          name: 'EndpointMissing',
        });
      });
      expect(requests.map((request) => request.url)).toEqual([
        '/get-category-id-for-uk',
        '/get-category-ids-for-uk',
        '/get-category-ids-for-uk',
        '/a',
        '/b',
      ]);
    },
  );
});

test('a 200 that cannot be read is archived before it is refused', async () => {
  const kept: Payload[] = [];
  await withUpstream(
    (_, response) => response.writeHead(200, { 'content-type': 'text/html' }).end('<html>maintenance</html>'),
    async ({ url }) => {
      await withGateway(
        url,
        async (gateway) => {
          await expect(gateway.ask(question)).rejects.toMatchObject({ name: 'UpstreamUnavailable', status: 200 });
        },
        { onUnreadable: async (payload) => void kept.push(payload) },
      );
    },
  );
  expect(kept.map(({ body }) => Buffer.from(body).toString())).toEqual(Array(3).fill('<html>maintenance</html>'));
});

test('no more requests are in flight, or reserved, than allowed', async () => {
  let inFlight = 0;
  let most = 0;
  let reserved = 0;
  let mostReserved = 0;
  const accounts = openAccounts();
  const spend: Spend = {
    async reserve(asked) {
      mostReserved = Math.max(mostReserved, ++reserved);
      return accounts.reserve(asked);
    },
    sent: () => true,
    async settle() {
      reserved -= 1;
    },
  };
  await withUpstream(
    (_, response) => {
      most = Math.max(most, ++inFlight);
      setTimeout(() => {
        inFlight -= 1;
        json(response, 200, page);
      }, 20);
    },
    async ({ url }) => {
      const askMany = async (gateway: Gateway) => {
        await Promise.all(Array.from({ length: 30 }, () => gateway.ask(question)));
      };
      await withGateway(url, askMany, { concurrency: 3, spend });
    },
  );
  expect([most, mostReserved]).toEqual([3, 3]);
});

describe('cancelled requests', () => {
  test('cancelling a hanging request ends it at once, and it is counted', async () => {
    await withUpstream(
      () => {},
      async ({ url }) => {
        await withGateway(url, async (gateway, accounts) => {
          const reason = new Error('enough');
          await expect(gateway.ask(question, { signal: abortedAfter(50, reason) })).rejects.toBe(reason);
          expect(accounts.outcomes.map(({ kind }) => kind)).toEqual(['aborted']);
        });
      },
    );
  });

  test('cancelling during the wait for a retry sends nothing more', async () => {
    await withUpstream(
      (_, response) => json(response, 429, { message: 'Too many requests' }, { 'retry-after': '30' }),
      async ({ url, requests }) => {
        await withGateway(url, async (gateway) => {
          const reason = new Error('enough');
          await expect(gateway.ask(question, { signal: abortedAfter(100, reason) })).rejects.toBe(reason);
        });
        expect(requests).toHaveLength(1);
      },
    );
  });

  test('cancelling a shared signal ends all its requests, without a warning', async () => {
    const warnings: Error[] = [];
    const onWarning = (warning: Error) => void warnings.push(warning);
    process.on('warning', onWarning);
    await withUpstream(
      () => {},
      async ({ url }) => {
        await withGateway(url, async (gateway) => {
          const signal = abortedAfter(100, new Error('enough'));
          const ends = await Promise.allSettled(Array.from({ length: 40 }, () => gateway.ask(question, { signal })));
          expect(ends.every(({ status }) => status === 'rejected')).toBe(true);
        });
      },
    );
    process.off('warning', onWarning);
    expect(warnings).toEqual([]);
  });

  test('closing the client ends all requests in flight', async () => {
    await withUpstream(
      () => {},
      async ({ url }) => {
        let asking: Promise<unknown> = Promise.resolve();
        await withGateway(url, async (gateway, accounts) => {
          asking = gateway.ask(question).catch((error: unknown) => error);
          await new Promise((resolve) => setTimeout(resolve, 50));
          await gateway.close();
          expect(await asking).toBeInstanceOf(Error);
          expect(accounts.outcomes.map(({ kind }) => kind)).toEqual(['aborted']);
        });
      },
    );
  });
});

function abortedAfter(ms: number, reason: Error): AbortSignal {
  const controller = new AbortController();
  setTimeout(() => controller.abort(reason), ms);
  return controller.signal;
}
