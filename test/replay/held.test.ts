import { beforeEach, describe, expect, test } from 'vitest';
import type { ListedProduct, ProductDetail } from '../../src/base/model/index.ts';
import type { Run } from '../../src/crawl/ledger/runs.ts';
import { rowsOf } from '../../src/db/rows.ts';
import { businessDump } from '../support/dump.ts';
import { forgetEverything } from '../support/forget-everything.ts';
import { brokenInvariants } from '../support/invariants.ts';
import { misreadingDetails, misreadingProducts } from './mistaken.ts';
import { useReplayedBook } from './replayed-book.ts';

const nights = ['2026-03-27', '2026-03-28', '2026-03-29'] as const;
const all = { from: nights[0], to: nights[2] };

const inCapitals = (product: ListedProduct): ListedProduct => ({ ...product, title: product.title!.toUpperCase() });
const hundredfold = (product: ListedProduct): ListedProduct => ({
  ...product,
  priceMinor: product.priceMinor === null ? null : product.priceMinor * 100,
});
const withoutDescription = (detail: ProductDetail): ProductDetail => ({ ...detail, description: null });
const penceAsPounds = misreadingProducts(hundredfold);

describe('a night held by a check between two others', () => {
  const book = useReplayedBook({ items: 100, superDepartments: 2, dailyChange: 0.1, promoted: 0.4 }, ['uk']);
  beforeEach(() => forgetEverything(book.installation.db));

  /** Three nights, of which a check holds the second. */
  async function crawl(mapping: typeof penceAsPounds, faults: { kind: 'pencePrices' }[] = []): Promise<Run> {
    await book.crawl(nights[0]);
    book.simulator.change({ faults });
    const [held] = await book.crawl(nights[1], { endpointsOf: mapping });
    book.simulator.change({ faults: [] });
    expect(held!.status).toBe('held');
    return held!;
  }
  const detailsOf = async ({ observedAt }: Run) =>
    rowsOf<{ description: string | null }>(
      book.installation.db,
      `select product_id, description, status from catalog.product_detail d join catalog.product p using (product_key)
       where d.valid_from = $1 order by product_id`,
      [observedAt],
    );

  test('a held night is replayed completely with its details, even if only category pages are replayed', async () => {
    const held = await crawl(misreadingDetails(withoutDescription, penceAsPounds));
    await book.crawl(nights[2]);
    const { nights: replayed } = await book.replay(all, { parts: ['listing'], apply: true });
    expect(replayed.map(({ replayed: { status } }) => status)).toEqual(Array(3).fill('published'));
    const details = await detailsOf(held);
    expect(details.length).toBeGreaterThan(5);
    expect(details.filter(({ description }) => description === null)).toEqual([]);
    expect((await book.replay(all)).rows).toEqual([]);
    expect(await brokenInvariants(book.installation.db)).toEqual([]);
  });

  test('a held night keeps its details to itself, even if only details are replayed', async () => {
    const held = await crawl(penceAsPounds);
    await book.crawl(nights[2]);
    const before = await businessDump(book.installation.db);
    const { rows } = await book.replay(all, { parts: ['detail'], apply: true });
    expect(rows).toEqual([]);
    expect(await detailsOf(held)).toEqual([]);
    expect(await businessDump(book.installation.db)).toEqual(before);
  });

  test('a release publishes a held night as the last replay read it', async () => {
    const wrong = misreadingDetails(withoutDescription, misreadingProducts(inCapitals));
    const held = await crawl(wrong, [{ kind: 'pencePrices' }]);
    const { rows, nights: replayed } = await book.replay({ from: nights[0], to: nights[1] }, { apply: true });
    expect(rows).toEqual([]);
    expect(replayed.map(({ replayed: { status } }) => status)).toEqual(['published', 'held']);
    await book.release(held.runId);
    const titles = await rowsOf<{ title: string }>(
      book.installation.db,
      `select title from marts.as_of('uk', $1) where title = upper(title)`,
      [nights[1]],
    );
    expect(titles).toEqual([]);
    expect((await detailsOf(held)).filter(({ description }) => description === null)).toEqual([]);
    expect((await book.replay({ from: nights[0], to: nights[1] })).rows).toEqual([]);
  });
});
