import { beforeEach, describe, expect, test } from 'vitest';
import type { ProductDetail } from '../../src/base/model/index.ts';
import { planDetails } from '../../src/crawl/ledger/details.ts';
import { move } from '../../src/crawl/run/transitions.ts';
import { stageDetails } from '../../src/crawl/stage/detail.ts';
import { unitsOf } from '../../src/crawl/units.ts';
import { rowsOf } from '../../src/db/rows.ts';
import { detailFetch } from '../../src/db/tables/index.ts';
import { useDatabase } from '../support/database.ts';
import { forgetEverything } from '../support/forget-everything.ts';
import { claimAll, detailed, enlistWorker, listed, openRun, readOf, stageOne } from '../support/open-run.ts';
import { publishStaged } from '../support/publish-staged.ts';

const page = detailed({
  description: 'Biscuits of oats.',
  ingredients: 'Oats, Milk',
  allergens: ['milk', 'oats'],
  packSize: '4',
  packMeasure: 'each',
  packCount: 4,
  storage: 'Keep dry.',
  productType: 'SingleProduct',
  status: 'AvailableForSale',
  nutrition: [{ nutrient: 'fat', basis: '100g', amount: '9', unit: 'g', isUpperBound: false, printed: '9g' }],
});
const { packSize, packMeasure, packCount } = page;
const gone = detailed({ packSize, packMeasure, packCount, status: 'ProductNotFound' });
const known = { description: 'Biscuits of oats.', status: 'AvailableForSale', allergens: 'milk, oats', fat: '9' };

describe('details of a product', () => {
  const database = useDatabase();
  beforeEach(async () => {
    await forgetEverything(database.db, 'restart');
  });

  test.each([
    ['with no more than that it is not there', gone],
    ['with no more than that and a size', { ...gone, packSize: '2' }],
    ['with nothing on it', { ...gone, status: null, packSize: null, packMeasure: null, packCount: null }],
    ['that is not there', null],
  ])('details stay when the product answers with a page %s', async (_, answer) => {
    await night('2026-03-01', page);
    await night('2026-03-02', answer);
    expect(await now()).toEqual([{ ...known, since: '2026-03-01' }]);
    await night('2026-03-03', page);
    expect(await now()).toEqual([{ ...known, since: '2026-03-01' }]);
    await night('2026-03-04', { ...page, description: 'New words.' });
    expect(await now()).toEqual([{ ...known, description: 'New words.', since: '2026-03-04' }]);
  });

  test('details change with a page that has less content, or is gone and still has its text', async () => {
    await night('2026-03-01', page);
    const { status, productType } = page;
    await night('2026-03-02', { ...gone, status, productType });
    expect(await now()).toEqual([{ description: null, status, allergens: '', fat: null, since: '2026-03-02' }]);
    await night('2026-03-03', { ...page, status: 'ProductNotFound' });
    expect(await now()).toEqual([{ ...known, status: 'ProductNotFound', since: '2026-03-03' }]);
  });

  test('details of a product that never existed state so', async () => {
    await night('2026-03-01', gone);
    expect(await now()).toMatchObject([{ description: null, status: 'ProductNotFound', since: '2026-03-01' }]);
  });

  /** A night with a new price, so that the details are requested and this response returned. */
  async function night(date: string, detail: ProductDetail | null): Promise<void> {
    const { db } = database;
    const opened = await openRun(db, { date, pages: 1 });
    const workerId = await enlistWorker(db);
    const [claim] = await claimAll(db, opened.runId, workerId);
    await stageOne(db, readOf(opened, claim!, [listed('1', { priceMinor: Number(date.slice(-2)) })]));
    await move(db, 'startDetails', opened);
    await db.tx((tx) => planDetails(tx, opened, { limit: 10, maxAgeDays: 90 }));
    const kind = { table: detailFetch, phase: 'details' } as const;
    const units = unitsOf(db, kind, opened, workerId);
    const [unit] = await units.claim(10);
    await db.tx(async (tx) => {
      await units.settle(tx, [{ unit: unit!, values: { outcome: detail ? 'found' : 'not_there' } }]);
      await stageDetails(tx, opened.runId, detail ? [{ productId: '1', detail }] : []);
    });
    await move(db, 'startFinishing', opened);
    await publishStaged(db, opened, { now: opened.observedAt });
  }

  function now() {
    return rowsOf(
      database.db,
      `select p.description, p.status, p.allergens, n.amount::text as fat, p.details_since::date::text as since
       from marts.dim_product p
       left join catalog.product_nutrition n on n.product_key = p.product_key and n.valid_from = p.details_since`,
    );
  }
});
