import { beforeAll, describe, expect, it } from 'vitest';
import type { TrueProduct } from '../../src/simulator/index.ts';
import { decodeCategoryId } from '../../src/source/normalise/category-id.ts';
import { comparableBrand } from '../../src/source/normalise/product-name.ts';
import { geksSeries, jevons } from '../derive/reference-index.ts';
import { insert } from '../support/insert.ts';
import { sqlBlocksOf } from './examples.ts';
import { played, usePlayedBook } from './played-book.ts';
import {
  byDepartment,
  lastShown,
  median,
  packChangesOf,
  priceChangesOf,
  type TrueChange,
  type TrueNight,
  trueNights,
} from './true-nights.ts';
import { depthOf, judgeStarts, promotionStarts } from './true-promotions.ts';

const asked = { ...played.simulator, nights: played.nights, items: played.items, lastNight: played.lastNight };

const book = usePlayedBook();
// Searches run by day; three places on one night are enough for shares.
beforeAll(async () => {
  await insert(
    book.db,
    'catalog.search_rank',
    ['HILLSIDE', 'Hillside', null].map((brand, index) => ({
      region: 'uk',
      keyword: 'milk',
      snapshot_date: played.lastNight,
      rank: index + 1,
      product_id: String(index),
      brand,
    })),
  );
});
const recipes = sqlBlocksOf('docs/analyse/recipes.md');
const nights = trueNights('uk', asked);
const last = nights.at(-1)!;
const irish = trueNights('ie', asked);
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
  it('there are twenty-six recipes, and all of them read marts only', () => {
    expect(recipes.length).toBe(26);
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
  it('26: the share of the first page by brand', async () => {
    const rows = only(await answer('share of the first page by brand'), 'keyword', 'brand', 'places', 'share_pct');
    expect(rows.map(([keyword, brand, places, share]) => [keyword, brand, Number(places), share])).toEqual([
      ['milk', 'HILLSIDE', 2, 66.7],
      ['milk', 'no brand', 1, 33.3],
    ]);
  });

  it('1: the cheapest milk, night by night', async () => {
    const shelves = ['Whole Milk', 'Semi Skimmed Milk'].map((shelf) =>
      ['Fresh Food', 'Milk, Butter & Eggs', 'Milk', shelf].join(' > '),
    );
    // What has ever stood there: a product may be listed elsewhere on another night.
    const milks = new Set(nights.flatMap((night) => shelves.flatMap((shelf) => productsOf(night, shelf))));
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

  it('8: every price of one product', async () => {
    const rows = await answer('every price of the product whose price changed last');
    const prices = only(rows, 'valid_from', 'price');
    // The product is identified by its prices, which equal those of one product of the simulator.
    const matching = [...shown.keys()].filter((id) =>
      prices.every(([from, price]) => {
        const night = nights.find(({ date }) => date === from);
        return night !== undefined && offeredOf(night, id) === price;
      }),
    );
    expect(matching.length).toBeGreaterThan(0);
    const changed = priceChangesOf(nights).filter(({ date }) => date === played.lastNight);
    expect(changed.some(({ productId }) => matching.includes(productId))).toBe(true);
  });

  it('11: a basket of products that are on the shelves it names', async () => {
    const wanted = [
      ['Fresh Food > Milk, Butter & Eggs > Milk > Whole Milk', 2],
      ['Bakery > Bread & Rolls > White Bread', 1],
      ['Fresh Food > Cheese', 1],
      ['Fresh Food > Fresh Fruit > Apples & Pears > Eating Apples', 3],
    ] as const;
    const costs = only(await answer('a weekly basket by night'), 'snapshot_date', 'cost');
    // The product known longest is expected; of several first seen together any may be returned.
    const firstSeen = (id: string) => nights.findIndex(({ products }) => products.has(id));
    const choices = wanted.map(([shelf]) => {
      const onSale = productsOf(last, shelf).filter((id) => {
        const { available, priceMinor } = last.products.get(id)!;
        return available && priceMinor !== null;
      });
      const first = Math.min(...onSale.map(firstSeen));
      return onSale.filter((id) => firstSeen(id) === first);
    });
    const baskets = choices.reduce<string[][]>(
      (before, ids) => before.flatMap((basket) => ids.map((id) => [...basket, id])),
      [[]],
    );
    const costsOf = (basket: readonly string[]) =>
      nights.flatMap(({ date, offered }) => {
        const prices = basket.map((id) => offered.get(id) ?? null);
        if (prices.includes(null)) return [];
        return [[date, prices.reduce<number>((sum, price, n) => sum + price! * wanted[n]![1], 0) / 100]];
      });
    expect(costs.length).toBeGreaterThan(0);
    expect(baskets.map(costsOf)).toContainEqual(costs);
  });

  it.each([
    ['2: what became dearer', 'the largest rises', 1],
    ['3: what fell most', 'the largest falls', -1],
  ])('%s', async (_, recipe, sign) => {
    const expected = priceChangesOf(nights)
      .filter((change) => rise(change) * sign > 0)
      .sort((a, b) => (rise(b) - rise(a)) * sign || byText(a.productId, b.productId) || byText(a.date, b.date))
      .slice(0, 20)
      .map((change) => [change.date, titleOf(change.productId), change.old / 100, change.new / 100]);
    const rows = only(await answer(recipe), 'snapshot_date', 'title', 'old_price', 'new_price');
    // Shown to two decimals, two changes can be level that are not.
    expect(new Set(rows.map(String))).toEqual(new Set(expected.map(String)));
  });

  it('4: the cheapest kilogram', async () => {
    const expected = [...last.products.values()]
      .filter(({ title, unitOfMeasure }) => title.toLowerCase().includes('beef') && unitOfMeasure === 'kg')
      .map(({ title, unitPrice }) => [title, Number(unitPrice)] as const)
      .sort(([, a], [, b]) => a - b);
    expect(only(await answer('products with beef'), 'title', 'price_per_kg')).toEqual(expected);
  });

  it('5: departments with many loyalty prices', async () => {
    const expected = [...byDepartment(last)].map(([name, products]) => {
      const withPrice = products.filter(
        (one) => one.available && isPriced(last, one) && one.loyaltyPriceMinor !== null,
      );
      return [name, products.length, withPrice.length];
    });
    const rows = await answer('share of products with a price for loyalty members');
    expect(sorted(only(rows, 'department', 'products_listed', 'products_with_loyalty_price'))).toEqual(
      sorted(expected),
    );
    const shares = only(rows, 'loyalty_share_pct').map(([share]) => Number(share));
    expect(shares).toEqual([...shares].sort((a, b) => b - a));
  });

  it('6: the median price of each department', async () => {
    const expected = nights.flatMap((night) =>
      [...byDepartment(night)].map(([name, products]) => {
        const prices = products.flatMap(({ productId, available }) =>
          available ? (offeredOf(night, productId) ?? []) : [],
        );
        return [name, night.date, products.length, Math.round(median(prices)! * 1000) / 1000];
      }),
    );
    const rows = await answer('median price by department');
    expect(sorted(only(rows, 'department', 'snapshot_date', 'products_listed', 'median_price'))).toEqual(
      sorted(expected),
    );
  });

  it('7: products whose price changes most often', async () => {
    const changes = grouped(priceChangesOf(nights), ({ productId }) => productId);
    const most = Math.max(...[...changes.values()].map(({ length }) => length));
    const rows = only(await answer('most changes in 30 nights'), 'title', 'changes', 'lowest', 'highest');
    expect(rows[0]![1]).toBe(most);
    const expected = [...changes].map(([productId, of]) => {
      const prices = of.flatMap((change) => [change.old / 100, change.new / 100]);
      return [titleOf(productId), of.length, Math.min(...prices), Math.max(...prices)];
    });
    expect(expected).toEqual(expect.arrayContaining(rows));
    expect(rows.length).toBe(Math.min(20, expected.length));
  });

  it('12: the number of price changes on each weekday', async () => {
    const expected = nights.slice(1).map(({ date, offered }, n) => {
      const before = nights[n]!.offered;
      const moves = [...offered].map(([id, price]) => {
        const old = before.get(id) ?? null;
        return old === null || price === null ? 0 : Math.sign(price - old);
      });
      const weekday = new Date(date).getUTCDay() || 7;
      return [weekday, 1, moves.filter((move) => move > 0).length, moves.filter((move) => move < 0).length];
    });
    const rows = await answer('changes by weekday');
    expect(only(rows, 'iso_weekday', 'nights', 'increases', 'decreases')).toEqual(sorted(expected));
  });

  it('16: brands on promotion', async () => {
    const brands = grouped(last.products.values(), ({ brand }) => brand && comparableBrand(brand));
    const spellings = new Set([...last.products.values()].map(({ brand }) => brand).filter(Boolean));
    expect(spellings.size).toBeGreaterThan(brands.size);
    const expected = [...brands].flatMap(([brand, products]) =>
      brand === null || products.length < 3
        ? []
        : [[brand, products.length, products.filter(({ onPromotion }) => onPromotion).length]],
    );
    const answered = await answer("share of a brand's products");
    const rows = only(answered, 'brand', 'products', 'on_promotion').map(([brand, ...counts]) => [
      comparableBrand(String(brand)),
      ...counts,
    ]);
    expect(expected).toEqual(expect.arrayContaining(rows));
    expect(rows.length).toBe(Math.min(20, expected.length));
  });

  it('18: new products', async () => {
    const known = new Set(nights[0]!.products.keys());
    const expected = nights.slice(1).flatMap(({ date, products }) => {
      const arrived = [...products.keys()].filter((id) => !known.has(id));
      for (const id of arrived) known.add(id);
      return arrived.filter((id) => last.products.has(id)).map((id) => [date, titleOf(id), priceOf(last.products, id)]);
    });
    expect(sorted(only(await answer('products first listed'), 'arrived_on', 'title', 'price'))).toEqual(
      sorted(expected),
    );
  });

  it('19: products that disappeared and returned', async () => {
    const expected: unknown[][] = [];
    for (const [n, { date, products }] of nights.entries()) {
      for (const id of products.keys()) {
        const before = nights.slice(0, n).findLastIndex((night) => night.products.has(id));
        if (before < 0 || before === n - 1) continue;
        const left = nights[before]!;
        expected.push([nights[before + 1]!.date, date, titleOf(id), offeredOf(left, id), offeredOf(nights[n]!, id)]);
      }
    }
    const rows = await answer('returns of the last 30 nights');
    expect(expected.length).toBeGreaterThan(0);
    expect(sorted(only(rows, 'left_on', 'came_back_on', 'title', 'price_before', 'price_after'))).toEqual(
      sorted(expected),
    );
  });

  it('20: out-of-stock rates of departments', async () => {
    const weeks = new Map<string, [nights: number, listed: number, out: number]>();
    for (const night of nights) {
      for (const [name, products] of byDepartment(night)) {
        const key = `${mondayOf(night.date)} ${name}`;
        const [count, listed, out] = weeks.get(key) ?? [0, 0, 0];
        const outTonight = products.filter(({ available, priceMinor }) => !available || priceMinor === null).length;
        weeks.set(key, [count + 1, listed + products.length, out + outTonight]);
      }
    }
    const expected = [...weeks].map(([key, [count, listed, out]]) => [key, count, listed, (100 * out) / listed]);
    const rows = await answer('out-of-stock rate by department');
    expect(rows.length).toBe(expected.length);
    for (const row of rows) {
      const [, count, listed, rate] = expected.find(
        ([key]) => key === `${row['week_starts_on']} ${row['department']}`,
      )!;
      expect([row['nights'], Number(row['product_nights'])]).toEqual([count, listed]);
      expect(Number(row['out_of_stock_pct'])).toBeCloseTo(Number(rate), 2 - 1);
    }
  });

  it('21: the longest out-of-stock periods', async () => {
    const expected = [...last.products].flatMap(([id, { available }]) => {
      if (available) return [];
      const isOut = (n: number) => nights[n]?.products.get(id)?.available === false;
      let n = nights.length - 1;
      while (isOut(n - 1)) n -= 1;
      return [[nights[n]!.date, nights.length - n, titleOf(id)]];
    });
    expect(sorted(only(await answer('listed, but not for sale'), 'since', 'days', 'title'))).toEqual(sorted(expected));
  });

  it('22: packs that shrank', async () => {
    const changes = packChangesOf('uk', asked).map((change) => [
      change.date,
      titleOf(change.productId),
      change.oldAmount,
      change.newAmount,
    ]);
    const rows = only(await answer('packs that hold less'), 'snapshot_date', 'title', 'old_size', 'new_size');
    expect(changes).toEqual(expect.arrayContaining(rows));
  });

  it('9: departments that became dearer', async () => {
    const departments = new Set(nights.flatMap((night) => [...byDepartment(night).keys()]));
    const expected = [...departments].map((name) => {
      const series = geksSeries(bookOf(nights, name), 29);
      return [name, nights[0]!.date, last.date, (100 * (series.at(-1)! / series[0]! - 1)).toFixed(2)];
    });
    const rows = await answer('what the same products cost on the last night');
    expect(sorted(rows.map((row) => Object.values(row)))).toEqual(sorted(expected));
    expect(new Set(expected.map(([, , , change]) => change)).size).toBeGreaterThan(2);
  });

  it.each(['month', 'week'] as const)('10: the index of a department by %s', async (period) => {
    const statement = recipes.find(({ name }) => name.startsWith('index of Fresh Food'))!.statement;
    const rows = await book.ask(statement.replace("'month'", `'${period}'`));
    const startOf = ({ date }: TrueNight) => (period === 'month' ? `${date.slice(0, 7)}-01` : mondayOf(date));
    const periods = [...grouped(nights, startOf)].map(([start, some]) => {
      const prices = bookOf(some, 'Fresh Food');
      const means = prices[0]!.map((_, product) => {
        const known = prices.flatMap((night) => night[product] ?? []);
        return known.length === 0 ? null : mean(known);
      });
      return { start, means };
    });
    const geks = geksSeries(
      periods.map(({ means }) => means),
      25,
    );
    let chained = 1;
    const expected = periods.map(({ start, means }, n) => {
      const base = periods[0]!.means;
      if (n > 0) chained *= jevons(periods[n - 1]!.means, means)!;
      const priced = (of: readonly (number | null)[]) => of.filter((price) => price !== null);
      const naive = mean(priced(means)) / mean(priced(base));
      return [start, ...[geks[n]!, chained, naive].map((value) => (100 * value).toFixed(2))];
    });
    expect(rows.map((row) => Object.values(row).slice(0, 4))).toEqual(expected);
    expect(expected.length).toBe(period === 'month' ? 1 : 2);
  });

  it('13: discounts that are not real', async () => {
    const expected = judgeStarts(nights)
      .filter(({ fault }) => fault !== null)
      .map(({ date, productId, promotion, compared, reduced, fault }) =>
        [date, titleOf(productId), promotion.description, compared, reduced, fault].join(' '),
      );
    const columns = ['title', 'description', 'compared_price', 'reduced_price', 'verdict_label'];
    const rows = only(await answer('promotions of the last 30 nights'), 'snapshot_date', ...columns);
    expect(expected.length).toBeGreaterThan(0);
    expect(rows.length).toBe(Math.min(20, expected.length));
    expect(expected).toEqual(expect.arrayContaining(rows.map((row) => row.join(' '))));
  });

  it('14: promotions that end soon', async () => {
    const starts = new Map(
      promotionStarts(nights).map((start) => [`${start.productId} ${start.promotion.description}`, start]),
    );
    const [from, until] = [0, 7].map((days) => Date.parse(last.date) + (days * 24 - 1) * 3_600_000);
    const expected = [...last.products.values()].flatMap(({ productId, promotions }) =>
      promotions.flatMap(({ description, endsAt }) => {
        const ends = endsAt === null ? 0 : Date.parse(endsAt);
        if (ends <= from! || ends > until!) return [];
        const start = starts.get(`${productId} ${description}`);
        return [[titleOf(productId), description, ends, (start && depthOf(start)?.toFixed(2)) ?? null]];
      }),
    );
    const rows = (await answer('the deepest promotions that end')).map((row) => [
      row['title'],
      row['description'],
      Date.parse(String(row['ends_at'])),
      row['depth_pct'],
    ]);
    expect(rows.length).toBe(Math.min(20, expected.length));
    const known = new Set(expected.map(String));
    expect(rows.map(String).filter((row) => !known.has(row))).toEqual([]);
    const depths = rows.map((row) => Number(row[3] ?? -1));
    expect(depths).toEqual([...depths].sort((a, b) => b - a));
  });

  it('15: the share of time on promotion', async () => {
    const weeks = grouped(nights, ({ date }) => mondayOf(date));
    const expected = [...weeks].flatMap(([week, some]) =>
      [
        ...grouped(
          some.flatMap((night) => [...byDepartment(night)].map((one) => ({ night, one }))),
          ({ one }) => one[0],
        ),
      ].map(([name, of]) => {
        const all = of.flatMap(({ night, one: [, products] }) =>
          products.map((one) => ({ ...one, isOffered: one.available && isPriced(night, one) })),
        );
        const promoted = all.filter(({ onPromotion, isOffered }) => isOffered && onPromotion);
        const withLoyalty = all.filter(({ loyaltyPriceMinor, isOffered }) => isOffered && loyaltyPriceMinor !== null);
        const pct = (some: readonly unknown[]) => ((100 * some.length) / all.length).toFixed(2);
        return [week, name, of.length, pct(promoted), pct(withLoyalty)];
      }),
    );
    const columns = [
      'week_starts_on',
      'department',
      'nights',
      'share_on_promotion_pct',
      'share_with_loyalty_price_pct',
    ];
    const rows = await answer('share of time on promotion');
    expect(sorted(rows.map((row) => columns.map((column) => row[column])))).toEqual(sorted(expected));
  });

  it('23: a basket of every article sold in both regions', async () => {
    const pairs = await articlesInBoth();
    const sum = (prices: readonly number[]) => prices.reduce((total, price) => total + price, 0);
    const [uk, ie] = [sum(pairs.map(({ uk }) => uk)), sum(pairs.map(({ ie }) => ie))];
    const rows = only(await answer('every article sold in both'), 'articles', 'basket_in_gbp', 'basket_in_eur');
    expect(rows.map((row) => row.map(Number))).toEqual([[pairs.length, uk / 100, ie / 100]]);
    expect(pairs.length).toBeGreaterThan(20);
  });

  it('24: departments in which Ireland is dear', async () => {
    const inDepartment = grouped(
      (await articlesInBoth()).flatMap((pair) => pair.departments.map((department) => ({ ...pair, department }))),
      ({ department }) => department,
    );
    const expected = [...inDepartment].map(([name, pairs]) => [
      name,
      pairs.length,
      Math.exp(mean(pairs.map(({ uk, ie }) => Math.log(ie / uk)))).toFixed(4),
    ]);
    const rows = await answer('parity by department');
    expect(sorted(rows.map((row) => [row['department'], row['matched_products'], row['parity']]))).toEqual(
      sorted(expected),
    );
  });

  it('25: nights that cannot be trusted', async () => {
    const verdictOf = async (verdict: string) =>
      book.db.query(`update ops.run set verdict = $1 where region = 'uk' and snapshot_date = $2`, [
        verdict,
        nights[2]!.date,
      ]);
    const listed = nights.map(({ date, products }) => ({ date, products: products.size }));
    await verdictOf('partial');
    const rows = await answer('every date of the last 30');
    await verdictOf('complete');
    const [doubtful, ...certain] = rows.map((row) => Object.values(row));
    expect(doubtful).toEqual([nights[2]!.date, 'partial', listed[2]!.products, false]);
    expect(certain).toEqual(
      listed.filter((_, n) => n !== 2).map(({ date, products }) => [date, 'complete', products, true]),
    );
  });

  // Last test, because it changes data that the others read.
  it('17: savings of multi-buy promotions that have begun', async () => {
    const dealsOf = async () =>
      (await answer('multibuys in effect')).map((row) => `${row['description']} of ${row['title']}`);
    const [first, ...others] = await dealsOf();
    await book.db.query(
      `update catalog.promotion set starts_at = $1::date + 2
       where promotion_key in (
         select carried.promotion_key
         from marts.fct_promotion carried
         join marts.dim_product product using (product_key)
         where carried.description || ' of ' || product.title = $2)`,
      [played.lastNight, first],
    );
    const left = await dealsOf();
    expect(left).not.toContain(first);
    expect(left.length).toBeGreaterThan(0);
    expect(others.length).toBeGreaterThan(0);
  });
});

/** Ids of the products that a night shows in a category. */
function productsOf({ products }: TrueNight, path: string): string[] {
  return [...products.values()]
    .filter(({ categoryIds }) => categoryIds.some((id) => decodeCategoryId(id)?.join(' > ') === path))
    .map(({ productId }) => productId);
}

function priceOf(products: ReadonlyMap<string, TrueProduct>, id: string): number | null {
  const { priceMinor } = products.get(id)!;
  return priceMinor === null ? null : priceMinor / 100;
}

function offeredOf({ offered }: TrueNight, id: string): number | null {
  const price = offered.get(id) ?? null;
  return price === null ? null : price / 100;
}

/** Prices of all products by night, of those that stand in a department then; null: none. */
function bookOf(some: readonly TrueNight[], department: string): (number | null)[][] {
  return some.map((night) => {
    const there = new Set((byDepartment(night).get(department) ?? []).map(({ productId }) => productId));
    return [...shown.keys()].map((id) => (there.has(id) ? (night.offered.get(id) ?? null) : null));
  });
}

interface Article {
  /** Offered prices of the last night, in minor units. */
  readonly uk: number;
  readonly ie: number;
  /** In the United Kingdom. */
  readonly departments: readonly string[];
}

/** Articles that both regions offer on the last night: of those matched, all are the same, and few are overlooked. */
async function articlesInBoth(): Promise<Article[]> {
  const { rows } = await book.db.query('select uk_product_id, ie_product_id from marts.region_match');
  const matched = new Map(rows.map((row) => [String(row['uk_product_id']), String(row['ie_product_id'])]));
  const lastIrish = irish.at(-1)!;
  const byGoods = new Map([...lastIrish.products.values()].map((product) => [product.goods, product]));
  const all = [...last.products.values()].flatMap((product) => {
    const other = byGoods.get(product.goods);
    const [uk, ie] = [last.offered.get(product.productId), other && lastIrish.offered.get(other.productId)];
    if (!uk || !ie) return [];
    const tops = product.categoryIds.map((id) => decodeCategoryId(id)!).filter((path) => path.length === 1);
    const match = matched.get(product.productId);
    if (match !== undefined) expect(match).toBe(other!.productId);
    return [{ uk, ie, departments: [...new Set(tops.map(([name]) => name!))], isMatched: match !== undefined }];
  });
  const found = all.filter(({ isMatched }) => isMatched);
  expect(found.length).toBeGreaterThan(0.9 * all.length);
  return found;
}

const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;

/** The Monday of a date's week. */
function mondayOf(date: string): string {
  const monday = Date.parse(date) - ((new Date(date).getUTCDay() + 6) % 7) * 86_400_000;
  return new Date(monday).toISOString().slice(0, 10);
}

function isPriced({ offered }: TrueNight, { productId }: TrueProduct): boolean {
  return (offered.get(productId) ?? null) !== null;
}

function sorted(rows: readonly (readonly unknown[])[]): unknown[][] {
  return rows.map((row) => [...row]).sort((a, b) => byText(JSON.stringify(a), JSON.stringify(b)));
}

function grouped<Item, Key>(items: Iterable<Item>, keyOf: (item: Item) => Key): Map<Key, Item[]> {
  const groups = new Map<Key, Item[]>();
  for (const item of items) groups.set(keyOf(item), [...(groups.get(keyOf(item)) ?? []), item]);
  return groups;
}
