import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Run } from '../../src/crawl/ledger/runs.ts';
import { rowsOf } from '../../src/db/rows.ts';
import { releaseRun } from '../../src/publish/release-run.ts';
import { createSimulator, type Simulator } from '../../src/simulator/index.ts';
import { useInstallation } from '../support/queue-backends.ts';
import { recallEverything, rememberEverything } from '../support/remember-everything.ts';
import { type Shelf, shelvesOf } from '../support/shelves.ts';
import { disagreements } from '../support/truth.ts';
import { crawlDirectly } from './direct-book.ts';
import { availabilities, saidGone, useDirectBook } from './use-direct-book.ts';

const { signal } = new AbortController();
const firstNight = '2026-03-01';
const still = { items: 200, superDepartments: 4, evolve: false } as const;

describe('no product is reported as gone', () => {
  const trust = useDirectBook(still, { firstNight });

  test('three nights with an unavailable upstream report no product as gone', async () => {
    for (const date of ['2026-03-02', '2026-03-03', '2026-03-04']) {
      await expect(trust.night(date, { faults: [{ kind: 'gateway502' }] })).rejects.toThrow('waits');
    }
    expect(await saidGone(trust.book.base.db)).toBe(0);
  });

  test('an unlisted product that its own page sells is not reported as gone', async () => {
    const [{ categoryId, below }] = shelvesOf(trust.simulator, '2026-03-01') as [Shelf];
    const categories = [categoryId, ...below];
    // Each first page lacks its last product for everybody, so reading children does not find it.
    const run = await trust.night('2026-03-02', {
      faults: [
        { kind: 'cap', count: 20, categories },
        { kind: 'missingItems', pages: [1], count: 1, categories },
      ],
    });
    expect(run.verdict).toBe('partial');
    expect(await saidGone(trust.book.base.db)).toBe(0);
  });

  test('a night in which three of ten categories fail reports no product as gone', async () => {
    const shelves = shelvesOf(trust.simulator, '2026-03-01');
    const all = shelves.flatMap(({ categoryId, below }) => [categoryId, ...below]);
    const failing = all.slice(0, Math.ceil(0.3 * all.length));
    const run = await trust.night('2026-03-02', { faults: [{ kind: 'notFound', categories: failing }] });
    expect(run.verdict).toBe('partial');
    expect(await saidGone(trust.book.base.db)).toBe(0);
  });

  test('a night that shows a tenth of everything reports no product as gone until a person releases it', async () => {
    const { book } = trust;
    const run = await trust.night('2026-03-02', { faults: [{ kind: 'tenth' }] });
    expect(run.verdict).toBe('partial');
    expect(await saidGone(book.base.db)).toBe(0);
    const before = await availabilities(book.base.db);

    const released = await releaseRun(book.context, { runId: run.runId, why: 'the range was cut', signal });
    expect(released).toMatchObject({ from: 'partial' });
    expect(released.gone).toBeGreaterThan(120);
    const after = await availabilities(book.base.db);
    expect(after['absent']).toBe(released.gone);
    expect((after['available'] ?? 0) + (after['unavailable'] ?? 0)).toBe(
      before['available']! + (before['unavailable'] ?? 0) - released.gone!,
    );
    const certificate = await book.base.runs.byId(run.runId);
    expect(certificate.verdict).toBe('complete_within_tolerance');
    expect(certificate.productsListed).toBe((after['available'] ?? 0) + (after['unavailable'] ?? 0));

    await trust.night('2026-03-03');
    expect(await availabilities(book.base.db)).toEqual(before);
  });
});

describe('a catalogue whose listings end at a thousand', () => {
  const trust = useDirectBook({ items: 1_700, superDepartments: 2, evolve: false, pageSize: 60 }, { firstNight });

  test('truncated listings are read through their children, and no product is reported as gone', async () => {
    const run = await trust.night('2026-03-02', { listingCap: 1_000 });
    expect(run.verdict).toBe('complete');
    expect(await saidGone(trust.book.base.db)).toBe(0);
  });
});

/** Dates on which some products are listed, followed by three nights without them. */
const dates = ['2026-03-01', '2026-03-02', '2026-03-03', '2026-03-04'] as const;

