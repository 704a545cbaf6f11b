import { beforeAll, describe, expect, it } from 'vitest';
import { useExplorer } from '../explorer-book.ts';

const explorer = useExplorer();
const page = (path: string) => explorer.page(path);
const rows = (parameters: string) => explorer.rows('find', parameters);

interface Product {
  readonly product_id: string;
  readonly title: string;
  readonly price: string | null;
  readonly unit_price: string | null;
  readonly unit_of_measure: string | null;
  readonly availability: string;
}

let all: Product[];
beforeAll(async () => {
  all = await explorer.ask<Product>(`
    select *, sale_price as price, sale_unit_price as unit_price, sale_unit_of_measure as unit_of_measure
    from marts.product_now where region = 'uk'`);
});

const found = async (parameters: string) => (await rows(parameters)).map(({ product_id }) => product_id!);
const idsOf = (products: readonly Product[]) => products.map(({ product_id }) => product_id).sort();
const isListed = ({ availability }: Product) => availability === 'available' || availability === 'unavailable';

describe('finding a product', () => {
  it('the name of a category offers the category', async () => {
    const [category] = await explorer.ask<{ id: string; name: string }>(
      `select category_id as id, name from marts.dim_category
       where region = 'uk' and depth = 1 order by category_key limit 1`,
    );
    const words = encodeURIComponent(category!.name.toUpperCase().slice(0, -1));
    const html = await page(`/find?words=${words}&offer=promotion`);
    const offered = html.slice(html.indexOf('aria-label="Categories of that name"'));
    expect(offered).toContain(`category=${encodeURIComponent(category!.id)}`);
    for (const none of ['/find', '/find?words=zzzzz', '/find?words=%25%25'])
      expect(await page(none)).not.toContain('aria-label="Categories of that name"');
    const mistyped = category!.name.replace(/(.)/, '$1q');
    expect(await page(`/find?words=${encodeURIComponent(mistyped)}`)).toMatch(/Did you mean.*Look in/s);
  });

  it('the search of the head keeps the filters of the list, and each filter can be removed', async () => {
    const html = await page('/find?words=milk&offer=promotion&price_from=1&page=2');
    const [form] = /<form id="find".*?<\/form>/s.exec(html)!;
    expect([...form.matchAll(/type="hidden" name="(\w+)" value="(\w+)"/g)].map(([, ...field]) => field)).toEqual([
      ['offer', 'promotion'],
      ['price_from', '1'],
    ]);
    expect(html).toContain('<a class="chip" href="/find?words=milk&amp;offer=promotion">Price from 1 ');
  });

  it('a product is found by its pasted address, which decides the region', async () => {
    const [irish] = await explorer.ask<Product>(
      `select * from marts.product_now where region = 'ie' and availability = 'available'`,
    );
    const address = `https://shop.example/groceries/en-IE/products/${irish!.product_id}?from=mail`;
    for (const pasted of [address, address.replace('https://', ''), `${address}&utm_campaign=${'x'.repeat(500)}`])
      expect(await rows(`words=${encodeURIComponent(pasted)}`)).toMatchObject([
        { region: 'ie', product_id: irish!.product_id },
      ]);
  });

  it.each(["'; drop table x; --", '%%', ':*', '&&', '\\\\', '\u202e\u202e', '!!', '( a'])(
    'a search causes no error with %s',
    async (words) => {
      expect((await explorer.get(`/find?words=${encodeURIComponent(words)}`)).status).toBe(200);
    },
  );
});

