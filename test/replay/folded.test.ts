import { beforeAll, describe, expect, test } from 'vitest';
import { rowsOf } from '../../src/db/rows.ts';
import { foldLedger } from '../../src/ledger/fold.ts';
import { everyPage } from '../../src/ledger/folded.ts';
import { decodeCategoryId, encodeCategoryId } from '../../src/normalise/category-id.ts';
import { verifyNights } from '../../src/quality/audits/verify.ts';
import { nightOf } from '../support/crawl.ts';
import { businessDump, physicalDump } from '../support/dump.ts';
import { brokenInvariants } from '../support/invariants.ts';
import { disagreements } from '../support/truth.ts';
import { breakingPages, misreadingProducts } from './mistaken.ts';
import { useReplayedBook } from './replayed-book.ts';

const nights = ['2026-03-01', '2026-03-02', '2026-03-03', '2026-03-04', '2026-03-05'];
const range = { from: nights[0]!, to: nights[4]! };
const small = { items: 100, superDepartments: 2, dailyChange: 0.1, dailyTurnover: 0.01, promoted: 0.3 };

describe('replaying nights that are folded', () => {
  const book = useReplayedBook(small, ['uk']);
  const dearer = misreadingProducts((product) => ({
    ...product,
    priceMinor: product.priceMinor === null ? null : product.priceMinor + 1,
  }));
  /** Pages nobody could read when they came. */
  const unread = breakingPages(({ categoryId }) => decodeCategoryId(categoryId)?.join() === 'Bakery');
  const fold = () => foldLedger(book.installation.db, { before: nightOf('2026-06-01') });
  beforeAll(async () => {
    await book.crawl(nights[0]!, { endpointsOf: unread });
    for (const night of nights.slice(1)) await book.crawl(night, { endpointsOf: dearer });
  });

  /** Readings of the broken page that could not be read. */
  const givenUp = () =>
    rowsOf(
      book.installation.db,
      `select run_id, page_no, reading from ${everyPage} p join ops.category_crawl c using (run_id, category_no)
       where c.category_id = $1 and p.status = 'failed'`,
      [encodeCategoryId(['Bakery'])],
    );

  test('a dry replay says the same of them as before, and leaves them folded', async () => {
    const { db } = book.installation;
    expect(await givenUp()).not.toEqual([]);
    const before = await book.replay(range);
    expect(before.healing.healed).toBeGreaterThan(0);
    expect(await fold()).toMatchObject({ runs: 1 });
    const catalogue = await physicalDump(db);
    expect(await book.replay(range)).toEqual(before);
    expect(await physicalDump(db)).toEqual(catalogue);
    expect(await rowsOf(db, 'select 1 from ops.category_page where run_id = 1')).toEqual([]);
  });

  test('the mended mapping is applied to them: every night is what was served, pages that nobody could read included', async () => {
    const { db } = book.installation;
    expect(await book.replay(range, { apply: true })).toMatchObject({ isApplied: true });
    for (const night of nights) expect(await disagreements(db, book.simulator, 'uk', night)).toEqual([]);
    expect(await rowsOf(db, `select 1 from ops.quarantine where healed_at is null`)).toEqual([]);
    expect(await givenUp()).toEqual([]);
    expect(await brokenInvariants(db)).toEqual([]);
    expect((await verifyNights(db, { now: nightOf('2026-03-07') })).map(({ isSame }) => isSame)).toEqual(
      nights.map(() => true),
    );
  });

  test('folded again, and again read by a mapping that breaks a page: it heals as ever', async () => {
    const { db } = book.installation;
    const right = await businessDump(db);
    expect(await fold()).toMatchObject({ runs: 1 });
    await book.replay(range, { apply: true, endpointsOf: unread });
    expect(await givenUp()).not.toEqual([]);
    await fold();
    expect((await book.replay(range, { apply: true })).healing.healed).toBeGreaterThan(0);
    expect(await givenUp()).toEqual([]);
    expect(await businessDump(db)).toEqual(right);
    expect(await brokenInvariants(db)).toEqual([]);
  });
});
