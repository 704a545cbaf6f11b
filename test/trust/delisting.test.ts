import { describe, expect, test } from 'vitest';
import { releaseRun } from '../../src/crawl/release-run.ts';
import { rowsOf } from '../../src/db/rows.ts';
import { shelvesOf } from './injections.ts';
import { availabilities, saidGone, useDirectBook } from './use-direct-book.ts';

const { signal } = new AbortController();
const firstNight = '2026-03-01';
const still = { items: 200, superDepartments: 4, evolve: false } as const;

describe('nothing is said to be gone', () => {
  const trust = useDirectBook(still, { firstNight });

  test('by three nights in which the upstream is away', async () => {
    for (const date of ['2026-03-02', '2026-03-03', '2026-03-04']) {
      await expect(trust.night(date, { faults: [{ kind: 'gateway502' }] })).rejects.toThrow('waits');
    }
    expect(await saidGone(trust.book.base.db)).toBe(0);
  });

  test('of a product that no category lists and whose own page sells it: the night that kept it back is not complete', async () => {
    // Each first page lacks its last product, whoever asks: no walk further down brings it back.
    const run = await trust.night('2026-03-02', {
      faults: [
        { kind: 'cap', count: 20 },
        { kind: 'missingItems', pages: [1], count: 1 },
      ],
    });
    expect(run.verdict).toBe('partial');
    expect(await saidGone(trust.book.base.db)).toBe(0);
  });

  test('by a night in which three categories in ten fail', async () => {
    const shelves = shelvesOf(trust.simulator, '2026-03-01');
    const failing = shelves.filter((_, i) => i % 10 < 3).flatMap(({ categoryId, below }) => [categoryId, ...below]);
    const run = await trust.night('2026-03-02', { faults: [{ kind: 'notFound', categories: failing }] });
    expect(run.verdict).toBe('partial');
    expect(await saidGone(trust.book.base.db)).toBe(0);
  });

  test('by a taxonomy that comes back empty', async () => {
    const run = await trust.night('2026-03-02', { faults: [{ kind: 'emptyTaxonomy' }] });
    expect(run.verdict).toBe('partial');
    expect(await saidGone(trust.book.base.db)).toBe(0);
  });

  test('by a night that shows a tenth of everything, until a person releases it', async () => {
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

  test('of a partial run that is no longer the last, whoever releases it', async () => {
    const run = await trust.night('2026-03-02', { faults: [{ kind: 'tenth' }] });
    await trust.night('2026-03-03');
    await expect(releaseRun(trust.book.context, { runId: run.runId, why: 'too late', signal })).rejects.toThrow(
      `pricebook replay --region uk --from 2026-03-02 --to 2026-03-03 --release ${run.runId} --why`,
    );
    expect(await saidGone(trust.book.base.db)).toBe(0);
  });
});

describe('a catalogue whose listings end at a thousand', () => {
  const trust = useDirectBook({ items: 1_700, superDepartments: 2, evolve: false, pageSize: 60 }, { firstNight });

  test('is walked further down, and nothing is said to be gone', async () => {
    const run = await trust.night('2026-03-02', { listingCap: 1_000 });
    expect(run.verdict).toBe('complete');
    expect(await saidGone(trust.book.base.db)).toBe(0);
  });
});

/** Dates on which some products are there, and then are not for three nights. */
const moving = { items: 240, superDepartments: 4, dailyTurnover: 0.025, flicker: 0, dailyChange: 0 } as const;
const dates = ['2026-03-01', '2026-03-02', '2026-03-03', '2026-03-04'];

describe.each([
  ['1', ['delisted']],
  ['2', ['absent', 'delisted']],
  ['3', ['absent', 'absent', 'delisted']],
] as const)('with DELIST_AFTER=%s', (after, states) => {
  const trust = useDirectBook(moving, { env: { DELIST_AFTER: after } });

  test(`a product that is gone is ${states.join(', then ')}`, async () => {
    const present = (date: string) => new Set([...trust.simulator.truth('uk', date)].map(({ productId }) => productId));
    const gone = [...present(dates[0]!)].filter((id) => dates.slice(1).every((date) => !present(date).has(id)));
    expect(gone.length).toBeGreaterThan(0);
    for (const [index, date] of dates.slice(0, states.length + 1).entries()) {
      expect((await trust.night(date)).verdict).toBe('complete');
      if (index === 0) continue;
      expect(await statesOf(gone)).toEqual([states[index - 1]]);
    }
  });

  async function statesOf(productIds: readonly string[]): Promise<string[]> {
    const rows = await rowsOf<{ availability: string }>(
      trust.book.base.db,
      `select distinct h.availability::text from catalog.availability_history h join catalog.product using (product_key)
       where h.valid_to is null and product_id = any($1)`,
      [productIds],
    );
    return rows.map(({ availability }) => availability);
  }
});

describe('with DELIST_CONFIRM=on', () => {
  const trust = useDirectBook(moving, { env: { DELIST_CONFIRM: 'on' } });

  test('a product whose own page does not answer stays absent', async () => {
    const silent = { faults: [{ kind: 'vendor400', endpoint: 'product-details' }] } as const;
    for (const date of dates.slice(0, 3)) await trust.night(date, silent);
    const found = await availabilities(trust.book.base.db);
    expect(found['absent']).toBeGreaterThan(0);
    expect(found['delisted']).toBeUndefined();
  });
});
