import { describe, expect, test } from 'vitest';
import { rowsOf } from '../../src/db/rows.ts';
import { releaseRun } from '../../src/publish/release-run.ts';
import { brokenInvariants } from '../support/invariants.ts';
import { recallEverything } from '../support/remember-everything.ts';
import { shelvesOf } from '../support/shelves.ts';
import { disagreements, knownProducts } from '../support/truth.ts';
import { availabilities, useDirectBook } from './use-direct-book.ts';

const supermarket = { items: 120, superDepartments: 4, dailyChange: 0.1, dailyTurnover: 0.05, promoted: 0.3 };
const dear = { faults: [{ kind: 'pencePrices' }] } as const;
const { signal } = new AbortController();

describe('two nights held by a check', () => {
  const trust = useDirectBook(supermarket, { env: { ARCHIVE: 'file' }, firstNight: '2026-03-01' });

  test('of two held nights the second is staged again on the released first, without a request', async () => {
    const { db, runs } = trust.book.base;
    const first = await trust.night('2026-03-02', dear);
    const second = await trust.night('2026-03-03', dear);
    expect([first.status, second.status]).toEqual(['held', 'held']);
    const asked = trust.simulator.log();

    await release(first.runId);
    await release(second.runId);
    expect(trust.simulator.log()).toEqual(asked);
    const released = await runs.byId(second.runId);
    expect(released).toMatchObject({ status: 'published', epoch: second.epoch + 1 });
    expect(await disagreements(db, trust.simulator, 'uk', '2026-03-01')).toEqual([]);
    // The night after reads as the upstream showed it: nothing was taken for known that was not.
    const next = await trust.night('2026-03-04');
    await release(next.runId);
    expect(await disagreements(db, trust.simulator, 'uk', '2026-03-04')).toEqual([]);
    expect(await prices('2026-03-03')).toEqual(await shown('2026-03-03'));
    expect(await brokenInvariants(db)).toEqual([]);
  });

  test('releasing held nights in the wrong order is refused with advice', async () => {
    const first = await trust.night('2026-03-02', dear);
    const second = await trust.night('2026-03-03', dear);
    await release(second.runId);
    await expect(release(first.runId)).rejects.toThrow(
      `pricebook replay --region uk --from 2026-03-02 --to 2026-03-03 --release ${first.runId} --why "…" --apply`,
    );
  });

  test('a night that is being crawled during a release is staged again before it is published', async () => {
    const { db, runs } = trust.book.base;
    const held = await trust.night('2026-03-02', dear);
    trust.simulator.change({ faults: [], date: '2026-03-03' });
    const run = await trust.book.night('uk', '2026-03-03', async ({ phase }) => {
      if (phase === 'finishing' && (await runs.byId(held.runId)).status === 'held') await release(held.runId);
    });
    expect([run.status, run.epoch]).toEqual(['held', 2]);
    await release(run.runId);
    expect(await disagreements(db, trust.simulator, 'uk', '2026-03-03')).toEqual([]);
    expect(await brokenInvariants(db)).toEqual([]);
  });

  function release(runId: number) {
    return releaseRun(trust.book.context, { runId, why: 'everything is dear today', signal });
  }

  async function prices(date: string): Promise<Record<string, number>> {
    const rows = await rowsOf<{ product_id: string; price: string }>(
      trust.book.base.db,
      `select product_id, price from marts.as_of('uk', $1)`,
      [date],
    );
    return Object.fromEntries(rows.map(({ product_id, price }) => [product_id, Math.round(Number(price) * 100)]));
  }

  /** Pence read as pounds. */
  async function shown(date: string): Promise<Record<string, number>> {
    const truth = [...trust.simulator.truth('uk', date)];
    return Object.fromEntries(truth.map(({ productId, priceMinor }) => [productId, 100 * (priceMinor ?? 0)]));
  }
});

describe('a partial night that a person releases', () => {
  const trust = useDirectBook(supermarket, { env: { ARCHIVE: 'file' }, firstNight: '2026-03-01' });

  test('a released partial night reports the same products as gone, whether or not a check had held it', async () => {
    const { simulator } = trust;
    const { db, runs } = trust.book.base;
    const failing = shelvesOf(simulator, '2026-03-02').filter((_, i) => i % 3 === 0);
    const categories = failing.flatMap(({ categoryId, below }) => [categoryId, ...below]);
    const away = { kind: 'notFound', categories } as const;
    const published = await trust.night('2026-03-02', { faults: [away] });
    expect([published.status, published.verdict]).toEqual(['published', 'partial']);
    await release(published.runId);
    const known = await membership('2026-03-02');
    const listed = await availabilities(db);
    expect(listed['absent']).toBeGreaterThan(0);

    await recallEverything(db);
    const held = await trust.night('2026-03-02', { faults: [away, { kind: 'pencePrices' }] });
    expect(held.status).toBe('held');
    await release(held.runId);
    expect((await runs.byId(held.runId)).verdict).toBe('complete_within_tolerance');
    expect(await membership('2026-03-02')).toEqual(known);
    expect(await availabilities(db)).toEqual(listed);
    expect(await brokenInvariants(db)).toEqual([]);
  });

  function release(runId: number) {
    return releaseRun(trust.book.context, { runId, why: 'the range was cut', signal });
  }

  async function membership(date: string): Promise<Record<string, readonly string[]>> {
    const known = await knownProducts(trust.book.base.db, 'uk', date);
    return Object.fromEntries([...known].map(([productId, { categories }]) => [productId, categories]));
  }
});

describe('a held night without an archive', () => {
  const trust = useDirectBook(supermarket);

  test('a held night without an archive cannot be released after another', async () => {
    await trust.night('2026-03-01');
    const first = await trust.night('2026-03-02', dear);
    const second = await trust.night('2026-03-03', dear);
    await releaseRun(trust.book.context, { runId: first.runId, why: 'dear', signal });
    await expect(releaseRun(trust.book.context, { runId: second.runId, why: 'dear', signal })).rejects.toThrow(
      new RegExp(`ARCHIVE=off.*\`pricebook crawl --abandon ${second.runId}\``),
    );
    expect((await trust.book.base.runs.byId(second.runId)).status).toBe('held');
  });
});
