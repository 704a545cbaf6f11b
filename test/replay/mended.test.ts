import { beforeAll, describe, expect, test } from 'vitest';
import { RunRefused } from '../../src/base/errors.ts';
import { type ListedProduct, regionCodes } from '../../src/base/model/index.ts';
import { rowsOf } from '../../src/db/rows.ts';
import { verifyNights } from '../../src/followers/audits/verify.ts';
import { decodeCategoryId } from '../../src/source/normalise/category-id.ts';
import { nightOf } from '../support/crawl.ts';
import { businessDump } from '../support/dump.ts';
import { brokenInvariants } from '../support/invariants.ts';
import { disagreements } from '../support/truth.ts';
import { breakingPages, misreadingDetails, misreadingProducts, rejectingProducts } from './mistaken.ts';
import { type ReplayedBook, useReplayedBook } from './replayed-book.ts';

const supermarket = {
  items: 120,
  superDepartments: 2,
  dailyChange: 0.1,
  dailyTurnover: 0.01,
  flicker: 0.01,
  promoted: 0.4,
  unavailable: 0.1,
};

/** A parsing error, and the later night that depends on it. */
const nights = ['2026-03-28', '2026-03-29'];
const both = { from: nights[0]!, to: nights[1]! };
const details = ['product_detail', 'product_nutrition'];

const isUnlucky = ({ productId }: { productId: string }) => productId.endsWith('7');
const withoutMeaning = (product: ListedProduct): ListedProduct => ({
  ...product,
  promotions: product.promotions.map((promotion) => ({
    ...promotion,
    meaning: { ...promotion.meaning, kind: 'unknown', loyaltyPriceMinor: null },
  })),
});
const pricedBy = (price: (minor: number) => number) => (product: ListedProduct) => ({
  ...product,
  priceMinor: product.priceMinor === null ? null : price(product.priceMinor),
});

