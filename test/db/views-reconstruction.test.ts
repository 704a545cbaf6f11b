import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Queryable } from '../../src/db/client.ts';
import { useDatabase } from '../support/database.ts';
import { derive } from '../support/derive.ts';
import { forgetEverything } from '../support/forget-everything.ts';
import { insert, runRow } from '../support/insert.ts';
import { makeSpellsWritable } from '../support/writable-spells.ts';

/** Values of a product in a run; null: not listed. */
type Sight = { title: string; minor: number | null; isForSale: boolean } | null;

const sight: fc.Arbitrary<Sight> = fc.option(
  fc.record({
    title: fc.constantFrom('Old Name', 'New Name', 'Newest Name'),
    minor: fc.option(fc.constantFrom(1, 99, 100, 12_345)),
    isForSale: fc.boolean(),
  }),
  { freq: 3 },
);
const night = fc.record({ sights: fc.array(sight, { minLength: 3, maxLength: 3 }), isCertified: fc.boolean() });

describe('marts of any history', () => {
  const database = useDatabase();
  beforeAll(() => makeSpellsWritable(database.db));

  it('as_of and fct_price_daily reconstruct every night exactly', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(night, { minLength: 1, maxLength: 6 }), async (nights) => {
        await forgetEverything(database.db);
        for (const [index, { isCertified }] of nights.entries()) await insertRun(database.db, index, isCertified);
        for (const product of [0, 1, 2]) {
          await insertHistory(
            database.db,
            product + 1,
            nights.map(({ sights }) => sights[product] ?? null),
          );
        }
        await derive(database.db);
        for (const [index, { sights, isCertified }] of nights.entries()) {
          const expected = sights.flatMap((seen, product) => (seen ? [rowOf(product + 1, seen)] : []));
          const columns = 'product_id, title, price, availability';
          const asOf = await database.db.query(`select ${columns} from marts.as_of('uk', $1) order by product_id`, [
            dateOf(index),
          ]);
          expect(asOf.rows).toEqual(expected);
          const daily = await database.db.query(
            `select ${columns} from marts.fct_price_daily where snapshot_date = $1 order by product_id`,
            [dateOf(index)],
          );
          expect(daily.rows).toEqual(isCertified ? expected : []);
        }
      }),
      { numRuns: 30 },
    );
  });
});

const dateOf = (index: number) => `2026-03-${String(index + 1).padStart(2, '0')}`;
const instantOf = (index: number) => `${dateOf(index)}T02:00:00Z`;

function rowOf(productKey: number, { title, minor, isForSale }: NonNullable<Sight>) {
  const price = minor === null ? null : `${Math.floor(minor / 100)}.${String(minor % 100).padStart(2, '0')}`;
  return { product_id: String(productKey), title, price, availability: isForSale ? 'available' : 'unavailable' };
}

/** Change-only rows, the naive way: one spell for each stretch of equal values. */
function spells<Value>(values: readonly Value[]): { value: Value; from: number; to: number | null }[] {
  const found: { value: Value; from: number; to: number | null }[] = [];
  for (const [index, value] of values.entries()) {
    const last = found.at(-1);
    if (last?.value === value) continue;
    if (last) last.to = index;
    found.push({ value, from: index, to: null });
  }
  return found;
}

async function insertHistory(sql: Queryable, productKey: number, sights: readonly Sight[]): Promise<void> {
  const first = sights.findIndex((seen) => seen !== null);
  if (first < 0) return;
  // Unseen products keep their last title and price.
  const kept: NonNullable<Sight>[] = [];
  for (const seen of sights.slice(first)) kept.push(seen ?? kept.at(-1)!);
  const at = (index: number | null) => (index === null ? null : instantOf(first + index));

  const titles = spells(kept.map(({ title }) => title));
  const current = titles.at(-1)!;
  await insert(sql, 'catalog.product', [
    {
      product_key: productKey,
      region: 'uk',
      product_id: String(productKey),
      title: current.value,
      is_for_sale: true,
      first_seen_at: at(0),
      valid_from: at(current.from),
      entry_hash: '00000000-0000-0000-0000-000000000000',
    },
  ]);
  const rows = <Value>(of: readonly Value[], column: string) =>
    spells(of).map(({ value, from, to }) => ({
      product_key: productKey,
      [column]: value,
      valid_from: at(from),
      valid_to: at(to),
    }));
  await insert(
    sql,
    'catalog.product_history',
    rows(
      kept.map(({ title }) => title),
      'title',
    ).slice(0, -1),
  );
  await insert(
    sql,
    'catalog.price_spell',
    rows(
      kept.map(({ minor }) => minor),
      'price_minor',
    ),
  );
  const words = sights.slice(first).map((seen) => (seen ? (seen.isForSale ? 'available' : 'unavailable') : 'absent'));
  await insert(sql, 'catalog.availability_spell', rows(words, 'availability'));
}

async function insertRun(sql: Queryable, index: number, isCertified: boolean): Promise<void> {
  await insert(sql, 'ops.run', [runRow(instantOf(index), { verdict: isCertified ? 'complete' : 'partial' })]);
}
