import { beforeAll, describe, expect, test } from 'vitest';
import { rowsOf } from '../../src/db/rows.ts';
import { regionCodes } from '../../src/model/index.ts';
import { decodeCategoryId } from '../../src/normalise/category-id.ts';
import { verifyNights } from '../../src/quality/audits/verify.ts';
import { dropOldCopies, listOldCopies } from '../../src/replay/old-copies.ts';
import type { LogReport } from '../../src/simulator/index.ts';
import { nightOf } from '../support/crawl.ts';
import { businessDump } from '../support/dump.ts';
import { brokenInvariants } from '../support/invariants.ts';
import { disagreements } from '../support/truth.ts';
import { breakingPages, misreadingDetails, misreadingProducts, rejectingProducts } from './mistaken.ts';
import { type ReplayedBook, useReplayedBook } from './replayed-book.ts';

const supermarket = {
  items: 120,
  superDepartments: 3,
  dailyChange: 0.1,
  dailyTurnover: 0.01,
  flicker: 0.01,
  promoted: 0.4,
  unavailable: 0.1,
};

const nights = ['2026-03-28', '2026-03-29', '2026-03-30'];
const range = { from: nights[0]!, to: nights[2]! };
/** A mistake, and the night that builds on it: what is mended as a whole needs no third. */
const two = { from: nights[0]!, to: nights[1]! };
const twoNights = nights.slice(0, 2);

describe('two nights of both regions crawled with pence read as pounds', () => {
  const faultless = useReplayedBook(supermarket);
  const book = useReplayedBook(supermarket);
  const penceAsPounds = misreadingProducts((product) => ({
    ...product,
    priceMinor: product.priceMinor === null ? null : product.priceMinor * 100,
  }));
  let asked: LogReport;

  beforeAll(async () => {
    for (const night of twoNights) {
      await faultless.crawl(night);
      await book.crawl(night, { endpointsOf: penceAsPounds });
    }
    asked = book.simulator.log();
  });

  test('are held back by a check, and held back again as long as the mapping is wrong', async () => {
    const report = await book.replay(two, { endpointsOf: penceAsPounds });
    const statuses = report.nights.map(({ live, replayed }) => [live.status, replayed.status]);
    expect(statuses).toEqual(Array(4).fill(['held', 'held']));
    expect(report.rows).toEqual([]);
  });

  test('are published by a replay with the mended mapping, each as the upstream showed it', async () => {
    const { nights: replayed } = await book.replay(two, { apply: true });
    const outcomes = replayed.map((night) => [night.replayed.status, night.replayed.verdict]);
    expect(outcomes).toEqual(Array(4).fill(['published', 'complete']));
    for (const night of twoNights) {
      for (const region of regionCodes) {
        expect(await disagreements(book.installation.db, book.simulator, region, night)).toEqual([]);
      }
    }
    expect(await brokenInvariants(book.installation.db)).toEqual([]);
    // Which details were worth a request depended on what was published.
    const details = ['product_detail', 'product_nutrition'];
    expect(await dumpWithout(book, ...details)).toEqual(await dumpWithout(faultless, ...details));
    expect((await book.replay(two)).rows).toEqual([]);
  });

  test('without a request', () => {
    expect(book.simulator.log()).toEqual(asked);
  });

  test('and leave nothing in the stage', async () => {
    const staged = await rowsOf(
      book.installation.db,
      'select 1 from stage.listing union all select 1 from stage.category',
    );
    expect(staged).toEqual([]);
  });
});

