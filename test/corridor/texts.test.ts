import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { rowsOf } from '../../src/db/rows.ts';
import { encodeCategoryId } from '../../src/source/normalise/category-id.ts';
import { useCliHome } from '../cli/pricebook.ts';
import { forgetEverything } from '../support/forget-everything.ts';
import { useInstallation } from '../support/queue-backends.ts';
import { createSmallUpstream, type SmallProduct, type SmallUpstream } from '../support/small-upstream.ts';
import { crawlDirectly } from '../trust/direct-book.ts';

const others = Array.from({ length: 40 }, (_, i) => ({ id: String(2_000 + i), price: 3 }));

describe('texts in other forms', () => {
  const installation = useInstallation();
  const cli = useCliHome({ book: installation });
  let upstream: SmallUpstream;
  beforeAll(async () => {
    upstream = await createSmallUpstream({ shelves: { Drinks: others }, pageSize: 24 });
  });
  beforeEach(() => forgetEverything(installation.db));
  afterAll(() => upstream?.close());

  const ask = (query: string) => rowsOf(installation.db, query);
  const night = (date: string, shelves: Readonly<Record<string, readonly SmallProduct[]>>, maxDetails = 0) => {
    upstream.change({ shelves });
    const env = { EXTRA_FIELDS: 'note=note:text' };
    return crawlDirectly({ installation, upstream: upstream.url, date, regions: ['uk'], maxDetails, env });
  };

  test('a text in another Unicode form is no change, and words in either form find it', async () => {
    const promotions = [{ description: 'Crème £2 Clubcard Price', offerType: 'CLUBCARD_PRICING' }];
    const texts = { title: 'Crème Brûlée 2x90g', brand: 'Gü Pâtisserie', note: 'Très bon', promotions };
    const inForm = (form: string): SmallProduct => ({
      id: '1',
      fields: JSON.parse(JSON.stringify(texts).normalize(form)),
    });
    for (const [date, form] of Object.entries({ '2026-05-01': 'NFD', '2026-05-02': 'NFC', '2026-05-03': 'NFD' }))
      await night(date, { ['Café'.normalize(form === 'NFC' ? 'NFC' : 'NFD')]: [inForm(form), ...others] });

    expect(await ask('select count(*)::int as rows from catalog.product_history')).toEqual([{ rows: 0 }]);
    expect(await ask("select title, brand from marts.dim_product where product_id = '1'")).toEqual([
      { title: texts.title, brand: texts.brand },
    ]);
    expect(await ask('select distinct description from marts.fct_promotion')).toEqual([
      { description: 'Crème £2 Clubcard Price' },
    ]);
    expect(await ask('select distinct name from marts.dim_category')).toEqual([{ name: 'Café' }]);
    const [key] = await ask("select brand_key from marts.product_now where product_id = '1'");
    for (const form of ['NFC', 'NFD']) {
      const found = async (...args: string[]) =>
        JSON.parse((await cli.run(['find', '--json', ...args.map((arg) => arg.normalize(form))])).stdout).rows.length;
      expect(await found('--words', 'crème brûlée'), form).toBe(1);
      expect(await found('--brand', key!['brand_key'] as string), form).toBe(1);
      expect(await found('--category', 'Café'), form).toBeGreaterThan(1);
    }
  });

  test('a path that two categories share is not taken for either; each is chosen by its id', async () => {
    await night('2026-05-01', {
      'Under £5 > Gifts': [{ id: '1' }],
      'Under £5|Gifts': [{ id: '2' }, { id: '3' }],
      Drinks: others,
    });
    const ids = [encodeCategoryId(['Under £5 > Gifts']), encodeCategoryId(['Under £5', 'Gifts'])];
    expect(
      await ask(`select category_id, depth from marts.dim_category where path = 'Under £5 > Gifts' order by depth`),
    ).toEqual(ids.map((category_id, depth) => ({ category_id, depth })));

    const named = ['--category', 'Under £5 > gifts'];
    for (const command of [
      ...['find', 'index', 'changes', 'movers', 'promotions', 'promotion-depth', 'private-label', 'pack-changes'],
      ...['contributions', 'compare'],
    ]) {
      const { code, stderr, stdout } = await cli.run([command, ...named]);
      expect([command, code, stdout], stderr).toEqual([command, 2, '']);
      for (const id of ids) expect(stderr).toContain(id);
    }
    const also = await cli.run(['index', '--also', 'Under £5 > Gifts']);
    expect([also.code, also.stdout]).toEqual([2, '']);
    const products = async (category: string) =>
      JSON.parse((await cli.run(['find', '--json', '--category', category])).stdout).rows.map(
        (row: { product_id: string }) => row.product_id,
      );
    expect(await products(ids[0]!)).toEqual(['1']);
    expect((await products(ids[1]!)).sort()).toEqual(['2', '3']);
    expect((await products('Gifts')).sort()).toEqual(['2', '3']);
  });
});
