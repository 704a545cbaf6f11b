import { beforeAll, describe, expect, it } from 'vitest';
import { useExplorer } from '../explorer-book.ts';
import { readCsv } from '../read-csv.ts';

const explorer = useExplorer();

interface Product {
  readonly product_id: string;
  readonly title: string;
  readonly brand: string | null;
  readonly gtin: string | null;
  readonly price: string | null;
  readonly unit_price: string | null;
  readonly unit_of_measure: string | null;
  readonly availability: string;
  readonly on_promotion: string;
}

let all: Product[];
beforeAll(async () => {
  all = await explorer.ask<Product>(`select * from marts.product_now where region = 'uk'`);
});

/** Ids on the page of these parameters, in their order. */
async function found(parameters: string): Promise<string[]> {
  const csv = await (await explorer.get(`/products.csv?${parameters}`)).text();
  const [header, ...records] = csv.trim().split('\r\n');
  expect(header).toMatch(/^region,product_id,title/);
  return records.map((record) => record.split(',')[1]!);
}

/** The same of all its pages. */
async function foundOnAllPages(parameters: string): Promise<string[]> {
  const pages: string[] = [];
  for (let page = 1; ; page += 1) {
    const ids = await found(`${parameters}&page=${page}`);
    if (ids.length === 0) return pages;
    pages.push(...ids);
  }
}

const idsOf = (products: readonly Product[]) => products.map(({ product_id }) => product_id).sort();
const isListed = ({ availability }: Product) => availability === 'available' || availability === 'unavailable';

describe('finding a product', () => {
  it('the name of a category finds no product, but offers the category with its contents', async () => {
    const [category] = await explorer.ask<{ category_key: number; name: string; region: string }>(
      `select category_key, name, region from marts.dim_category where region = 'uk' and depth = 1 order by 1 limit 1`,
    );
    const q = encodeURIComponent(category!.name.toUpperCase().slice(0, -1));
    const page = await (await explorer.get(`/products?q=${q}&offer=promotion`)).text();
    const offered = page.slice(page.indexOf('aria-label="Categories of that name"'));
    expect(offered).toContain(`href="/products?offer=promotion&amp;category=${category!.category_key}"`);
    // Only without a filter do the words alone find nothing.
    expect(page).toContain('class="facets"');
    const ofWords = await (await explorer.get(`/products?q=${q}`)).text();
    expect(ofWords).toMatch(/<h1>No product has these words in its title; \d+ categor(?:y matches|ies match)<\/h1>/);
    expect(ofWords).not.toContain('class="facets"');
    for (const none of ['/products', '/products?q=zzzzz', '/products?q=%25'])
      expect(await (await explorer.get(none)).text()).not.toContain('aria-label="Categories of that name"');
  });

  it('offers categories by whole words only, and simpler searches where the words together find nothing', async () => {
    const named = async (q: string) =>
      readCsv(await (await explorer.get(`/products.csv?table=named&q=${q}`)).text()).map(({ path }) => path!);
    const [category] = await explorer.ask<{ word: string }>(
      `select lower(name) as word from marts.dim_category
       where region = 'uk' and gone_at is null and trim(name) ~ '^[[:alpha:]]{5,}s$' order by 1 limit 1`,
    );
    const word = category!.word.trim();
    for (const whole of [word, word.replace(/s$/, '')]) expect((await named(whole)).length).toBeGreaterThan(0);
    for (const part of [word.slice(0, -2), word.slice(1)])
      for (const path of await named(part)) expect(path).toMatch(new RegExp(`\\b${part}(e|s|es|y|ies)?\\b`, 'i'));
    expect(await named(word.slice(0, 3))).toEqual([]);
    const nothing = await (await explorer.get('/products?q=milk+toothpaste')).text();
    expect(nothing).toMatch(
      /Nothing has all the words. Try<\/span><a class="chip" href="[^"]*q=milk&amp;region=uk">milk \d/,
    );
    expect(await (await explorer.get('/products?q=whole+milk')).text()).not.toContain('Nothing has all the words');
  });

  it('a word that no title has is named, with those like it, which keep the filters', async () => {
    const page = await (await explorer.get('/products?q=mlik&offer=promotion')).text();
    expect(page).toContain('No title has “mlik”. Did you mean');
    expect(page).toContain('<a class="chip" href="/products?q=milk&amp;offer=promotion">milk</a>');
    expect(await (await explorer.get('/products?q=milk')).text()).not.toContain('Did you mean');
  });

  it('the search keeps the filters of the page, and each filter can be removed', async () => {
    const page = await (await explorer.get('/products?q=milk&offer=promotion&price_from=1&page=2')).text();
    const [form] = /<form id="find".*?<\/form>/s.exec(page)!;
    expect([...form.matchAll(/type="hidden" name="(\w+)" value="(\w+)"/g)].map(([, ...field]) => field)).toEqual([
      ['offer', 'promotion'],
      ['price_from', '1'],
    ]);
    expect(page).toContain('<a class="chip" href="/products?q=milk&amp;offer=promotion">Price from 1 ');
    expect(await (await explorer.get('/product?id=1')).text()).not.toContain('type="hidden"');
  });

  it('a product is found by its pasted address, which decides the region', async () => {
    const [irish] = await explorer.ask<Product>(
      `select * from marts.product_now where region = 'ie' and availability = 'available'`,
    );
    const address = `https://shop.example/groceries/en-IE/products/${irish!.product_id}?from=mail`;
    for (const pasted of [address, address.replace('https://', ''), `${address}&utm_campaign=${'x'.repeat(500)}`]) {
      const csv = await (await explorer.get(`/products.csv?q=${encodeURIComponent(pasted)}`)).text();
      expect([pasted, csv.split('\r\n')[1]?.split(',', 2)]).toEqual([pasted, ['ie', irish!.product_id]]);
    }
  });

  it.each(["'; drop table x; --", '%%', ':*', '&&', '\\\\', '\u202e\u202e', '!!', '( a'])(
    'a search causes no error with %s',
    async (words) => {
      expect((await explorer.get(`/products?q=${encodeURIComponent(words)}`)).status).toBe(200);
    },
  );
});