describe('wrongly parsed nights', () => {
  /** The catalogue without parsing errors. */
  let right: Readonly<Record<string, readonly string[]>>;
  const faultless = useReplayedBook(supermarket, ['uk']);
  beforeAll(async () => {
    for (const night of nights) await faultless.crawl(night);
    right = await businessDump(faultless.installation.db);
  });

  describe('nights of both regions crawled with pence read as pounds', () => {
    const book = useReplayedBook(supermarket);
    const penceAsPounds = misreadingDetails(
      (detail) => ({ ...detail, description: null }),
      misreadingProducts(pricedBy((minor) => minor * 100)),
    );
    beforeAll(async () => {
      for (const night of nights) await book.crawl(night, { endpointsOf: penceAsPounds });
    });

    test('a check holds the nights, also in a replay, as long as the mapping is wrong', async () => {
      const report = await book.replay(both, { endpointsOf: penceAsPounds, regions: ['uk'] });
      const statuses = report.nights.map(({ live, replayed }) => [live.status, replayed.status]);
      expect(statuses).toEqual(Array(2).fill(['held', 'held']));
      expect(report.differences).toEqual([]);
    });

    test('a replay with the corrected mapping publishes the nights without a request', async () => {
      const { db } = book.installation;
      const asked = book.simulator.log();
      const { nights: replayed } = await book.replay(both, { apply: true });
      const outcomes = replayed.map((night) => [night.live.status, night.replayed.status, night.replayed.certificate]);
      expect(outcomes).toEqual(Array(4).fill(['held', 'published', 'complete']));
      for (const night of nights) {
        for (const region of regionCodes) {
          expect(await disagreements(db, book.simulator, region, night)).toEqual([]);
        }
      }
      expect(await brokenInvariants(db)).toEqual([]);
      // Which details were requested depended on the published data.
      expect(without(await dumpOf(book, 'uk'), ...details)).toEqual(without(right, ...details));
      const described = await rowsOf(db, 'select from catalog.product_detail where description is not null');
      expect(described.length).toBeGreaterThan(5);
      expect(book.simulator.log()).toEqual(asked);
      expect(await rowsOf(db, 'select 1 from stage.product union all select 1 from stage.category')).toEqual([]);
    });
  });

  describe('nights with errors in prices, promotions and descriptions that no check can see', () => {
    const book = useReplayedBook(supermarket, ['uk']);
    const dearer = pricedBy((minor) => minor + 1);
    const mapping = misreadingDetails(
      (detail) => ({ ...detail, description: null, nutrition: [] }),
      misreadingProducts((product) => withoutMeaning(dearer(product))),
    );
    beforeAll(async () => {
      for (const night of nights) await book.crawl(night, { endpointsOf: mapping });
    });

    test('a part of the nights is applied only if no later night depends on it', async () => {
      const { db } = book.installation;
      const [first, second] = nights as [string, string];
      await expect(book.replay({ from: first, to: first }, { apply: true })).rejects.toThrow(RunRefused);
      await book.replay({ from: second, to: second }, { apply: true });
      expect(await disagreements(db, book.simulator, 'uk', first)).not.toEqual([]);
      expect(await disagreements(db, book.simulator, 'uk', second)).toEqual([]);
      expect(await brokenInvariants(db)).toEqual([]);
    });

    test('promotions mean the same on every night, and every certificate still matches its night', async () => {
      const { db } = book.installation;
      const verified = await verifyNights(db, { now: nightOf(nights[1]!) });
      expect(verified.map(({ snapshotDate, isSame }) => [snapshotDate, isSame])).toEqual(
        nights.map((night) => [night, true]),
      );
    });

    test('a replay of all nights makes every night what it would have been, to the last key', async () => {
      expect(await book.replay(both, { apply: true })).toMatchObject({ isApplied: true });
      expect(await dumpOf(book)).toEqual(right);
      expect((await book.replay(both)).differences).toEqual([]);
    });
  });

  describe('nights with products and pages that could not be parsed', () => {
    const book = useReplayedBook(supermarket, ['uk']);
    const mapping = breakingPages(
      ({ categoryId }) => decodeCategoryId(categoryId)?.[0] === 'Bakery',
      rejectingProducts(isUnlucky),
    );
    beforeAll(async () => {
      for (const night of nights) await book.crawl(night, { endpointsOf: mapping });
    });

    test('a replay restores these products and pages and empties the quarantine', async () => {
      const before = await quarantined(book);
      expect(Object.keys(before).sort()).toEqual(['data: not understood', 'title: not understood']);
      const { nights: replayed } = await book.replay(both, { apply: true });
      for (const { live } of replayed) expect(live.rejected).toBeGreaterThan(0);
      expect(replayed.map((night) => night.replayed.rejected)).toEqual([0, 0]);
      expect(await quarantined(book)).toEqual({});
      expect(replayed.map(({ live }) => live.certificate)).toEqual(Array(2).fill('partial'));
      expect(replayed.map((night) => night.replayed.certificate)).toEqual(Array(2).fill('complete'));
      // Falling short, the crawl walked further down: it knows more memberships.
      const walked = [...details, 'product_category'];
      expect(without(await dumpOf(book), ...walked)).toEqual(without(right, ...walked));
      expect(await brokenInvariants(book.installation.db)).toEqual([]);
    });

    test('products that only a replay finds have keys like all others', async () => {
      const [keys] = await rowsOf<{ last: number; products: number }>(
        book.installation.db,
        'select max(product_key) as last, count(*)::int as products from catalog.product',
      );
      expect(keys!.last).toBeLessThan(10 * keys!.products);
    });
  });
});

/** Elements in quarantine, by reason. */
async function quarantined({ installation }: ReplayedBook): Promise<Record<string, number>> {
  const rows = await rowsOf<{ reason: string; count: number }>(
    installation.db,
    'select reason, count(*)::int as count from ops.quarantine group by reason',
  );
  return Object.fromEntries(rows.map(({ reason, count }) => [reason, count]));
}

/** The catalogue, optionally of one region. */
async function dumpOf({ installation }: ReplayedBook, region = '') {
  const dump = await businessDump(installation.db);
  const isMeant = (line: string) => line.startsWith(`(${region}`);
  return Object.fromEntries(Object.entries(dump).map(([table, lines]) => [table, lines.filter(isMeant)]));
}

function without(dump: Readonly<Record<string, readonly string[]>>, ...tables: readonly string[]) {
  return Object.fromEntries(Object.entries(dump).filter(([table]) => !tables.includes(table)));
}
