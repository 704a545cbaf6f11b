import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ClaimLost } from '../../src/base/errors.ts';
import { planCategories } from '../../src/crawl/ledger/pages.ts';
import { createRuns } from '../../src/crawl/run/runs.ts';
import { move } from '../../src/crawl/run/transitions.ts';
import { stageTaxonomy } from '../../src/crawl/stage/taxonomy.ts';
import { rowsOf } from '../../src/db/rows.ts';
import { encodeCategoryId } from '../../src/source/normalise/category-id.ts';
import { useDatabase } from '../support/database.ts';
import { physicalDump } from '../support/dump.ts';
import { forgetEverything } from '../support/forget-everything.ts';
import { brokenInvariants } from '../support/invariants.ts';
import { claimAll, enlistWorker, finishReading, listed, planPages, readOf, stageOne } from '../support/open-run.ts';
import { publishStaged } from '../support/publish-staged.ts';

/** A product as one page shows it: all that can differ between pages and nights here. */
interface Observation {
  readonly product: number;
  readonly price: number;
  readonly isForSale: boolean;
  readonly title: string;
}

interface Night {
  readonly isCertified: boolean;
  /** By category, by page. */
  readonly pages: readonly (readonly Observation[])[][];
  /** The order in which pages arrive. */
  readonly arrival: readonly number[];
  readonly isCrawledTwice: boolean;
}

const categories = ['Bakery', 'Drinks', 'Frozen'];
const observation = fc.record({
  product: fc.integer({ min: 1, max: 8 }),
  price: fc.integer({ min: 1, max: 3 }),
  isForSale: fc.boolean(),
  title: fc.constantFrom('Bread', 'Loaf'),
});
const page = fc.uniqueArray(observation, { selector: ({ product }) => product, maxLength: 5 });
const nights: fc.Arbitrary<Night[]> = fc.array(
  fc.record({
    isCertified: fc.oneof({ weight: 3, arbitrary: fc.constant(true) }, fc.constant(false)),
    pages: fc.tuple(...categories.map(() => fc.array(page, { minLength: 1, maxLength: 2 }))),
    arrival: fc.array(fc.nat(), { minLength: 6, maxLength: 6 }),
    isCrawledTwice: fc.boolean(),
  }),
  { minLength: 1, maxLength: 5 },
);

/** Others every time; more by hand: `SEQUENCES=50 npx vitest run test/publish/nights.test.ts`. */
const sequences = Number(process.env['SEQUENCES'] ?? 4);