describe('filtering products', () => {
  it('products are filtered by price and unit price', async () => {
    const ids = await foundOnAllPages('price_from=1&price_to=2&unit=kg&unit_price_to=8');
    const expected = all.filter(
      (product) =>
        isListed(product) &&
        product.unit_of_measure === 'kg' &&
        Number(product.price) >= 1 &&
        Number(product.price) <= 2 &&
        Number(product.unit_price) <= 8,
    );
    expect(expected.length).toBeGreaterThan(0);
    expect([...ids].sort()).toEqual(idsOf(expected));
  });

  it('products are filtered by category, including its descendants', async () => {
    const departments = await explorer.ask<{ category_key: number; ids: string[] }>(
      `select m.category_key, array_agg(n.product_id) as ids
       from marts.product_category_now m join marts.product_now n using (product_key)
       where m.depth = 0 and m.region = 'uk' and n.availability in ('available', 'unavailable')
       group by 1
       order by count(*)`,
    );
    const [smallest] = departments;
    const ids = await foundOnAllPages(`category=${smallest!.category_key}`);
    expect([...ids].sort()).toEqual([...smallest!.ids].sort());
    expect(ids).toEqual(await foundOnAllPages(`category=${smallest!.category_key}&sort=newest`));
  });
});

describe('switching the region', () => {
  const switched = async (path: string) => {
    const [, links = ''] = /<nav[^>]*aria-label="Region">(.*?)<\/nav>/.exec(await (await explorer.get(path)).text())!;
    return [...links.matchAll(/href="([^"]*)"/g)].map(([, href]) => href!.replaceAll('&amp;', '&'));
  };

  it('a chosen category is the same one in the other region, on every page with categories', async () => {
    const [twin] = await explorer.ask<{ uk: number; ie: number }>(
      `select uk.category_key as uk, ie.category_key as ie
       from marts.dim_category uk join marts.dim_category ie using (category_id)
       where uk.region = 'uk' and ie.region = 'ie' and uk.gone_at is null and ie.gone_at is null
       order by uk.depth desc, 1 limit 1`,
    );
    const { uk, ie } = twin!;
    for (const page of ['/products', '/movers', '/promotions', '/shrinkflation', '/index'])
      expect(await switched(`${page}?category=${uk}`)).toEqual([
        `${page}?category=${uk}`,
        `${page}?${new URLSearchParams({ region: 'ie', category: String(ie) })}`,
      ]);
    expect(await switched(`/index?a=${uk}&b=ie`)).toContain(`/index?region=ie&a=${ie}&b=uk`);
  });
});