describe('three nights of one region', () => {
  const faultless = useReplayedBook(supermarket, ['uk']);
  const isUnlucky = ({ productId }: { productId: string }) => productId.endsWith('7');
  let afterTwo: Record<string, unknown>;
  beforeAll(async () => {
    for (const night of nights) {
      await faultless.crawl(night);
      if (night === two.to) afterTwo = await businessDump(faultless.installation.db);
    }
  });

  describe('crawled with prices a penny too high, which no check can see', () => {
    const book = useReplayedBook(supermarket, ['uk']);
    const dearer = misreadingProducts((product) => ({
      ...product,
      priceMinor: product.priceMinor === null ? null : product.priceMinor + 1,
    }));
    beforeAll(async () => {
      for (const night of nights) await book.crawl(night, { endpointsOf: dearer });
    });

    test('the replay says what is wrong, and changes nothing by saying so', async () => {
      const before = await businessDump(book.installation.db);
      const { differences, isApplied } = await book.replay(range);
      expect(isApplied).toBe(false);
      expect(differences.map(({ table, field }) => [table, field])).toEqual([['price_history', 'price_minor']]);
      const [prices] = differences;
      expect(prices!.count).toBeGreaterThan(3 * 100);
      expect(prices!.samples).toHaveLength(3);
      for (const { live, replayed } of prices!.samples) expect(Number(live)).toBe(Number(replayed) + 1);
      expect(await businessDump(book.installation.db)).toEqual(before);
    });

    test('a part of the nights cannot be applied when others stand on it, and mends the nights it covers when none does', async () => {
      await expect(book.replay({ from: nights[0]!, to: nights[1]! }, { apply: true })).rejects.toThrow(
        'stands on them',
      );
      await book.replay({ from: nights[1]!, to: nights[2]! }, { apply: true });
      const { installation, simulator } = book;
      expect(await disagreements(installation.db, simulator, 'uk', nights[0]!)).not.toEqual([]);
      expect(await disagreements(installation.db, simulator, 'uk', nights[1]!)).toEqual([]);
      expect(await disagreements(installation.db, simulator, 'uk', nights[2]!)).toEqual([]);
      expect(await brokenInvariants(book.installation.db)).toEqual([]);
    });

    test('applied to all, every night is what it would have been, to the last key', async () => {
      expect(await book.replay(range, { apply: true })).toMatchObject({ oldCopy: 'catalog_old_2', isApplied: true });
      expect(await businessDump(book.installation.db)).toEqual(await businessDump(faultless.installation.db));
      expect((await book.replay(range)).rows).toEqual([]);
    });

    test('what was replaced is kept beside it until it is dropped', async () => {
      const { db } = book.installation;
      const [row] = await rowsOf(
        db,
        `select bool_and(o.price_minor = h.price_minor + 1) as "isOld"
       from catalog_old_1.price_history o join catalog.price_history h using (product_key, valid_from)
       join ops.run r on r.observed_at = h.valid_from and r.snapshot_date >= $1`,
        [nights[1]!],
      );
      expect(row).toEqual({ isOld: true });
      expect(await dropOldCopies(db)).toEqual(['catalog_old_1', 'catalog_old_2']);
      expect(await listOldCopies(db)).toEqual([]);
    });
  });

  describe.each([
    [
      'titles in capitals, everything out of stock, no breadcrumbs',
      misreadingProducts((p) => ({ ...p, title: p.title.toUpperCase(), isForSale: false, breadcrumb: [] })),
      ['availability_history', 'product', 'product_category'],
    ],
    [
      'promotions without their meaning',
      misreadingProducts((p) => ({
        ...p,
        promotions: p.promotions.map((promotion) => ({ ...promotion, kind: 'unknown', loyaltyPriceMinor: null })),
      })),
      ['promotion'],
    ],
    [
      'no promotions, and ids with a digit too many',
      misreadingProducts((p) => ({ ...p, promotions: [], productId: `${p.productId}${isUnlucky(p) ? 0 : ''}` })),
      ['price_history', 'product', 'product_promotion'],
    ],
  ] as const)('%s', (_, mapping, tables) => {
    const book = useReplayedBook(supermarket, ['uk']);
    beforeAll(async () => {
      for (const night of twoNights) await book.crawl(night, { endpointsOf: mapping });
    });

    test('is mended by a replay of all its nights', async () => {
      const { differences } = await book.replay(two, { apply: true });
      expect(differences.map(({ table }) => table)).toEqual(expect.arrayContaining([...tables]));
      // Which details were worth a request depended on the mistake.
      expect(await dumpWithout(book, 'product_detail', 'product_nutrition')).toEqual(
        without(afterTwo, 'product_detail', 'product_nutrition'),
      );
      expect(await brokenInvariants(book.installation.db)).toEqual([]);
    });
  });

  describe('promotions without their meaning, mended from the second night on', () => {
    const book = useReplayedBook(supermarket, ['uk']);
    const mapping = misreadingProducts((p) => ({
      ...p,
      promotions: p.promotions.map((promotion) => ({ ...promotion, kind: 'unknown', loyaltyPriceMinor: null })),
    }));
    beforeAll(async () => {
      for (const night of nights) await book.crawl(night, { endpointsOf: mapping });
    });

    test('mean the same on every night, and every certificate still tells what its night was', async () => {
      const { db } = book.installation;
      await book.replay({ from: nights[1]!, to: nights[2]! }, { apply: true });
      expect(await disagreements(db, book.simulator, 'uk', nights[2]!)).toEqual([]);
      const verified = await verifyNights(db, { now: nightOf(nights[2]!) });
      expect(verified.map(({ snapshotDate, isSame }) => [snapshotDate, isSame])).toEqual(
        nights.map((night) => [night, true]),
      );
    });
  });

  describe('details without a description', () => {
    const book = useReplayedBook(supermarket, ['uk']);
    const mapping = misreadingDetails((detail) => ({ ...detail, description: null, nutrition: [] }));
    beforeAll(async () => {
      for (const night of twoNights) await book.crawl(night, { endpointsOf: mapping });
    });

    test('are mended by a replay of the details alone', async () => {
      const { differences } = await book.replay(two, { parts: ['detail'], apply: true });
      expect([...new Set(differences.map(({ table }) => table))]).toEqual(['product_detail', 'product_nutrition']);
      expect(await dumpWithout(book)).toEqual(afterTwo);
      expect((await book.replay(two)).rows).toEqual([]);
    });
  });

  describe.each([
    ['products that were not understood', rejectingProducts(isUnlucky)],
    [
      'pages that were not understood',
      breakingPages(({ categoryId }) => decodeCategoryId(categoryId)?.[0] === 'Bakery'),
    ],
  ] as const)('%s', (_, mapping) => {
    const book = useReplayedBook(supermarket, ['uk']);
    beforeAll(async () => {
      for (const night of twoNights) await book.crawl(night, { endpointsOf: mapping });
    });

    test('come back, and leave the quarantine', async () => {
      const quarantined = await unhealed(book);
      expect(quarantined).toBeGreaterThan(0);
      const { healing, nights: replayed } = await book.replay(two, { apply: true });
      expect(healing).toEqual({ healed: quarantined, rejected: 0 });
      expect(await unhealed(book)).toBe(0);
      expect(replayed.map(({ live }) => live.verdict)).toEqual(Array(2).fill('partial'));
      expect(replayed.map((night) => night.replayed.verdict)).toEqual(Array(2).fill('complete'));
      // Falling short, the crawl walked further down: it knows more memberships.
      const walked = ['product_detail', 'product_nutrition', 'product_category'];
      expect(await dumpWithout(book, ...walked)).toEqual(without(afterTwo, ...walked));
      expect(await brokenInvariants(book.installation.db)).toEqual([]);
    });
  });

  async function unhealed({ installation }: ReplayedBook): Promise<number> {
    const [row] = await rowsOf<{ count: number }>(
      installation.db,
      'select count(*)::int as count from ops.quarantine where healed_at is null',
    );
    return row!.count;
  }
});

async function dumpWithout({ installation }: ReplayedBook, ...tables: string[]) {
  return without(await businessDump(installation.db), ...tables);
}

function without(dump: Readonly<Record<string, unknown>>, ...tables: string[]) {
  return Object.fromEntries(Object.entries(dump).filter(([table]) => !tables.includes(table)));
}
