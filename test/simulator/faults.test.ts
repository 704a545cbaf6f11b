import { request as httpRequest } from 'node:http';
import { describe, expect, it } from 'vitest';
import {
  type FaultKind,
  type FaultRule,
  faultKinds,
  type Simulator,
  type SimulatorOptions,
} from '../../src/simulator/index.ts';
import { filesBelow } from '../house/source-files.ts';
import {
  ask,
  type Element,
  elementsIn,
  elementsOf,
  pageOf,
  type Region,
  rootsOf,
  type Said,
  taxonomyPath,
  withSimulator,
} from './asking.ts';

/** The kinds these tests have shown; the last test looks for the others elsewhere. */
const shown = new Set<FaultKind>();

interface Scene {
  readonly simulator: Simulator;
  readonly categoryId: string;
  readonly get: (pageNo?: number, region?: Region) => Promise<Said>;
}

/** Lets faults loose on the first UK category (several pages), whose taxonomy was read before. */
async function under(
  faults: readonly FaultRule[],
  use: (scene: Scene) => Promise<void>,
  options: SimulatorOptions = {},
) {
  for (const { kind } of faults) shown.add(kind);
  await withSimulator({ items: 1000, ...options }, async (simulator) => {
    const [root] = await rootsOf(simulator, 'uk');
    const categoryId = root!.id;
    simulator.resetLog();
    simulator.change({ faults });
    await use({
      simulator,
      categoryId,
      get: (pageNo = 1, region = 'uk') => ask(simulator, pageOf(region, categoryId, pageNo)),
    });
  });
}

const idsIn = ({ body }: Said): string[] =>
  elementsIn(body).map((element: Element) => element?.id ?? element?.node?.id ?? null);

