import { afterAll, describe, expect, it } from 'vitest';
import { createSimulator, simulatorHosts } from '../../src/simulator/index.ts';
import { ask, categoriesOf, type Element, elementsOf, pageOf, productKeys, rootsOf, taxonomyPath } from './asking.ts';

const simulator = await createSimulator({ items: 2000, date: '2026-03-01', garbled: 0.1 });
afterAll(() => simulator.close());

describe('the taxonomy', () => {
  it('ids are computed from untrimmed names, with every character of base64', async () => {
    for (const region of ['uk', 'ie'] as const) {
      const categories = await categoriesOf(simulator, region);
      for (const { id, name } of categories) {
        const path = decodeURI(Buffer.from(id.slice(2), 'base64').toString('latin1')).split('|');
        expect(path.at(-1)).toBe(name);
      }
      expect(new Set(categories.map(({ id }) => id)).size).toBe(categories.length);
      expect(categories.some(({ id }) => /[/+]/.test(id))).toBe(true);
      expect(categories.some(({ name }) => name !== name.trim())).toBe(true);
      expect(categories.some(({ name }) => /[^\x20-\x7e]/.test(name))).toBe(true);
      expect(categories.filter(({ name }) => name === 'Desserts').length).toBeGreaterThan(2);
      expect(new Set(categories.map(({ label }) => label))).toEqual(
        new Set(['superDepartment', 'department', 'aisle', 'shelf']),
      );
    }
  });

  it('children can be null or missing, as declared', async () => {
    const { text } = await ask(simulator, taxonomyPath.uk);
    expect(text).toMatch(/,null\]/);
    expect(text).toMatch(/"children":\[\]/);
    const leaves = (await categoriesOf(simulator, 'uk')).filter(({ label }) => label === 'shelf');
    expect(leaves.some(({ children }) => children === undefined)).toBe(true);
  });

  it('the taxonomy changes with the season', async () => {
    const names = async (date: string) => {
      simulator.change({ date });
      return (await rootsOf(simulator, 'uk')).map(({ name }) => name);
    };
    expect(await names('2026-03-31')).toContain('Winter Warmers ');
    expect(await names('2026-04-01')).toContain('Summer');
    expect(await names('2026-04-01')).not.toContain('Winter Warmers ');
    simulator.change({ date: '2026-03-01' });
  });
});

describe('a UK category page', () => {
  it('a UK page has the envelope and the eleven keys of the vendor', async () => {
    const [root] = await rootsOf(simulator, 'uk');
    const { status, body } = await ask(simulator, pageOf('uk', root!.id, 2));
    expect(status).toBe(200);
    expect(Object.keys(body)).toEqual(['success', 'data']);
    expect(Object.keys(body.data)).toEqual(['categoryId', 'pageNo', 'pageInformation', 'products']);
    expect(body.data).toMatchObject({ categoryId: root!.id, pageNo: 2 });
    expect(body.data.pageInformation).toEqual({
      totalResults: expect.any(Number),
      currentPage: 2,
      resultsOnPage: 24,
      resultsPerPage: 24,
    });
    expect(body.data.products).toHaveLength(24);
    for (const product of body.data.products) expect(Object.keys(product)).toEqual(productKeys);
  });

  it('a UK page has every variation of real data', async () => {
    const products: Element[] = [];
    for (const { id } of await rootsOf(simulator, 'uk')) products.push(...(await elementsOf(simulator, 'uk', id)));
    const variations: ((product: Element) => boolean)[] = [
      ({ gtin, brand }) => gtin === null && brand !== null,
      ({ brand }) => brand === null,
      ({ price }) => price === null,
      ({ price }) => price !== null && price.price === null,
      ({ price }) => price?.price > 0 && price.unitPrice === null,
      ({ isForSale, price }) => !isForSale && price?.price > 0,
      ({ reviews }) => reviews === null,
      ({ promotions }) => promotions.length > 1,
      ({ promotions }) => promotions.some(({ startDate }: Element) => startDate === null),
      ({ title }) => title.includes('"'),
      ({ title }) => /\S {2}\S/.test(title),
      ({ title }) => title.endsWith(' '),
      ({ title }) => title.includes('Ã'),
    ];
    expect(variations.filter((isSo) => !products.some(isSo)).map(String)).toEqual([]);
    const units = new Set(products.map(({ price }) => price?.unitOfMeasure));
    for (const unit of ['kg', '100g', '10g', 'litre', '100ml', 'each', 'kg DR.WT']) expect(units).toContain(unit);
  });

  it('a UK page refuses invalid requests', async () => {
    const wrong = [
      '/category-page',
      pageOf('uk', 'x'.repeat(301)),
      pageOf('uk', 'b;x', 0),
      '/category-page?categoryId=b;x&pageNo=one',
    ];
    for (const path of wrong) {
      const { status, body } = await ask(simulator, path);
      expect(status).toBe(400);
      expect(body).toEqual({
        success: false,
        message: expect.stringContaining('Invalid request: '),
        error: 'VALIDATION_ERROR',
      });
    }
  });
});

