import { describe, expect, it } from 'vitest';
import { decodeCategoryId } from '../../src/source/normalise/category-id.ts';
import { sqlBlocksOf } from './examples.ts';
import { played, usePlayedBook } from './played-book.ts';
import { lastShown, priceChangesOf, type TrueChange, type TrueNight, trueNights } from './true-nights.ts';

const asked = { ...played.simulator, nights: played.nights, items: played.items, lastNight: played.lastNight };

const book = usePlayedBook();
const recipes = sqlBlocksOf('docs/analyse/recipes.md');
const nights = trueNights('uk', asked);
const last = nights.at(-1)!;
const shown = lastShown(nights);
const titleOf = (productId: string): string => shown.get(productId)!.title.replaceAll(/\s+/g, ' ');

/** The rows of the recipe whose first comment begins so. */
async function answer(begins: string): Promise<Record<string, unknown>[]> {
  const found = recipes.filter(({ name }) => name.startsWith(begins));
  expect(found.length).toBe(1);
  return book.ask(found[0]!.statement);
}

/** Of rows, some columns; exact decimals as numbers. */
function only(rows: readonly Record<string, unknown>[], ...columns: string[]): unknown[][] {
  const isDecimal = (value: unknown): value is string => typeof value === 'string' && /^-?\d+(\.\d+)?$/.test(value);
  return rows.map((row) => columns.map((name) => (isDecimal(row[name]) ? Number(row[name]) : row[name])));
}

const byText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
const rise = (change: TrueChange): number => change.new / change.old - 1;

describe('the recipes', () => {
  it('the recipes read marts only', () => {
    expect(recipes.length).toBe(14);
    for (const { statement } of recipes) expect(statement).not.toMatch(/\b(catalog|derived|ops)\./);
  });

  it.each(recipes.map(({ name, statement }): [string, string] => [name, statement]))(
    'bi_reader can run %s',
    async (_, statement) => {
      expect((await book.ask(statement)).length).toBeGreaterThan(0);
    },
  );
});

describe('a recipe returns the values that the simulator generated', () => {
  it('the cheapest milk, night by night', async () => {
    const shelves = ['Whole Milk', 'Semi Skimmed Milk'].map((shelf) =>
      ['Fresh Food', 'Milk, Butter & Eggs', 'Milk', shelf].join(' > '),
    );
    // What has ever stood there: a product may be listed elsewhere on another night.
    const listed = nights.flatMap((night) => shelves.flatMap((shelf) => productsOf(night, shelf)));
    const milks = new Set(listed.map(({ productId }) => productId));
    const expected = nights.map(({ date, products }) => {
      const litres = [...milks].flatMap((id) => {
        const product = products.get(id);
        return product?.unitOfMeasure === 'litre' && Number(product.unitPrice) > 0 ? [Number(product.unitPrice)] : [];
      });
      return [date, Math.min(...litres), litres.length];
    });
    expect(only(await answer('the cheapest litre of milk'), 'snapshot_date', 'cheapest_litre', 'milks')).toEqual(
      expected,
    );
  });

  it('what became dearer', async () => {
    const expected = priceChangesOf(nights)
      .filter((change) => rise(change) > 0)
      .sort((a, b) => rise(b) - rise(a) || byText(a.productId, b.productId) || byText(a.date, b.date))
      .slice(0, 20)
      .map((change) => [change.date, titleOf(change.productId), change.old / 100, change.new / 100]);
    const rows = only(await answer('the largest rises'), 'snapshot_date', 'title', 'old_price', 'new_price');
    // Shown to two decimals, two changes can be level that are not.
    expect(new Set(rows.map(String))).toEqual(new Set(expected.map(String)));
  });

  it('the cheapest kilogram of a category', async () => {
    const expected = productsOf(last, 'Fresh Food > Fresh Meat & Poultry > Fresh Beef')
      .filter(({ available, unitOfMeasure }) => available && unitOfMeasure === 'kg')
      .map(({ title, unitPrice }) => [title, Number(unitPrice)] as const)
      .sort(([, a], [, b]) => a - b);
    expect(only(await answer('fresh beef for sale'), 'title', 'price_per_kg')).toEqual(expected);
  });

  it('nights that cannot be trusted', async () => {
    const verdictOf = async (verdict: string) =>
      book.db.query(`update ops.run set verdict = $1 where region = 'uk' and snapshot_date = $2`, [
        verdict,
        nights[2]!.date,
      ]);
    const listed = nights.map(({ date, products }) => ({ date, products: products.size }));
    await verdictOf('partial');
    const rows = await answer('every date of the last 30');
    await verdictOf('complete');
    const [uncertain, ...certain] = rows.map((row) => Object.values(row));
    expect(uncertain).toEqual([nights[2]!.date, 'partial', listed[2]!.products, false]);
    expect(certain).toEqual(
      listed.filter((_, n) => n !== 2).map(({ date, products }) => [date, 'complete', products, true]),
    );
  });
});

/** The products that a night shows in a category or below it. */
const productsOf = ({ products }: TrueNight, path: string) =>
  [...products.values()].filter(({ categoryIds }) =>
    categoryIds.some((id) => `${decodeCategoryId(id)?.join(' > ')} > `.startsWith(`${path} > `)),
  );