describe('publication', () => {
  const database = useDatabase();

  test('publication leaves what a plain implementation of its rules leaves, for any nights and any order of pages', {
    timeout: 240_000,
  }, async () => {
    await fc.assert(
      fc.asyncProperty(nights, async (story) => {
        await emptied();
        const expected = new Model();
        for (const [index, night] of story.entries()) {
          const date = `2026-03-${String(index + 1).padStart(2, '0')}`;
          await crawl(date, night);
          expected.tell(date, night);
          expect(await known()).toEqual(expected.known());
          if (!night.isCrawledTwice) continue;
          const before = await physicalDump(database.db);
          await crawl(date, night);
          expected.tell(date, night);
          expect(await known()).toEqual(expected.known());
          expect(await physicalDump(database.db)).toEqual(before);
        }
        expect(await brokenPromises()).toEqual([]);
      }),
      { numRuns: sequences },
    );
  });

  test('publication is idempotent', async () => {
    await emptied();
    const bread = { product: 1, price: 1, isForSale: true, title: 'Bread' };
    const run = await crawl('2026-03-01', {
      isCertified: true,
      pages: [[[bread]], [[]], [[]]],
      arrival: [0],
      isCrawledTwice: false,
    });
    const before = await physicalDump(database.db);
    const again = await publishStaged(database.db, run);
    expect(again).toMatchObject({ productsListed: 1, productsAvailable: 1 });
    expect(await physicalDump(database.db)).toEqual(before);
  });

  test('publication is refused if the run was abandoned meanwhile', async () => {
    await emptied();
    const bread = { product: 1, price: 1, isForSale: true, title: 'Bread' };
    const run = await staged('2026-03-01', [[[bread]], [[]], [[]]], [0]);
    await move(database.db, 'abandon', run);
    await expect(publishStaged(database.db, run)).rejects.toThrow(ClaimLost);
    expect(await known()).toEqual({});
  });

  test('publications of both regions at once never deadlock, and lose nothing that is being staged', async () => {
    await emptied();
    const many = Array.from({ length: 5 }, (_, index) => ({
      product: index + 1,
      price: 1,
      isForSale: true,
      title: 'Bread',
    }));
    const deadlocks = () =>
      rowsOf<{ deadlocks: string }>(
        database.db,
        'select deadlocks from pg_stat_database where datname = current_database()',
      );
    const before = await deadlocks();
    for (let round = 1; round <= 4; round += 1) {
      const date = `2026-04-0${round}`;
      const shown = many.map((product) => ({ ...product, price: round }));
      const [uk, ie] = [
        await staged(date, [[shown], [[]], [[]]], [0]),
        await staged(date, [[shown], [shown], [[]]], [0], 'ie'),
      ];
      await Promise.all([publishStaged(database.db, uk), publishStaged(database.db, ie)]);
    }
    // Sent with a delay of up to a second.
    await database.db.query('select pg_stat_force_next_flush()').catch(() => undefined);
    expect(await deadlocks()).toEqual(before);
    const [left] = await rowsOf(database.db, 'select count(*)::int as staged from stage.product');
    expect(left).toEqual({ staged: 0 });
    expect(await brokenPromises()).toEqual([]);
  });

  /** Except checks of requests, because these pages were never requested. */
  async function brokenPromises(): Promise<string[]> {
    return (await brokenInvariants(database.db)).filter((promise) => !promise.startsWith('spend:'));
  }

  async function crawl(date: string, { pages, arrival, isCertified }: Night) {
    const run = await staged(date, pages, arrival);
    await publishStaged(database.db, run, { isCertified });
    return run;
  }

  /** A run whose pages are staged in the order of arrival. */
  async function staged(date: string, pages: Night['pages'], arrival: readonly number[], region: 'uk' | 'ie' = 'uk') {
    const { db } = database;
    const runs = createRuns(db);
    const run = await runs.open({
      region,
      snapshotDate: date,
      now: new Date(`${date}T02:00:00Z`),
      maxDetails: 0,
      origin: 'command',
    });
    await db.tx(async (tx) => {
      const nodes = categories.map((name) => ({
        categoryId: encodeCategoryId([name]),
        parentId: null,
        name,
        label: 'superDepartment',
        depth: 0,
      }));
      const ranked = await stageTaxonomy(tx, run.runId, nodes);
      await planCategories(
        tx,
        run.runId,
        ranked.map(({ categoryNo, categoryId }) => ({ categoryNo, categoryId, rootNo: categoryNo })),
      );
      for (const { categoryNo, name } of ranked)
        await planPages(tx, run.runId, categoryNo, pages[categories.indexOf(name)]!.length);
      await move(tx, 'startCategories', run);
    });
    const workerId = await enlistWorker(db);
    const left = await claimAll(db, run.runId, workerId);
    for (const draw of [...arrival, 0, 0, 0, 0, 0, 0]) {
      const claim = left.splice(draw % Math.max(1, left.length), 1)[0];
      if (!claim) break;
      const ordinal = categories.findIndex((name) => encodeCategoryId([name]) === claim.categoryId);
      const products = pages[ordinal]![claim.pageNo - 1]!.map(({ product, price, isForSale, title }) =>
        listed(String(product), { priceMinor: price, isForSale, title, breadcrumb: [claim.categoryId] }),
      );
      await stageOne(db, readOf(run, claim, products));
    }
    await finishReading(db, run);
    return run;
  }

  async function emptied() {
    await forgetEverything(database.db, 'restart');
  }

  async function known(): Promise<Record<string, readonly string[]>> {
    const rows = await rowsOf<{ product_id: string; spells: string[] }>(
      database.db,
      `select p.product_id, array_agg(h.availability || ' ' || h.valid_from::date order by h.valid_from)
         || array[p.title,
           (
             select string_agg(price_minor || ' ' || valid_from::date, ', ' order by valid_from)
             from catalog.price_spell c
             where c.product_key = p.product_key)] as spells
       from catalog.product p join catalog.availability_spell h using (product_key)
       where p.region = 'uk' group by p.product_key`,
    );
    return Object.fromEntries(rows.map(({ product_id, spells }) => [product_id, spells]));
  }
});

/**
 * The rules, read plainly: the first observation in order of category and page counts; certified nights alone tell
 * absence.
 */
class Model {
  readonly #products = new Map<number, { title: string; prices: [number, string][]; spells: [string, string][] }>();

  tell(date: string, { pages, isCertified }: Night): void {
    const first = new Map<number, Observation>();
    for (const page of pages.flat())
      for (const shown of page) if (!first.has(shown.product)) first.set(shown.product, shown);

    for (const { product, price, isForSale, title } of first.values()) {
      const known = this.#products.get(product) ?? { title, prices: [], spells: [] };
      this.#products.set(product, known);
      known.title = title;
      // A price shown for a product not for sale is not an offer.
      if (isForSale && known.prices.at(-1)?.[0] !== price) known.prices.push([price, date]);
      const state = isForSale ? 'available' : 'unavailable';
      if (known.spells.at(-1)?.[0] !== state) known.spells.push([state, date]);
    }
    if (!isCertified) return;
    for (const [product, { spells }] of this.#products) {
      if (first.has(product)) continue;
      const [state, since] = spells.at(-1)!;
      if (state === 'available' || state === 'unavailable') spells.push(['absent', date]);
      else if (state === 'absent' && since < date) spells.push(['delisted', date]);
    }
  }

  known(): Record<string, readonly (string | null)[]> {
    return Object.fromEntries(
      [...this.#products].map(([product, { title, prices, spells }]) => [
        String(product),
        [...spells.map((spell) => spell.join(' ')), title, prices.map((price) => price.join(' ')).join(', ') || null],
      ]),
    );
  }
}