describe('the counts of products', () => {
  const countsOf = async (parameters: string) =>
    readCsv(await (await explorer.get(`/products.csv?table=facets&${parameters}`)).text());

  it('are those of the products that match, by department, brand and offer', async () => {
    const [brand] = await explorer.ask<{ key: string }>(
      `select brand_key as key from marts.product_now where region = 'uk' group by 1 order by count(*) desc limit 1`,
    );
    for (const parameters of ['', 'offer=promotion', `brand=${brand!.key}`]) {
      const matching = new Set(await foundOnAllPages(parameters));
      const products = all.filter(({ product_id }) => matching.has(product_id));
      const counts = await countsOf(parameters);
      const count = (facet: string) => Number(counts.find((row) => row['facet'] === facet)!['products']);
      expect([parameters, count('total')]).toEqual([parameters, matching.size]);
      expect(count('offer')).toBe(products.filter(({ on_promotion }) => String(on_promotion) === 'true').length);
      for (const { facet, key, products: counted } of counts) {
        if (facet !== 'category' || counted === '0') continue;
        const inIt = await foundOnAllPages(`${parameters}&category=${key}`);
        expect([parameters, key, inIt.length]).toEqual([parameters, key, Number(counted)]);
      }
    }
  });

  it('of a chip are what its link shows, whichever chip is chosen', async () => {
    for (const chosen of ['', 'offer=loyalty', 'offer=promotion', 'availability=unavailable']) {
      const page = await (await explorer.get(`/products?${chosen}`)).text();
      const [nav] = /<nav class="chips" aria-label="Quick filters">.*?<\/nav>/s.exec(page)!;
      const chips = [...nav.matchAll(/<a class="chip" href="\/products\?([^"]*)"> ?([^<]*?) (\d+)<\/a>/g)];
      expect(chips.length).toBeGreaterThan(0);
      for (const [, query, name, count] of chips) {
        const all = await foundOnAllPages(query!.replaceAll('&amp;', '&'));
        expect([chosen, name, all.length]).toEqual([chosen, name, Number(count)]);
      }
    }
  });

  it('stand in the heading, and the products that moved are those of the movers', async () => {
    for (const [moved, direction] of [
      ['dearer', 'rises'],
      ['cheaper', 'falls'],
    ]) {
      const ids = await foundOnAllPages(`moved=${moved}&availability=any`);
      const rows = readCsv(await (await explorer.get(`/products.csv?moved=${moved}&availability=any`)).text());
      const sizes = rows.map(({ moved_pct }) => Number(moved_pct) * (moved === 'dearer' ? 1 : -1));
      expect(sizes).toEqual(sizes.filter((size) => size > 0).sort((one, other) => other - one));
      const movers: (string | null | undefined)[] = [];
      for (const page of [1, 2, 3]) {
        const address = `/movers.csv?period=month&direction=${direction}&page=${page}`;
        movers.push(...readCsv(await (await explorer.get(address)).text()).map((row) => row['product_id']));
      }
      expect([...ids].sort()).toEqual(movers.sort());
      const heading = /<h1>([^<]*)/.exec(
        await (await explorer.get(`/products?moved=${moved}&availability=any`)).text(),
      );
      const chips = await (await explorer.get('/products?availability=any')).text();
      const chip = new RegExp(`${moved === 'dearer' ? 'Dearer' : 'Cheaper'} in \\d+ nights? ${ids.length}<`);
      expect(chips).toMatch(chip);
      expect(chips).toContain('Yellow: on offer.');
      expect(await (await explorer.get(`/products?moved=${moved}&availability=any`)).text()).toMatch(chip);
      expect(heading![1]).toBe(`${ids.length} product${ids.length === 1 ? '' : 's'}`);
    }
  });
});