describe('a product that is gone', () => {
  const installation = useInstallation();
  let simulator: Simulator;
  beforeAll(async () => {
    simulator = await createSimulator({
      items: 160,
      superDepartments: 3,
      dailyTurnover: 0.04,
      flicker: 0,
      dailyChange: 0,
    });
    await night(dates[0]);
    await rememberEverything(installation.db);
  });
  beforeEach(() => recallEverything(installation.db));
  afterAll(() => simulator.close());

  test.each([
    ['1', ['delisted']],
    ['2', ['absent', 'delisted']],
    ['3', ['absent', 'absent', 'delisted']],
  ] as const)('a product that is gone is after each night, with DELIST_AFTER=%s, %s', async (after, states) => {
    const present = (date: string) => new Set([...simulator.truth('uk', date)].map(({ productId }) => productId));
    const gone = [...present(dates[0])].filter((id) => dates.slice(1).every((date) => !present(date).has(id)));
    expect(gone.length).toBeGreaterThan(0);
    for (const [index, state] of states.entries()) {
      expect((await night(dates[index + 1]!, { DELIST_AFTER: after })).verdict).toBe('complete');
      expect(await statesOf(gone)).toEqual([state]);
    }
  });

  async function night(date: string, env: Readonly<Record<string, string>> = {}): Promise<Run> {
    simulator.change({ date });
    return (await crawlDirectly({ installation, upstream: simulator.url, date, regions: ['uk'], env }))[0]!;
  }

  async function statesOf(productIds: readonly string[]): Promise<string[]> {
    const rows = await rowsOf<{ availability: string }>(
      installation.db,
      `select distinct h.availability::text from catalog.availability_spell h join catalog.product using (product_key)
       where h.valid_to is null and product_id = any($1)`,
      [productIds],
    );
    return rows.map(({ availability }) => availability);
  }
});

describe('products out of stock', () => {
  const outOfStock = { items: 60, superDepartments: 2, unavailable: 1, secondListing: 0, dailyTurnover: 0, flicker: 0 };
  const trust = useDirectBook(outOfStock, { firstNight });

  test('products that a category hides for a night are not reported as gone', async () => {
    const run = await hideOne('2026-03-02');
    expect(run.verdict).toBe('partial');
    expect(await reasonsOf(run)).toEqual([
      expect.stringContaining('1 were checked, and 1 of these are neither for sale nor gone by their own pages'),
    ]);
    expect((await trust.night('2026-03-03')).verdict).toBe('complete');
    expect(await saidGone(trust.book.base.db)).toBe(0);
  });

  test('products are reported as gone by the second date in a row without them', async () => {
    await hideOne('2026-03-02');
    expect((await hideOne('2026-03-02')).verdict).toBe('partial');
    expect(await saidGone(trust.book.base.db)).toBe(0);
    expect((await hideOne('2026-03-03')).verdict).toBe('complete');
    expect(await saidGone(trust.book.base.db)).toBe(1);
  });

  test('products that are gone by their own pages are reported at once, and the night is complete', async () => {
    const run = await trust.night('2026-03-02', { withdrawn: 0.03 });
    expect(run.verdict).toBe('complete');
    expect(await saidGone(trust.book.base.db)).toBeGreaterThan(0);
  });

  /** The last product of a category, whose total does not count it. */
  function hideOne(date: string): Promise<Run> {
    const [{ categoryId, products }] = shelvesOf(trust.simulator, date) as [Shelf];
    return trust.night(date, { faults: [{ kind: 'cap', categories: [categoryId], count: products - 1 }] });
  }

  async function reasonsOf({ runId }: Run): Promise<string[]> {
    const [row] = await rowsOf<{ reasons: string[] }>(
      trust.book.base.db,
      'select reasons from ops.certificate where run_id = $1',
      [runId],
    );
    return row!.reasons;
  }
});

describe('products out of stock that a night within tolerance did not see', () => {
  const outOfStock = { items: 60, superDepartments: 2, unavailable: 1, secondListing: 0, dailyTurnover: 0, flicker: 0 };
  const trust = useDirectBook(outOfStock, { firstNight, env: { CERTIFY_TOLERANCE: '5' } });

  test('unseen products stay in their categories, and others that are gone are removed', async () => {
    const date = '2026-03-02';
    const [{ categoryId, products }] = shelvesOf(trust.simulator, date) as [Shelf];
    const faults = [{ kind: 'cap', categories: [categoryId], count: products - 1 }] as const;
    const run = await trust.night(date, { faults, withdrawn: 0.03 });
    expect(run.verdict).toBe('complete_within_tolerance');
    const { db } = trust.book.base;
    expect(await saidGone(db)).toBeGreaterThan(0);
    expect(await disagreements(db, trust.simulator, 'uk', date)).toEqual([]);
  });
});
