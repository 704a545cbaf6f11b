import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createSimulator, type FaultKind, type FaultRule, type Simulator } from '../../src/simulator/index.ts';
import {
  ask,
  type Element,
  elementsIn,
  pageOf,
  type Region,
  rootsOf,
  type Said,
  taxonomyPath,
  withSimulator,
} from './asking.ts';
import answers from './fault-answers.json' with { type: 'json' };

interface Scene {
  readonly simulator: Simulator;
  readonly categoryId: string;
  readonly get: (pageNo?: number, region?: Region) => Promise<Said>;
}

let shared: Simulator;
beforeAll(async () => {
  shared = await createSimulator({ items: 1000, date: '2026-03-01' });
});
afterAll(() => shared.close());

/** Lets faults loose on the first UK category (several pages), whose taxonomy was read before. */
async function under(faults: readonly FaultRule[], use: (scene: Scene) => Promise<void>, simulator = shared) {
  simulator.change({ faults: [] });
  const [root] = await rootsOf(simulator, 'uk');
  const categoryId = root!.id;
  simulator.change({ faults });
  await use({
    simulator,
    categoryId,
    get: (pageNo = 1, region = 'uk') => ask(simulator, pageOf(region, categoryId, pageNo)),
  });
}

describe('faulty answers', () => {
  // A row of fault-answers.json: a fault, its status and a pattern of the body.
  it.each(answers as [FaultKind, number, string][])('the fault %s is a %d', async (kind, status, body) => {
    await under([{ kind, times: 1 }], async ({ get, simulator }) => {
      const said = await get();
      expect(said.status).toBe(status);
      expect(said.text).toMatch(new RegExp(body));
      expect(said.headers.get('content-type')).toContain(kind.startsWith('html') ? 'text/html' : 'application/json');
      expect((await get()).body.success).toBe(true);
      expect(simulator.state().faults).toEqual([{ kind, times: 1, fired: 1 }]);
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

  it.each(['huge', 'gzipBomb'] as const)('%s is far larger than any page', async (kind) => {
    await under([{ kind, bytes: 20_000_000 }], async ({ get }) => {
      const { text, headers } = await get();
      expect(text.length).toBeGreaterThanOrEqual(20_000_000);
      expect(headers.has('content-length')).toBe(false);
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
    const rule = { kind: 'gateway502', probability: 0.3 } as const;
    for (const seed of [3, 3, 4]) {
      await withSimulator({ seed }, (own) =>
        under([rule], async (scene) => void drawn.push(await statuses(scene, 30)), own),
      );
    }
    expect(drawn[0]).toEqual(drawn[1]);
    expect(drawn[0]).not.toEqual(drawn[2]);
  });
});
