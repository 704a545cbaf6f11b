import { beforeEach, describe, expect, test } from 'vitest';
import type { ProductDetail } from '../../src/base/model/index.ts';
import { createDetails, detailUnits } from '../../src/crawl/ledger/details.ts';
import { move } from '../../src/crawl/ledger/run-life.ts';
import { stageDetails } from '../../src/crawl/stage/detail.ts';
import { rowsOf } from '../../src/db/rows.ts';
import { publish } from '../../src/publish/publish.ts';
import { releasePartial } from '../../src/publish/release-partial.ts';
import { useDatabase } from '../support/database.ts';
import { forgetEverything } from '../support/forget-everything.ts';
import { publishOnePage } from '../support/one-page-night.ts';
import { claimAll, enlistWorker, listed, openRun, readOf, stageOne } from '../support/open-run.ts';

const everything = ['1', '2', '3', '4', '5'];
/** Details of a product without its state. */
const text = {
  tpnb: null,
  gtin: null,
  title: 'Oat Biscuits',
  brand: null,
  description: 'Biscuits of oats.',
  ingredients: null,
  allergens: [],
  packSize: null,
  packMeasure: null,
  packCount: null,
  storage: null,
  productType: null,
  priceMinor: null,
  nutrition: [],
  catchWeightGrams: null,
  charges: null,
  depositMinor: null,
  breadcrumb: [],
} as const;

describe('a partial night that was published and is released', () => {
  const database = useDatabase();
  beforeEach(() => forgetEverything(database.db, 'restart'));

  test('a release delists products that the night before missed as well', async () => {
    await publishOnePage(database.db, '2026-03-01', of(everything));
    await publishOnePage(database.db, '2026-03-02', of(['1', '2']));
    const runId = await partialNight('2026-03-03', ['1'], {});
    await release(runId);
    expect(await states()).toEqual({ 1: 'available', 2: 'absent', 3: 'delisted', 4: 'delisted', 5: 'delisted' });
  });

  test('a release marks products absent even if their own pages sold them', async () => {
    await publishOnePage(database.db, '2026-03-01', of(everything));
    const runId = await partialNight('2026-03-02', ['1'], { 2: 'AvailableForSale', 3: 'ProductNotFound' });
    await release(runId);
    expect(await states()).toEqual({ 1: 'available', 2: 'absent', 3: 'absent', 4: 'absent', 5: 'absent' });
  });

  const of = (ids: readonly string[]) => ids.map((id) => listed(id));

  async function release(runId: number): Promise<void> {
    const now = new Date('2026-03-03T05:00:00Z');
    await releasePartial(database.db, { runId, delistAfter: 2, why: 'it was so', now });
  }

  /** A night that saw some products and requested details of others: the state for each, null if there is none. */
  async function partialNight(
    date: string,
    seen: readonly string[],
    pages: Readonly<Record<string, string | null>>,
  ): Promise<number> {
    const { db } = database;
    const opened = await openRun(db, { date, pages: 1 });
    const workerId = await enlistWorker(db);
    const [claim] = await claimAll(db, opened.runId, workerId);
    const shown = readOf(opened, claim!, workerId, of(seen));
    await stageOne(db, shown);
    await move(db, 'startDetails', opened);
    const details = createDetails(db);
    await db.tx((tx) => details.askAfter(tx, opened.runId, Object.keys(pages)));
    for (const { productId, lease } of await detailUnits.claim(db, {
      runId: opened.runId,
      workerId,
      limit: 10,
      after: null,
    })) {
      const status = pages[productId]!;
      const detail: ProductDetail | null = status === null ? null : { ...text, productId, status };
      await stageDetails(db, [
        {
          run: shown.claim.run,
          productId,
          lease,
          workerId,
          detail,
          rejected: [],
          payloadSha256: null,
          endpoint: 'uk-product-details',
          receivedAt: opened.observedAt,
        },
      ]);
    }
    await move(db, 'startFinishing', opened);
    await publish(db, {
      runId: opened.runId,
      epoch: opened.epoch,
      certified: { verdict: 'partial', reasons: ['a page could not be read'], evidence: {} },
      delistAfter: 2,
      clock: { now: () => opened.observedAt },
    });
    return opened.runId;
  }

  async function states(): Promise<Record<string, string>> {
    const rows = await rowsOf<{ productId: string; availability: string }>(
      database.db,
      `select product_id as "productId", availability::text
       from catalog.availability_spell
       join catalog.product using (product_key)
       where valid_to is null order by product_id`,
    );
    return Object.fromEntries(rows.map(({ productId, availability }) => [productId, availability]));
  }
});