describe('filtering products', () => {
  it('products are filtered by price and unit', async () => {
    const isWanted = ({ price, unit_of_measure: unit }: Product) =>
      unit === 'kg' && Number(price) >= 1 && Number(price) <= 2;
    const expected = all.filter((product) => isListed(product) && isWanted(product));
    expect(expected.length).toBeGreaterThan(0);
    expect((await found('price_from=1&price_to=2&unit=kg')).sort()).toEqual(idsOf(expected));
  });

  it('products are filtered by category, including its descendants, and the id is that of both regions', async () => {
    const [smallest] = await explorer.ask<{ id: string; ids: string[] }>(
      `select c.category_id as id, array_agg(n.product_id order by n.product_id) as ids
       from marts.product_category_now m join marts.dim_category c using (category_key)
       join marts.product_now n using (product_key)
       where m.depth = 0 and m.region = 'uk' and n.availability in ('available', 'unavailable')
         and exists (select from marts.dim_category ie where ie.region = 'ie' and ie.category_id = c.category_id)
       group by 1 order by count(*) limit 1`,
    );
    expect((await found(`category=${encodeURIComponent(smallest!.id)}`)).sort()).toEqual(smallest!.ids);
    const id = encodeURIComponent(smallest!.id);
    const [, links = ''] = /<nav[^>]*aria-label="Region">(.*?)<\/nav>/.exec(await page(`/find?category=${id}`))!;
    expect(links.replaceAll('&amp;', '&')).toContain(`href="/find?category=${id}&region=ie"`);
  });

  it('each category counts what its link shows, and no category is empty', async () => {
    for (const chosen of ['', 'offer=promotion', 'availability=any']) {
      const html = await page(`/find?${chosen}`);
      const [list] = /<nav class="facet" aria-label="Category">.*?<\/ul>/s.exec(html)!;
      const links = [...list.matchAll(/href="\/find\?([^"]*)"[^>]*>[^<]*<\/a> <small>(\d+)<\/small>/g)];
      expect(links).toHaveLength(list.match(/<li>/g)!.length);
      for (const [link, query, count] of links)
        expect([link, (await found(query!.replaceAll('&amp;', '&'))).length]).toEqual([link, Number(count)]);
    }
  });

  it('the products that moved are those of the movers, largest change first', async () => {
    for (const [moved, direction] of [
      ['dearer', 'rises'],
      ['cheaper', 'falls'],
    ]) {
      const list = await rows(`moved=${moved}&availability=any`);
      const sizes = list.map(({ moved_pct }) => Math.abs(Number(moved_pct)));
      expect(sizes).toEqual(sizes.toSorted((one, other) => other - one));
      const movers = await explorer.rows('movers', `period=month&direction=${direction}`);
      expect(list.map(({ product_id }) => product_id).sort()).toEqual(movers.map((row) => row['product_id']).sort());
      expect(await page(`/find?moved=${moved}&availability=any`)).toContain(`<h1>${list.length} product`);
    }
  });
});

describe('sorting products', () => {
  it.each([
    ['title', ({ title }: Product) => title, 1],
    ['cheapest', ({ price }: Product) => price && Number(price), 1],
    ['dearest', ({ price }: Product) => price && Number(price), -1],
  ] as const)(
    'the CSV of products sorted by %s has each once; among the dearest those that have a price',
    async (sort, orderOf, sign) => {
      const listed = all.filter(isListed);
      const byId = new Map(listed.map((product) => [product.product_id, product]));
      const isRanked = (product: Product) => orderOf(product) !== null;
      const ids = await found(`sort=${sort}`);
      expect([...ids].sort()).toEqual(idsOf(sign < 0 ? listed.filter(isRanked) : listed));
      const values = ids
        .map((id) => byId.get(id)!)
        .filter(isRanked)
        .map((product) => orderOf(product)!);
      expect(values).toEqual([...values].sort((a, b) => (a < b ? -sign : a > b ? sign : 0)));
      // What has no price is at the end.
      expect(ids.slice(0, values.length).every((id) => isRanked(byId.get(id)!))).toBe(true);
    },
  );

  it('found products are sorted by unit and by what it costs members, and those out of stock come last', async () => {
    const list = await rows('words=meridian&sort=cheapest-unit');
    const units = list.map(({ unit_of_measure: unit, unit_price, price, loyalty_price, availability }) => ({
      place: Number(availability !== 'available') - list.filter((one) => one['unit_of_measure'] === unit).length / 1e3,
      best: Math.fround(Number(unit_price) * Math.min(1, Number(loyalty_price ?? price) / Number(price))),
    }));
    expect(new Set(units.map(({ place }) => place)).size).toBeGreaterThan(2);
    expect(units).toEqual(units.toSorted((one, other) => one.place - other.place || one.best - other.best));
  });
});
