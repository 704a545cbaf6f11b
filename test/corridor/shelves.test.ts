import { afterAll, beforeAll, expect, test } from 'vitest';
import { rowsOf } from '../../src/db/rows.ts';
import { encodeCategoryId } from '../../src/source/normalise/category-id.ts';
import { brokenInvariants } from '../support/invariants.ts';
import { useInstallation } from '../support/queue-backends.ts';
import { createSmallUpstream, type SmallProduct, type SmallUpstream } from '../support/small-upstream.ts';
import { crawlDirectly } from '../trust/direct-book.ts';

const products = (from: number, count: number): SmallProduct[] =>
  Array.from({ length: count }, (_, i) => ({ id: String(from + i) }));
/** Stands among the bread, and is a treat as well. */
const bun: SmallProduct = { id: '1', breadcrumb: ['Food', 'Bread'] };
const bread = [bun, ...products(100, 4)];
const treats = products(200, 2);

const installation = useInstallation();
let upstream: SmallUpstream;
beforeAll(async () => {
  upstream = await createSmallUpstream({ shelves: { 'Food|Bread': bread, 'Food|Treats': [...treats, bun] } });
});
afterAll(() => upstream?.close());

/** Crawls a night on which every shelf is read every second night; returns the pages of shelves. */
async function night(date: string, membershipNights = '2'): Promise<string[]> {
  upstream.change({});
  const env = { MEMBERSHIP_NIGHTS: membershipNights };
  const [run] = await crawlDirectly({ installation, upstream: upstream.url, date, regions: ['uk'], env });
  expect([run!.status, run!.verdict]).toEqual(['published', 'complete']);
  return upstream.log.filter((page) => page.includes('|')).sort();
}

/** Shelves of the product on a night. */
async function shelvesOn(date: string): Promise<string[]> {
  const rows = await rowsOf<{ id: string }>(
    installation.db,
    `select category_id as id from marts.bridge_product_category
     where product_id = '1' and is_direct and began_on <= $1 and (ended_on is null or ended_on > $1)`,
    [date],
  );
  const names = new Map(['Bread', 'Treats'].map((name) => [encodeCategoryId(['Food', name]), name]));
  return rows.map(({ id }) => names.get(id) ?? id).sort();
}

test('a product on two shelves of a department is known on both once both were read', async () => {
  await night('2026-05-01', '0');
  expect(await shelvesOn('2026-05-01')).toEqual(['Bread']);
  const pages = [...(await night('2026-05-02')), ...(await night('2026-05-03'))].sort();
  expect(pages).toEqual(['Food|Bread p1', 'Food|Bread p2', 'Food|Bread p3', 'Food|Treats p1', 'Food|Treats p2']);
  expect(await shelvesOn('2026-05-03')).toEqual(['Bread', 'Treats']);

  // A night that reads no shelf takes nothing away.
  expect(await night('2026-05-04', '0')).toEqual([]);
  expect(await shelvesOn('2026-05-04')).toEqual(['Bread', 'Treats']);
  upstream.change({ shelves: { 'Food|Bread': bread, 'Food|Treats': treats } });
  for (const date of ['2026-05-05', '2026-05-06']) await night(date);
  expect(await shelvesOn('2026-05-06')).toEqual(['Bread']);

  upstream.change({ shelves: { 'Food|Bread': bread, 'Food|Treats': [bun, ...treats] } });
  for (const date of ['2026-05-07', '2026-05-08']) await night(date);
  expect(await shelvesOn('2026-05-08')).toEqual(['Bread', 'Treats']);
  // It is gone from the department: no shelf needs to be read for that.
  upstream.change({ shelves: { 'Food|Bread': bread.slice(1), 'Food|Treats': treats } });
  for (const date of ['2026-05-09', '2026-05-10']) await night(date, '0');
  expect(await shelvesOn('2026-05-10')).toEqual(['Bread']);
  expect(await brokenInvariants(installation.db)).toEqual([]);
});
