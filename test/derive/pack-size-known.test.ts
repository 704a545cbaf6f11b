import { describe, expect, it } from 'vitest';
import { rowsOf } from '../../src/db/rows.ts';
import { useDirectBook } from '../trust/use-direct-book.ts';

interface Known {
  readonly product_id: string;
  readonly pack_size: string | null;
  readonly pack_measure: string | null;
  readonly pack_count: number | null;
  readonly pack_source: string | null;
}

describe('pack sizes of a night', () => {
  const under = useDirectBook({ items: 800, seed: 8 });

  it('pack sizes of at least four in five listed products are known without details, and correct', async () => {
    await under.night('2026-03-01');
    const { db } = under.book.base;
    const known = await rowsOf<Known & Record<string, unknown>>(
      db,
      'select product_id, pack_size::text, pack_measure, pack_count, pack_source from marts.dim_product',
    );
    const told = known.filter(({ pack_size }) => pack_size !== null);
    expect(known.length).toBeGreaterThan(780);
    expect(told.length / known.length).toBeGreaterThanOrEqual(0.8);

    const truth = new Map([...under.simulator.truth('uk', '2026-03-01')].map((one) => [one.productId, one.pack]));
    const wrong = told.filter(({ product_id, pack_size, pack_measure, pack_count, pack_source }) => {
      const { amount, unit, count } = truth.get(product_id)!;
      const isAsTrue = Number(pack_size) === amount && pack_measure === unit && (pack_count ?? 1) === count;
      return pack_source !== 'title' || !isAsTrue;
    });
    expect(wrong.map((one) => ({ ...one, pack: truth.get(one.product_id) }))).toEqual([]);
  });
});
