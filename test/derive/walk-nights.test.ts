import { beforeAll, describe, expect, it } from 'vitest';
import type { Transaction } from '../../src/db/client.ts';
import type { CategoryGroups } from '../../src/followers/derive/category-groups.ts';
import { certifiedNights } from '../../src/followers/derive/certified-nights.ts';
import type { CertifiedNight } from '../../src/followers/derive/derivation.ts';
import type { RegionNight } from '../../src/followers/derive/region-night.ts';
import { walkNights } from '../../src/followers/derive/walk-nights.ts';
import { useDatabase } from '../support/database.ts';
import { fillRandomBook } from './random-book.ts';

describe('nights of a region, walked through', () => {
  const database = useDatabase();
  beforeAll(async () => {
    await fillRandomBook(database.db, { seed: 20, first: '2026-02-16', runs: 24, products: 30 });
    // As keys are given while both regions are crawled: one between two of the other region.
    await database.db.query(`update catalog.product set region = 'ie' where product_key in (1, 8, 30)`);
  });

  it('are what each of them is when it is read whole, however many nights of changes are read at once', async () => {
    await database.db.tx(
      async (tx) => {
        const nights = await certifiedNights(tx, 'uk');
        expect(nights.length).toBeGreaterThan(15);
        const whole: unknown[] = [];
        for (const night of nights) whole.push(...(await walked(tx, [night])));
        for (const readAtOnce of [1, 2, 7, nights.length - 1, undefined])
          expect([readAtOnce, await walked(tx, nights, readAtOnce)]).toEqual([readAtOnce, whole]);
      },
      { isolation: 'repeatable read' },
    );
  });
});

async function walked(
  tx: Transaction,
  nights: readonly CertifiedNight[],
  readAtOnce?: number,
): Promise<ReturnType<typeof products>[]> {
  const found: ReturnType<typeof products>[] = [];
  const walk = await walkNights(tx, 'uk', nights, readAtOnce);
  for await (const { state } of walk.nights()) found.push(products(state, walk.groups));
  return found;
}

/** Groups are numbered as they are met: what they stand for is compared. */
const products = (
  { productKeys, listed, price, loyaltyPrice, onPromotion, group }: RegionNight,
  groups: CategoryGroups,
) =>
  Array.from(productKeys, (key, i) => ({
    key,
    listed: listed[i],
    price: price[i],
    loyaltyPrice: loyaltyPrice[i],
    onPromotion: onPromotion[i],
    categories: Array.from(groups.members(group[i]!), (c) => groups.categoryKeys[c]!).sort((a, b) => a - b),
  }));