describe('sorting products', () => {
  it.each([
    ['title', ({ title }: Product) => title, 1],
    ['cheapest', ({ price }: Product) => price && Number(price), 1],
    ['dearest', ({ price }: Product) => price && Number(price), -1],
    ['dearest-unit', ({ unit_price }: Product) => unit_price && Number(unit_price), -1],
  ] as const)(
    'products are sorted by %s, each once over all pages; among the dearest those that have a price',
    async (sort, orderOf, sign) => {
      const listed = all.filter(isListed);
      const byId = new Map(listed.map((product) => [product.product_id, product]));
      const isRanked = (product: Product) => orderOf(product) !== null;
      const ids = await foundOnAllPages(`sort=${sort}`);
      expect([...ids].sort()).toEqual(idsOf(sign < 0 ? listed.filter(isRanked) : listed));
      const values = ids
        .map((id) => byId.get(id)!)
        .filter(isRanked)
        .map((product) => orderOf(product)!);
      const ordered = [...values].sort((a, b) => (a < b ? -sign : a > b ? sign : 0));
      expect(values).toEqual(ordered);
      // What has no price is at the end.
      expect(ids.slice(0, values.length).every((id) => isRanked(byId.get(id)!))).toBe(true);
    },
  );
});

it('found products are sorted by what a unit costs members, and those out of stock come last', async () => {
  const rows = readCsv(await (await explorer.get('/products.csv?q=milk&sort=cheapest-unit')).text());
  expect(rows.length).toBeGreaterThan(5);
  const units = rows.map(({ unit_price, price, loyalty_price, availability }) => ({
    isOut: availability !== 'available',
    best: Number(unit_price) * (loyalty_price ? Math.min(1, Number(loyalty_price) / Number(price)) : 1),
  }));
  expect(units).toEqual(
    units.toSorted((one, other) => Number(one.isOut) - Number(other.isOut) || one.best - other.best),
  );
});

it('a value that a filter cannot use is refused in one line', async () => {
  const response = await explorer.get('/products?price_from=cheap');
  expect(response.status).toBe(400);
  expect(await response.text()).toContain('“price_from” must be an amount such as 1.50.');
});

it('products with the words keep the order of the best match when a filter is added', async () => {
  const ids = async (address: string) =>
    readCsv(await (await explorer.get(address)).text()).map(({ product_id }) => product_id);
  const all = await ids('/products.csv?q=milk&rows=all');
  const dearer = await ids('/products.csv?q=milk&moved=cheaper&rows=all');
  expect(dearer.length).toBeGreaterThan(1);
  expect(dearer).toEqual(all.filter((id) => dearer.includes(id)));
});

it('where no product matches, the page names the filters whose removal finds some', async () => {
  const [one] = readCsv(await (await explorer.get('/products.csv?moved=dearer&offer=none')).text());
  const html = await (await explorer.get(`/products?q=${one!['product_id']}&moved=dearer&offer=promotion`)).text();
  expect(html).toContain('<h1>0 products for');
  const [, href] = /href="([^"]+)">1 product on offer or not</.exec(html)!;
  expect(await (await explorer.get(href!.replaceAll('&amp;', '&'))).text()).toContain('<h1>1 product for');
});
