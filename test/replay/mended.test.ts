import { beforeAll, describe, expect, test } from 'vitest';
import { type ListedProduct, regionCodes } from '../../src/base/model/index.ts';
import { rowsOf } from '../../src/db/rows.ts';
import { verifyNights } from '../../src/followers/audits/verify.ts';
import { dropOldCopies, listOldCopies } from '../../src/publish/replay/old-copies.ts';
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
  promotions: product.promotions.map((promotion) => ({ ...promotion, kind: 'unknown', loyaltyPriceMinor: null })),
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
    const penceAsPounds = misreadingProducts(pricedBy((minor) => minor * 100));
    beforeAll(async () => {
      for (const night of nights) await book.crawl(night, { endpointsOf: penceAsPounds });
    });

    test('a check holds the nights, also in a replay, as long as the mapping is wrong', async () => {
      const report = await book.replay(both, { endpointsOf: penceAsPounds, regions: ['uk'] });
      const statuses = report.nights.map(({ live, replayed }) => [live.status, replayed.status]);
      expect(statuses).toEqual(Array(2).fill(['held', 'held']));
      expect(report.rows).toEqual([]);
    });

    test('a replay with the corrected mapping publishes the nights without a request', async () => {
      const { db } = book.installation;
      const asked = book.simulator.log();
      const { nights: replayed } = await book.replay(both, { apply: true });
      const outcomes = replayed.map((night) => [night.live.status, night.replayed.status, night.replayed.verdict]);
      expect(outcomes).toEqual(Array(4).fill(['held', 'published', 'complete']));
      for (const night of nights) {
        for (const region of regionCodes) {
          expect(await disagreements(db, book.simulator, region, night)).toEqual([]);
        }
      }
      expect(await brokenInvariants(db)).toEqual([]);
      // Which details were requested depended on the published data.
      expect(without(await dumpOf(book, 'uk'), ...details)).toEqual(without(right, ...details));
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

    test('a replay of the details alone repairs the details and nothing else', async () => {
      const before = await dumpOf(book);
      const { differences, nights: replayed } = await book.replay(both, { parts: ['detail'], apply: true });
      for (const { live, replayed: again } of replayed) expect(again).toEqual(live);
      expect(replayed[0]!.replayed.verdict).toBe('complete');
      expect([...new Set(differences.map(({ table }) => table))]).toEqual(details);
      const { product_detail, product_nutrition } = right;
      expect(await dumpOf(book)).toEqual({ ...before, product_detail, product_nutrition });
    });

    test('a part of the nights is applied only if no later night depends on it', async () => {
      const { db } = book.installation;
      const [first, second] = nights as [string, string];
      await expect(book.replay({ from: first, to: first }, { apply: true })).rejects.toThrow('depends on them');
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
      expect(await book.replay(both, { apply: true })).toMatchObject({ oldCopy: 'catalog_old_3', isApplied: true });
      expect(await dumpOf(book)).toEqual(right);
      expect((await book.replay(both)).rows).toEqual([]);
    });

    test('replaced data are kept until they are dropped', async () => {
      const { db } = book.installation;
      const [row] = await rowsOf(
        db,
        `select bool_and(o.price_minor = h.price_minor + 1) as "isOld"
       from catalog_old_2.product_current o join catalog.product_current h using (product_key)
       join ops.run r on r.observed_at = h.price_since and r.snapshot_date >= $1`,
        [nights[1]!],
      );
      expect(row).toEqual({ isOld: true });
      expect(await dropOldCopies(db)).toEqual(['catalog_old_1', 'catalog_old_2', 'catalog_old_3']);
      expect(await listOldCopies(db)).toEqual([]);
    });
  });

  describe('nights with titles in capitals, everything out of stock, no breadcrumbs and wrong ids', () => {
    const book = useReplayedBook(supermarket, ['uk']);
    const mapping = misreadingProducts((product) => ({
      ...withoutMeaning(product),
      title: product.title!.toUpperCase(),
      isForSale: false,
      breadcrumb: [],
      ...(isUnlucky(product) ? { promotions: [], productId: `${product.productId}0` } : {}),
    }));
    beforeAll(async () => {
      for (const night of nights) await book.crawl(night, { endpointsOf: mapping });
    });

    test('one replay repairs all these errors', async () => {
      const { differences } = await book.replay(both, { apply: true });
      expect(differences.map(({ table }) => table)).toEqual(
        expect.arrayContaining([
          'availability_history',
          'price_history',
          'product',
          'product_category',
          'product_promotion',
          'promotion',
        ]),
      );
      // Which details were worth a request depended on the mistakes.
      expect(without(await dumpOf(book), ...details)).toEqual(without(right, ...details));
      expect(await brokenInvariants(book.installation.db)).toEqual([]);
    });
  });

  describe('nights on whose category pages a replay finds fewer products', () => {
    const book = useReplayedBook(supermarket, ['uk']);
    beforeAll(() => book.crawl(nights[0]!, undefined, 60));

    test('nothing is kept of products that a replay does not find, and others may get their keys', async () => {
      const { db } = book.installation;
      const night = { from: nights[0]!, to: nights[0]! };
      await book.replay(night, { parts: ['listing'], apply: true, endpointsOf: rejectingProducts(isUnlucky) });
      for (const table of ['catalog.product_detail', 'catalog.product_nutrition', 'catalog.product_current']) {
        const orphans = `select from ${table} where product_key not in (select product_key from catalog.product)`;
        expect([table, await rowsOf(db, orphans)]).toEqual([table, []]);
      }
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
      const quarantined = await unhealed(book);
      expect(Object.keys(quarantined).sort()).toEqual(['data: not understood', 'title: not understood']);
      const all = Object.values(quarantined).reduce((sum, count) => sum + count, 0);
      const { healing, nights: replayed } = await book.replay(both, { apply: true });
      expect(healing).toEqual({ healed: all, rejected: 0 });
      expect(await unhealed(book)).toEqual({});
      expect(replayed.map(({ live }) => live.verdict)).toEqual(Array(2).fill('partial'));
      expect(replayed.map((night) => night.replayed.verdict)).toEqual(Array(2).fill('complete'));
      // Falling short, the crawl walked further down: it knows more memberships.
      const walked = [...details, 'product_category'];
      expect(without(await dumpOf(book), ...walked)).toEqual(without(right, ...walked));
      expect(await brokenInvariants(book.installation.db)).toEqual([]);
    });
  });
});

/** Elements in quarantine, by reason. */
async function unhealed({ installation }: ReplayedBook): Promise<Record<string, number>> {
  const rows = await rowsOf<{ reason: string; count: number }>(
    installation.db,
    'select reason, count(*)::int as count from ops.quarantine where healed_at is null group by reason',
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