describe('faulty answers', () => {
  const answers: [FaultKind, number, Record<string, unknown> | RegExp][] = [
    [
      'rate429',
      429,
      { message: 'You have exceeded the rate limit per second for your plan, BASIC, by the API provider' },
    ],
    ['quota429', 429, /"message":"You have exceeded the MONTHLY quota for Requests/],
    ['auth401', 401, /"message":"Invalid API key\./],
    ['endpoint401', 401, { message: 'This endpoint is disabled for your subscription' }],
    ['forbidden403', 403, { message: 'You are not subscribed to this API.' }],
    ['gateway404', 404, { message: "Endpoint '/category-page' does not exist" }],
    ['host404', 404, { message: "API doesn't exists" }],
    ['gateway502', 502, /^\{"messages":"The API is unreachable/],
    ['gateway504', 504, /^\{"messages":"The request to the API has timed out/],
    ['vendor400', 400, { success: false, error: 'VALIDATION_ERROR', message: 'Invalid request: Query is required' }],
    [
      'vendor500',
      500,
      { success: false, error: 'INTERNAL_ERROR', message: 'Internal server error. Please try again later.' },
    ],
    [
      'vendor502',
      502,
      {
        success: false,
        error: 'TESCO_API_ERROR',
        message: 'Tesco API is currently unavailable. Please try again later.',
      },
    ],
    ['html502', 502, /^<html>/],
    ['html503', 503, /^<!DOCTYPE html>/],
    ['html200', 200, /^<!DOCTYPE html>/],
    ['emptyBody', 200, /^$/],
    ['quotaText200', 200, /^\{"message":"You have exceeded the MONTHLY quota/],
    ['successFalse200', 200, /^\{"success":false/],
    ['notFound', 200, /"product":null/],
    ['graphqlErrors', 200, /"errors":\[/],
  ];

  it.each(answers)('the fault %s is a %d', async (kind, status, body) => {
    await under([{ kind, times: 1 }], async ({ get, simulator }) => {
      const said = await get();
      expect(said.status).toBe(status);
      if (body instanceof RegExp) expect(said.text).toMatch(body);
      else expect(said.body).toEqual(body);
      expect(said.headers.get('content-type')).toContain(kind.startsWith('html') ? 'text/html' : 'application/json');
      expect((await get()).body.success).toBe(true);
      expect(simulator.state().faults).toEqual([{ kind, times: 1, fired: 1 }]);
    });
  });

  it.each(['1', '0', '-5', '2.5', 'Wed, 21 Oct 2026 07:28:00 GMT', '31536000'])(
    'rate429 sends Retry-After: %s',
    async (retryAfter) => {
      await under([{ kind: 'rate429', retryAfter }], async ({ get }) => {
        expect((await get()).headers.get('retry-after')).toBe(retryAfter);
      });
    },
  );

  it('quota429 reports that nothing remains', async () => {
    await under([{ kind: 'quota429' }], async ({ get }) => {
      expect((await get()).headers.get('x-ratelimit-requests-remaining')).toBe('0');
    });
  });

  it('redirect leads to the address of the rule', async () => {
    await under([{ kind: 'redirect', status: 307, location: 'http://127.0.0.1:1/x' }], async ({ get }) => {
      const { status, headers } = await get();
      expect([status, headers.get('location')]).toEqual([307, 'http://127.0.0.1:1/x']);
    });
  });
});

describe('faulty connections', () => {
  it.each(['truncated', 'reset', 'resetMidBody'] as const)('%s breaks the connection', async (kind) => {
    await under([{ kind, times: 1 }], async ({ get }) => {
      await expect(get()).rejects.toThrow();
      expect((await get()).body.success).toBe(true);
    });
  });

  it('truncatedClose ends a body early without a sign', async () => {
    await under([{ kind: 'truncatedClose', bytes: 700, times: 1 }], async ({ get }) => {
      const cut = await get();
      expect(cut.status).toBe(200);
      expect(Buffer.byteLength(cut.text)).toBe(700);
      expect(cut.headers.has('content-length')).toBe(false);
      expect(cut.headers.has('transfer-encoding')).toBe(false);
      expect(cut.body).toBeUndefined();
      expect((await get()).text.startsWith(cut.text)).toBe(true);
    });
  });

  it('drip sends a byte now and then', async () => {
    await under([{ kind: 'drip', ms: 20 }], async ({ simulator, categoryId }) => {
      const received = await new Promise<number>((resolve, reject) => {
        const headers = { 'x-gateway-key': 'k', 'x-gateway-host': 'grocery.simulator' };
        let bytes = 0;
        httpRequest(simulator.url + pageOf('uk', categoryId), { headers }, (response) => {
          response.on('data', (chunk: Buffer) => {
            bytes += chunk.length;
            if (bytes < 5) return;
            response.destroy();
            resolve(bytes);
          });
        })
          .on('error', reject)
          .end();
      });
      expect(received).toBeLessThan(10);
    });
  });

  it.each(['huge', 'gzipBomb'] as const)('%s is far larger than any page', async (kind) => {
    await under([{ kind, bytes: 20_000_000 }], async ({ get }) => {
      const { text, headers } = await get();
      expect(text.length).toBeGreaterThanOrEqual(20_000_000);
      expect(headers.has('content-length')).toBe(false);
    });
  });

  it('chainedEncodings compresses a body eight times', async () => {
    await under([{ kind: 'chainedEncodings' }], async ({ simulator, categoryId }) => {
      const headers = { 'x-gateway-key': 'k', 'x-gateway-host': 'grocery.simulator' };
      const encoding = await new Promise((resolve, reject) => {
        httpRequest(simulator.url + pageOf('uk', categoryId), { headers }, (response) => {
          response.resume();
          resolve(response.headers['content-encoding']);
        })
          .on('error', reject)
          .end();
      });
      expect(encoding).toBe(Array(8).fill('gzip').join(', '));
    });
  });

  it('deepJson nests without end', async () => {
    await under([{ kind: 'deepJson', bytes: 5000 }], async ({ get }) => {
      expect((await get()).text).toContain('['.repeat(5000));
    });
  });
});

describe('faulty categories', () => {
  it('shift removes products at the front during paging, so that others are skipped', async () => {
    await under([{ kind: 'shift', count: 3, after: 2 }], async ({ get, simulator, categoryId }) => {
      const first = await get(1);
      await get(2);
      const third = await get(3);
      expect(third.body.data.pageInformation.totalResults).toBe(first.body.data.pageInformation.totalResults - 3);
      simulator.change({ faults: [] });
      const all = (await elementsOf(simulator, 'uk', categoryId)).map(({ id }) => id);
      expect(idsIn(third)[0]).toBe(all[48 + 3]);
    });
  });

  it('shift counts the requests of each region separately, although both have the same category ids', async () => {
    await under([{ kind: 'shift', count: 1, after: 1 }], async ({ get }) => {
      await get(1, 'uk');
      const first = await get(1, 'ie');
      expect(idsIn(await get(1, 'ie'))[0]).toBe(idsIn(first)[1]);
    });
  });

  it('shift inserts products at the front during paging, so that others are repeated', async () => {
    await under([{ kind: 'shift', count: -2, after: 1 }], async ({ get }) => {
      const first = await get(1);
      const second = await get(2);
      expect(idsIn(second).slice(0, 2)).toEqual(idsIn(first).slice(-2));
      expect(second.body.data.pageInformation.totalResults).toBe(first.body.data.pageInformation.totalResults + 2);
    });
  });
});

describe('faulty pages', () => {
  it('emptyPage is empty under an unchanged total', async () => {
    await under([{ kind: 'emptyPage', pages: [2] }], async ({ get }) => {
      const [first, second] = [await get(1), await get(2)];
      expect(idsIn(first)).toHaveLength(24);
      expect(idsIn(second)).toEqual([]);
      expect(second.body.data.pageInformation.totalResults).toBe(first.body.data.pageInformation.totalResults);
    });
  });

  it('duplicates repeats the end of the previous page', async () => {
    await under([{ kind: 'duplicates', count: 4, pages: [2] }], async ({ get }) => {
      const [first, second] = [await get(1), await get(2)];
      expect(idsIn(second).slice(0, 4)).toEqual(idsIn(first).slice(-4));
      expect(idsIn(second)).toHaveLength(24);
    });
  });

  it('nullNodes adds nulls to the products, or replaces them', async () => {
    await under([{ kind: 'nullNodes', count: 2 }], async ({ get, simulator }) => {
      const nulls = (said: Said) => idsIn(said).filter((id) => id === null).length;
      for (const region of ['uk', 'ie'] as const) {
        const on = await get(1, region);
        expect([nulls(on), idsIn(on).length]).toEqual([2, 26]);
      }
      simulator.change({ faults: [{ kind: 'nullNodes', count: 2, total: 0 }] });
      const instead = await get();
      expect([nulls(instead), idsIn(instead).length]).toEqual([2, 24]);
    });
  });

  it('sponsored adds products of the category beyond the total', async () => {
    await under([{ kind: 'sponsored', count: 3 }], async ({ get, simulator, categoryId }) => {
      const said = await get();
      expect(elementsIn(said.body)).toHaveLength(27);
      expect(said.body.data.pageInformation.resultsOnPage).toBe(24);
      const ads = elementsIn(said.body).filter(({ adId }) => adId);
      expect(ads).toHaveLength(3);
      simulator.change({ faults: [] });
      const all = new Set((await elementsOf(simulator, 'uk', categoryId)).map(({ id }) => id));
      for (const { id } of ads) expect(all.has(id)).toBe(true);
    });
  });

  it('wrongTotal is off by a number, or fixed', async () => {
    await under([{ kind: 'wrongTotal', delta: 7, times: 1 }], async ({ get, simulator }) => {
      const total = ({ body }: Said) => body.data.pageInformation.totalResults;
      const wrong = total(await get());
      expect(wrong).toBe(total(await get()) + 7);
      simulator.change({ faults: [{ kind: 'wrongTotal', total: 10_000 }] });
      expect(total(await get())).toBe(10_000);
    });
  });
});

describe('products in another notation', () => {
  const drifts: [FaultRule, (product: Element, proper: Element) => void][] = [
    [
      { kind: 'renamedField', field: 'title', to: 'name' },
      (product, { title }) => expect([product.title, product.name]).toEqual([undefined, title]),
    ],
    [
      { kind: 'movedField', field: 'price.price', to: 'sellers.results[].amount' },
      ({ price, sellers }, proper) =>
        expect([price.price, sellers.results[0].amount]).toEqual([undefined, proper.price.price]),
    ],
    [{ kind: 'stringPrice' }, ({ price }, proper) => expect(price.price).toBe(`£${proper.price.price.toFixed(2)}`)],
    [{ kind: 'nullTitle' }, ({ title }) => expect(title).toBeNull()],
    [{ kind: 'missingId' }, (product) => expect(product).not.toHaveProperty('id')],
    [{ kind: 'numericIds' }, ({ id }, proper) => expect(id).toBe(Number(proper.id))],
    [{ kind: 'extraField' }, ({ sustainability }) => expect(sustainability).toBeDefined()],
    [
      { kind: 'badText' },
      ({ title }, proper) =>
        expect([title.length > proper.title.length, title.endsWith(proper.title)]).toEqual([true, true]),
    ],
    [{ kind: 'pencePrices' }, ({ price }, proper) => expect(price.price).toBe(Math.round(proper.price.price * 100))],
    [{ kind: 'negativePrice' }, ({ price }, proper) => expect(price.price).toBe(-proper.price.price)],
  ];

  it.each(drifts)('$kind', async (rule, check) => {
    await under([rule], async ({ get, simulator }) => {
      const drifted = elementsIn((await get()).body);
      simulator.change({ faults: [] });
      elementsIn((await get()).body).forEach((proper, index) => {
        if (proper.price?.price) check(drifted[index], proper);
      });
    });
  });

  it('notations apply to the Irish nodes, too, and can spare most products of a page', async () => {
    await under([{ kind: 'nullTitle', count: 3 }], async ({ get }) => {
      const nodes = elementsIn((await get(1, 'ie')).body);
      const touched = nodes.filter(({ node }) => node.title === null).length;
      expect(touched).toBeGreaterThan(0);
      expect(touched).toBeLessThan(15);
    });
  });
});

describe('faulty taxonomies', () => {
  it('emptyTaxonomy has no category', async () => {
    await under([{ kind: 'emptyTaxonomy', region: 'uk' }], async ({ simulator }) => {
      expect((await ask(simulator, taxonomyPath.uk)).body).toEqual({ success: true, data: { taxonomy: [] } });
      expect((await rootsOf(simulator, 'ie')).length).toBeGreaterThan(10);
    });
  });

  it('missingCategory omits categories, whose pages still exist', async () => {
    await under([{ kind: 'missingCategory', categories: ['b;QmFrZXJ5'] }], async ({ simulator }) => {
      const names = async () => (await rootsOf(simulator, 'uk')).map(({ name }) => name);
      expect(await names()).not.toContain('Bakery');
      expect(idsIn(await ask(simulator, pageOf('uk', 'b;QmFrZXJ5'))).length).toBeGreaterThan(0);
      const without = (await names()).length;
      simulator.change({ faults: [{ kind: 'missingCategory', count: 4 }] });
      expect(await names()).toHaveLength(without + 1 - 3);
    });
  });
});

describe('rules', () => {
  const statuses = async ({ get }: Scene, count: number) => {
    const seen: number[] = [];
    for (let request = 0; request < count; request += 1) seen.push((await get()).status);
    return seen;
  };

  it('rules begin after a number of requests, recur, and end', async () => {
    const kind = 'vendor500';
    const expected: [Omit<FaultRule, 'kind'>, number[]][] = [
      [{ after: 2 }, [200, 200, 500, 500, 500]],
      [{ nth: 2 }, [200, 500, 200, 200, 200]],
      [{ nth: [1, 4] }, [500, 200, 200, 500, 200]],
      [{ every: 2 }, [200, 500, 200, 500, 200]],
      [{ times: 2, after: 1 }, [200, 500, 500, 200, 200]],
    ];
    for (const [conditions, answers] of expected) {
      await under([{ kind, ...conditions }], async (scene) => expect(await statuses(scene, 5)).toEqual(answers));
    }
  });

  it('rules distinguish region, endpoint, category and page', async () => {
    await under([{ kind: 'vendor500', region: 'ie' }], async ({ get }) => {
      expect([(await get(1, 'uk')).status, (await get(1, 'ie')).status]).toEqual([200, 500]);
    });
    await under(
      [{ kind: 'vendor500', endpoint: 'category-page', categories: ['b;QmFrZXJ5'], pages: [2] }],
      async ({ get, simulator }) => {
        expect((await get(2)).status).toBe(200);
        expect((await ask(simulator, pageOf('uk', 'b;QmFrZXJ5', 1))).status).toBe(200);
        expect((await ask(simulator, pageOf('uk', 'b;QmFrZXJ5', 2))).status).toBe(500);
        expect((await ask(simulator, taxonomyPath.uk)).status).toBe(200);
      },
    );
  });

  it('rules fire by chance, the same way for the same seed', async () => {
    const drawn: number[][] = [];
    for (const seed of [3, 3, 4]) {
      await under(
        [{ kind: 'gateway502', probability: 0.3 }],
        async (scene) => void drawn.push(await statuses(scene, 60)),
        { seed },
      );
    }
    expect(drawn[0]).toEqual(drawn[1]);
    expect(drawn[0]).not.toEqual(drawn[2]);
    const failed = drawn[0]!.filter((status) => status === 502).length;
    expect(failed).toBeGreaterThan(8);
    expect(failed).toBeLessThan(30);
  });

  it('rules combine: a page can be slow, short and malformed at once', async () => {
    const rules: FaultRule[] = [
      { kind: 'slow', ms: 1 },
      { kind: 'missingItems' },
      { kind: 'nullTitle' },
      { kind: 'wrongTotal', total: 1 },
    ];
    await under(rules, async ({ get }) => {
      const { body } = await get();
      expect(body.data.products).toHaveLength(23);
      expect(body.data.products[0].title).toBeNull();
      expect(body.data.pageInformation.totalResults).toBe(1);
    });
  });
});

describe('the tests of faults', () => {
  it('every kind of fault is shown here, or used by the test of what the program does about it', () => {
    const others = filesBelow('test', '.test.ts').filter(({ path }) => !path.startsWith('test/simulator/'));
    const isUsed = (kind: string) => others.some(({ text }) => text.includes(`kind: '${kind}'`));
    const kinds = Object.keys(faultKinds) as FaultKind[];
    expect(kinds.filter((kind) => !shown.has(kind) && !isUsed(kind))).toEqual([]);
  });
});