describe('an Irish category page', () => {
  it('an Irish page has untyped results of nodes with prices under sellers', async () => {
    const [root] = await rootsOf(simulator, 'ie');
    const { body } = await ask(simulator, pageOf('ie', root!.id));
    expect(Object.keys(body.data)).toEqual(['categoryId', 'pageNo', 'pageInformation', 'results']);
    expect(body.data.pageInformation).toEqual({
      totalCount: expect.any(Number),
      pageNo: 1,
      count: 24,
      pageSize: 24,
      offset: 0,
    });
    const [{ node }] = body.data.results;
    expect(node.sellers.results).toMatchObject([{ name: 'Tesco', price: { unitOfMeasure: expect.any(String) } }]);
    expect(node.sellers.results[0].price.price).toBe(node.sellers.results[0].price.actual);
    expect(node).toMatchObject({ id: expect.any(String), superDepartmentName: root!.name });
    expect(body.data.results.some(({ node: { brandName } }: Element) => brandName === null)).toBe(true);
  });

  it('an Irish page refuses ids over 200 characters, which the tree contains', async () => {
    const long = (await categoriesOf(simulator, 'ie')).filter(({ id }) => id.length > 200);
    expect(long.length).toBeGreaterThan(0);
    expect((await ask(simulator, pageOf('ie', long[0]!.id))).status).toBe(400);
  });
});

describe('search', () => {
  it('a search by words finds at most 24 products, on the first page whatever is requested', async () => {
    const { body } = await ask(simulator, '/product-search-by-keyword?query=fresh%20fruit&page=3');
    expect(Object.keys(body.data)).toEqual(['query', 'pageInformation', 'popularFilters', 'products']);
    expect(body.data.query).toBe('fresh fruit');
    expect(body.data.pageInformation).toMatchObject({ currentPage: 1, resultsOnPage: 24, resultsPerPage: 24 });
    expect(body.data.pageInformation.totalResults).toBeGreaterThan(24);
    for (const product of body.data.products) {
      expect(Object.keys(product)).toEqual(productKeys);
      expect(product.categoryBreadcrumbs[1].name).toBe('Fresh Fruit');
    }
    const [filter] = body.data.popularFilters;
    expect((await ask(simulator, pageOf('uk', filter.id))).body.data.products.length).toBeGreaterThan(0);
    const coffee = (await ask(simulator, '/product-search-by-keyword?query=coffee')).body.data.products;
    const aisles = coffee.slice(0, 8).map(({ categoryBreadcrumbs: [, , aisle] }: Element) => aisle.name);
    expect(new Set(aisles)).toEqual(new Set(['Coffee']));
  });

  it('an empty or overlong query is refused', async () => {
    expect((await ask(simulator, '/product-search-by-keyword')).body).toEqual({
      success: false,
      message: 'Invalid request: Query is required',
      error: 'VALIDATION_ERROR',
    });
    expect((await ask(simulator, `/product-search-by-keyword?query=${'x'.repeat(201)}`)).status).toBe(400);
  });
});

describe('stores and health', () => {
  const near = (radius: number, place = 'latitude=53.35&longitude=-6.26') =>
    ask(simulator, `/store-list?${place}&radius=${radius}`, { host: simulatorHosts.stores });

  it('stores within a radius in miles are listed, nearest first', async () => {
    const { body } = await near(15);
    expect(body).toMatchObject({ success: true, data: { success: true } });
    const { stores } = body.data.data;
    expect(stores.length).toBeGreaterThan(2);
    const distances = stores.map(({ distance }: Element) => distance);
    expect(distances).toEqual([...distances].sort((a, b) => a - b));
    expect(Math.max(...distances)).toBeLessThanOrEqual(15);
    expect((await near(200)).body.data.data.stores.length).toBeGreaterThan(stores.length);
    expect((await near(0)).body.data.data.stores).toEqual([]);
    expect((await near(1, 'latitude=51.507&longitude=-0.128')).body.data.data.stores.length).toBeLessThan(12);
  });

  it('missing parameters are explained as in the specification', async () => {
    const { status, body } = await ask(simulator, '/store-list?latitude=53', { host: simulatorHosts.stores });
    expect(status).toBe(400);
    expect(body).toMatchObject({
      success: false,
      message: expect.stringContaining('Content-Type: application/json'),
      error: { name: 'ZodError' },
    });
    expect(body.error.issues.map(({ path }: Element) => path)).toEqual([['longitude'], ['radius']]);
    expect(body.error.issues[0]).toMatchObject({ code: 'too_small', minimum: 1, inclusive: true, exact: false });
  });
});
