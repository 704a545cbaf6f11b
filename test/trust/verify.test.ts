import { describe, expect, test } from 'vitest';
import { rowsOf } from '../../src/db/rows.ts';
import { verifyNights } from '../../src/followers/audits/verify.ts';
import { contentHash } from '../../src/publish/content-hash.ts';
import { useDirectBook } from './use-direct-book.ts';

const now = new Date('2026-03-10T12:00:00Z');

describe('nights rebuilt from history', () => {
  const nights = ['2026-03-01', '2026-03-02', '2026-03-03'];
  const trust = useDirectBook(
    { items: 300, superDepartments: 5, dailyChange: 0.1, dailyTurnover: 0.01 },
    {
      async begin(night) {
        for (const date of nights) await night(date);
        await night('2026-03-02', {}, 'ie');
      },
    },
  );

  test('rebuilt nights match their certificates, and each differs from the others', async () => {
    const { db } = trust.book.base;
    const verified = await verifyNights(db, { now });
    expect(verified.map(({ region, snapshotDate, isSame }) => [region, snapshotDate, isSame])).toEqual([
      ['ie', '2026-03-02', true],
      ...nights.map((date) => ['uk', date, true]),
    ]);
    expect(new Set(verified.map(({ certified }) => certified)).size).toBe(4);
    expect((await verifyNights(db, { now, region: 'uk', date: '2026-03-02' })).length).toBe(1);
    expect((await verifyNights(db, { now, sample: 2, seed: 'a' })).length).toBe(2);
    expect(await contentHash(db, 99)).toBeNull();
  });

  test('rebuilt nights do not match if a row of their history was changed', async () => {
    const { db } = trust.book.base;
    const [row] = await rowsOf<{ key: number }>(
      db,
      `select product_key as key from catalog.price_spell h join catalog.product p using (product_key)
       join catalog.availability_spell a using (product_key)
       where p.region = 'uk'
         and h.valid_to is null
         and h.valid_from = (select max(observed_at) from ops.run where region = 'uk')
         and a.valid_to is null and a.availability = 'available' limit 1`,
    );
    await db.query('update catalog.product_current set price_minor = price_minor + 1 where product_key = $1', [
      row!.key,
    ]);
    const verified = await verifyNights(db, { now, region: 'uk' });
    expect(verified.map(({ isSame }) => isSame)).toEqual([true, true, false]);
    const noted = await rowsOf(
      db,
      `select r.snapshot_date as night, is_verified
       from ops.certificate
       join ops.run r using (run_id)
       where region = 'uk'
       order by 1`,
    );
    expect(noted).toEqual([
      { night: '2026-03-01', is_verified: true },
      { night: '2026-03-02', is_verified: true },
      { night: '2026-03-03', is_verified: false },
    ]);
  });
});
